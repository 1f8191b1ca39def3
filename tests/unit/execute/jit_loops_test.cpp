// Loops of compiled ops: they leave what their handlers leave, round by round, whatever the
// lanes' addresses are and wherever the loop's code stops serving a strip.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <iterator>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "isa/flow.hpp"
#include "jit_loop_texts.hpp"
#include "jit_machine.hpp"
#include "jit_sequence.hpp"

namespace wavetank::execute::testing {
namespace {

/// The loop's ops and an end behind which nobody reads its registers but those that it carries.
std::vector<Op> loop_ops(const LoopText& loop) {
  std::vector<Op> ops = ops_of(loop.code, *loop.target);
  ops.back().branch = -static_cast<std::int64_t>(ops.size());
  // Some loops end without a lane.
  Op all_lanes = simple("s_mov_b64");
  all_lanes.dst = 4 * 126;
  all_lanes.kind[0] = Source::kConstant;
  all_lanes.constant[0] = ~std::uint64_t{0};
  ops.push_back(all_lanes);
  std::uint32_t offset = 0;
  for (const unsigned name : loop.carried) {
    ops.push_back(store(kC, name, static_cast<std::int32_t>(offset)));
    offset += 256;
  }
  ops.push_back(simple("s_endpgm"));
  return ops;
}

CompiledOps compiled_loop(const LoopText& loop) {
  std::vector<Op> ops = loop_ops(loop);
  std::vector<std::size_t> slots(ops.size());
  std::iota(slots.begin(), slots.end(), std::size_t{0});
  const std::vector<std::size_t> leaders{0};
  const FactsOf facts_of = [&](std::size_t slot) {
    const Op& op = ops[slot];
    machine::StepFacts facts;
    facts.row = &isa::catalogue()[op.row];
    facts.conditional_branch = isa::branches(*facts.row);
    if (facts.row->unit == isa::Unit::kSalu) {
      for (unsigned i = 0; i < 2; ++i) {
        if (op.kind[i] == Source::kScalar) facts.scalar_reads.add(op.src[i] / 4, 2);
      }
    }
    if (facts.row->unit == isa::Unit::kSmem) {
      facts.scalar_reads.add(op.memory.scalar_base, 2);
      facts.scalar_writes.add(op.dst / 4, facts.row->memory.result_dwords);
    }
    return facts;
  };
  auto blocks = jit::Blocks::compile(ops, slots, leaders, facts_of, Compiled::kChains);
  return {std::move(ops), std::move(blocks)};
}

/// How the lanes of a strip of 16 lie.
enum class Lie { kSideBySide, kSame, kAnywhere };

/// A start of a loop.
struct Start {
  Lie lies[4] = {};
  std::uint64_t exec = ~std::uint64_t{0};
  std::uint32_t rounds = 5;
  std::uint32_t stride = 64;
  std::uint64_t from = kBase;  ///< where addresses begin
  std::uint32_t arena_bytes = kArenaBytes;
  std::vector<std::uint64_t> nans;  ///< places in the arena
  std::uint32_t leave_earlier = 0;  ///< lanes that leave a round earlier, where lanes can
};

void prepare(Machine& machine, const LoopText& loop, const Start& start) {
  machine.fill();
  machine.environment.arena_size_bytes = start.arena_bytes;
  for (std::uint64_t at = 0; at < kArenaBytes; at += 4) {
    machine.put(at, 0.25f * static_cast<float>(at / 4 % 97));
  }
  for (const std::uint64_t at : start.nans) machine.put(at, 0x7f800001u);
  const unsigned bytes = &loop == &kBytes ? 1 : &loop == &kWide ? 16 : 4;
  std::mt19937 random(5);
  const std::uint64_t base = machine.address(0);
  for (unsigned l = 0; l < 64; ++l) {
    const unsigned strip = l / 16;
    std::uint64_t place = start.from + 128 * strip;
    if (start.lies[strip] == Lie::kSideBySide) place += l % 16 * bytes;
    if (start.lies[strip] == Lie::kAnywhere) place += 4 * (random() % 40);
    machine.set_address(2, l, base + place);
    machine.lane(1, l) = std::bit_cast<std::uint32_t>(1.0f + static_cast<float>(l));
    machine.lane(7, l) = static_cast<std::uint32_t>(base >> 32);
    machine.lane(4, l) = static_cast<std::uint32_t>(place / 4);
    machine.set_address(kC, l, machine.address(20 * 1024 + 4 * l));
    if (&loop == &kColumn) machine.lane(7, l) = 0;
    if (&loop == &kBytes || &loop == &kTwice) {
      machine.lane(4, l) = static_cast<std::uint32_t>(4 * (place - start.from));
      machine.lane(5, l) = static_cast<std::uint32_t>(place);
    }
    if (&loop == &kStrides) {
      machine.set_address(2, l, l);
      machine.set_address(4, l, base + place);
      machine.lane(6, l) = 0;
    }
    if (&loop == &kHeat) machine.set_address(12, l, base + place + 12 * 1024);
    for (unsigned name = 2; name < 8 && &loop == &kRotation; ++name) {
      machine.lane(name, l) = std::bit_cast<std::uint32_t>(static_cast<float>(name * l));
    }
    if (&loop == &kNearest || &loop == &kWide) {
      machine.lane(4, l) = std::bit_cast<std::uint32_t>(0.5f * static_cast<float>(l));
    }
    if (&loop == &kNearest) {
      machine.lane(2, l) = std::bit_cast<std::uint32_t>(static_cast<float>(l % 7));
      machine.lane(3, l) = std::bit_cast<std::uint32_t>(
          start.nans.empty() || l != 37 ? 1.0f : std::bit_cast<float>(0x7f800001u));
    }
  }
  machine.wave.set_scalar64(2, base);
  machine.wave.set_scalar64(4, 0x3f8000003f000000);
  machine.wave.set_scalar64(0, 0);
  machine.wave.set_scalar64(18, std::uint64_t{start.stride} * start.rounds - start.leave_earlier);
  machine.wave.set_scalar64(14, machine.address(kBase));
  machine.wave.sgpr[kStride] = start.stride;
  machine.wave.sgpr[kRounds] = start.rounds;
  machine.wave.set_exec(start.exec);
}

/// Does its branch, which alone may ask for SCC, do so?
bool branches_on_scc(const LoopText& loop) {
  constexpr std::uint32_t kBranchScc0 = 0xbf84, kBranchScc1 = 0xbf85;
  const std::uint32_t branch = loop.code.back() >> 16;
  return branch == kBranchScc0 || branch == kBranchScc1;
}

/// What a program can tell, as text: what the loop carries, SGPRs, memory. Behind a fault it is the
/// lane: scalar ops behind the access may have been executed.
std::string state_of(Machine& machine, const LoopText& loop, bool served) {
  if (!served) return "fault of lane " + std::to_string(machine.wave.fault.lane);
  std::string text;
  const bool ended = machine.wave.stop == machine::Stop::kEnded;
  for (const unsigned name : loop.carried) {
    for (unsigned l = 0; l < 64 && !ended; ++l) {
      text += " " + std::to_string(machine.lane(name, l));
    }
  }
  // VCC holds what nobody reads.
  for (unsigned i = 0; i < 106; ++i) text += " s" + std::to_string(machine.wave.sgpr[i]);
  if (branches_on_scc(loop)) text += " scc " + std::to_string(machine.wave.scc);
  text += " budget " + std::to_string(machine.wave.budget);
  return text + std::string(reinterpret_cast<const char*>(machine.arena()), kArenaBytes);
}

/// One slice of a wave; false if it ended by a fault.
bool runs_slice(Machine& machine, const Op* op) {
  std::jmp_buf exit;
  machine.wave.fault_exit = &exit;
  if (setjmp(exit) != 0) return false;
  while (op != nullptr) op = op->run(machine.wave, op);
  return true;
}

/// Runs until the wave ends or faults, in slices of `budget`; what it left after each.
std::vector<std::string> history(Machine& machine, const LoopText& loop, const std::vector<Op>& ops,
                                 std::int64_t budget) {
  std::vector<std::string> states;
  machine.wave.next = ops.data();
  bool served = true;
  do {
    machine.wave.budget = budget;
    machine.wave.stop = machine::Stop::kRunning;
    served = runs_slice(machine, static_cast<const Op*>(machine.wave.next));
    states.push_back(state_of(machine, loop, served));
  } while (served && machine.wave.stop != machine::Stop::kEnded && states.size() < 1000);
  return states;
}

class JitLoops : public Jit {
 protected:
  static void expect_same(const LoopText& loop, const Start& start) {
    const std::vector<Op> ops = loop_ops(loop);
    const CompiledOps code = compiled_loop(loop);
    ASSERT_NE(code.blocks, nullptr);
    code.blocks->set_patience(0);
    Machine machine;  // one, as registers hold addresses
    for (const std::int64_t budget : {1, 3, 1000}) {
      prepare(machine, loop, start);
      const auto expected = history(machine, loop, ops, budget);
      // The second time careful code does what was left the first time.
      for (unsigned time = 0; time < 2; ++time) {
        prepare(machine, loop, start);
        EXPECT_TRUE(history(machine, loop, code.ops, budget) == expected)
            << loop.name << " budget " << budget << " time " << time;
      }
    }
  }
};

TEST_F(JitLoops, HaveCodeOfTheirOwn) {
  for (const LoopText* const loop : kLoops) {
    EXPECT_EQ(compiled_loop(*loop).blocks->loops(), 1u) << loop->name;
  }
}

TEST_F(JitLoops, LeaveWhatHandlersLeaveHoweverTheLanesLie) {
  for (const LoopText* const loop : kLoops) {
    for (unsigned lies = 0; lies < 81; lies += every(4)) {
      SCOPED_TRACE(lies);
      Start start;
      for (unsigned strip = 0, rest = lies; strip < 4; ++strip, rest /= 3) {
        start.lies[strip] = static_cast<Lie>(rest % 3);
      }
      expect_same(*loop, start);
    }
  }
}

TEST_F(JitLoops, LeaveWhatHandlersLeaveForAnyExec) {
  for (const LoopText* const loop : kLoops) {
    for (const std::uint64_t exec : exec_patterns()) {
      if (exec == 0) continue;
      SCOPED_TRACE(exec);
      Start start;
      start.exec = exec;
      expect_same(*loop, start);
    }
  }
}

TEST_F(JitLoops, GoOnWithoutTheLanesThatHaveLeft) {
  for (const std::uint32_t lanes : {0u, 1u, 20u, 63u}) {
    SCOPED_TRACE(lanes);
    Start start;
    start.leave_earlier = lanes;
    expect_same(kStrides, start);
  }
}

TEST_F(JitLoops, LeaveAStripWhereARoundMakesANan) {
  for (const LoopText* const loop : kLoops) {
    for (const std::uint64_t place : {0, 64, 128 + 60, 256 + 4, 384, 384 + 128, 640}) {
      SCOPED_TRACE(place);
      Start start;
      start.rounds = 9;
      start.nans = {kBase + place};
      expect_same(*loop, start);
    }
  }
}

TEST_F(JitLoops, FaultWhereTheArenaEnds) {
  for (const LoopText* const loop : kLoops) {
    for (const Lie lie : {Lie::kSideBySide, Lie::kSame}) {
      for (std::uint32_t end = 0; end < 1024; end += 52) {
        SCOPED_TRACE(end);
        Start start;
        std::fill(std::begin(start.lies), std::end(start.lies), lie);
        start.arena_bytes = kBase + end;
        start.rounds = 9;
        expect_same(*loop, start);
      }
    }
  }
}

/// Strides that lead back, stay, and carry beyond 32 bits.
TEST_F(JitLoops, FollowAddressesByAnyStride) {
  for (const LoopText* const loop : kLoops) {
    for (const std::uint32_t stride : {0u, 1u, 4u, 60u, 0xffffffc0u, 0x80000000u}) {
      SCOPED_TRACE(stride);
      Start start;
      start.from = 2 * kBase;
      start.stride = stride;
      expect_same(*loop, start);
    }
  }
}

/// How often code was left for one wave that begins so.
std::uint64_t misses(const LoopText& loop, const Start& start) {
  const CompiledOps code = compiled_loop(loop);
  Machine machine;
  prepare(machine, loop, start);
  history(machine, loop, code.ops, 1000);
  return code.blocks->misses();
}

TEST_F(JitLoops, ServeLanesSideBySideAndAtOnePlaceAndRefuseOthers) {
  for (const LoopText* const loop :
       {&kProduct, &kProduct64, &kColumn, &kBytes, &kWide, &kChain, &kStrides}) {
    Start start;
    start.lies[1] = Lie::kSame;
    EXPECT_EQ(misses(*loop, start), 0u) << loop->name;
    start.lies[2] = Lie::kAnywhere;
    EXPECT_GE(misses(*loop, start), std::uint64_t{AccessGuard::kMissCost}) << loop->name;
  }
}

TEST_F(JitLoops, TakeThemselvesOutAfterManyRefusals) {
  const CompiledOps code = compiled_loop(kProduct);
  const Handler tried = code.ops[0].run;
  Start start;
  start.lies[0] = Lie::kAnywhere;
  start.rounds = AccessGuard::kMostMisses / AccessGuard::kMissCost + 2;
  start.stride = 0;
  Machine machine;
  prepare(machine, kProduct, start);
  history(machine, kProduct, code.ops, 1000);
  EXPECT_NE(code.ops[0].run, tried);
}

/// An index that is extended by its sign leads back by 8 GiB where it wraps.
TEST_F(JitLoops, LeaveAStripWhoseIndexWraps) {
  for (const LoopText* const loop : {&kProduct, &kProduct64}) {
    const std::vector<Op> ops = loop_ops(*loop);
    const CompiledOps code = compiled_loop(*loop);
    Machine machine;
    for (const std::uint32_t first : {0x7fffffc0u, 0x7ffffff1u, 0x7fffffe8u}) {
      const auto begin = [&] {
        prepare(machine, *loop, {});
        machine.wave.set_scalar64(2, machine.address(kBase) - 4 * std::uint64_t{first});
        for (unsigned l = 0; l < 64; ++l) {
          machine.lane(4, l) = first + l % 16;
          machine.lane(7, l) = machine.wave.sgpr[3];
        }
        machine.wave.sgpr[kStride] = 3;
      };
      begin();
      const auto expected = history(machine, *loop, ops, 1000);
      begin();
      EXPECT_TRUE(history(machine, *loop, code.ops, 1000) == expected) << loop->name << first;
    }
  }
}

/// Sixteen GiB lie between neighbours.
TEST_F(JitLoops, FollowNoIndexThatIsShiftedBeyondItsWord) {
  const CompiledOps code = compiled_loop(kFar);
  Machine machine;
  for (const bool apart : {false, true}) {
    const auto begin = [&] {
      prepare(machine, kFar, {});
      for (unsigned l = 0; l < 64; ++l) machine.lane(4, l) = apart ? 4 * (l % 16) : 0;
      machine.wave.sgpr[kStride] = 0;
    };
    begin();
    const auto expected = history(machine, kFar, loop_ops(kFar), 1000);
    begin();
    EXPECT_TRUE(history(machine, kFar, code.ops, 1000) == expected) << apart;
    EXPECT_EQ(expected.front() == "fault of lane 1", apart);
  }
}

TEST_F(JitLoops, HaveNoCodeOfTheirOwnIfTheyLoadExec) {
  std::vector<Op> ops = ops_of(kLoadsScalars.code, *kLoadsScalars.target);
  ops.back().branch = -static_cast<std::int64_t>(ops.size());
  std::vector<std::size_t> slots(ops.size());
  std::iota(slots.begin(), slots.end(), std::size_t{0});
  const std::vector<std::size_t> leaders{0};
  for (const unsigned sgpr : {18u, 126u}) {
    ops[0].dst = 4 * sgpr;
    std::vector<Op> code = with_stop(ops);
    const auto blocks = jit::Blocks::compile(code, slots, leaders, {}, Compiled::kChains);
    ASSERT_NE(blocks, nullptr);
    EXPECT_EQ(blocks->loops(), sgpr == 18 ? 1u : 0u);
  }
}

}  // namespace
}  // namespace wavetank::execute::testing
