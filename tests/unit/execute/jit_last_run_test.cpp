// Runs from loads to the store that ends a wave: what they store, and whose addresses they follow.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>

#include "execute/jit/last_moves.hpp"
#include "jit_machine.hpp"

namespace wavetank::execute::testing {
namespace {

/// Sums of two arrays, and the wave's end: its registers are nobody's any more.
std::vector<Op> last_addition(unsigned to = kC, std::int32_t offset = 0) {
  Op last = store(to, 4, offset);
  last.memory.ends_wave = true;
  return {load(kA, 2), load(kB, 3), simple("s_waitcnt"), add(4, 2, 3), last, simple("s_endpgm")};
}
class JitLastRun : public JitMemory {
 protected:
  void SetUp() override {
    JitMemory::SetUp();
    const jit::VectorUnit* const unit = jit::vector_unit();
    if (unit == nullptr || !unit->last_runs) GTEST_SKIP() << "no code for runs that end a wave";
  }
};
constexpr bool kOnlyMemory = false;

TEST_F(JitLastRun, MovesWhatTheHandlersMoveForAnyAddressesAndExec) {
  for (const Pattern pattern : kPatterns) {
    for (const std::uint64_t exec : exec_patterns()) {
      SCOPED_TRACE(::testing::Message()
                   << static_cast<int>(pattern) << " exec " << std::hex << exec);
      const auto prepare = [&](Machine& machine) {
        three_arrays(machine, pattern);
        machine.wave.set_exec(exec);
        machine.environment.writes_past_cache = exec == ~std::uint64_t{0};
      };
      expect_same(last_addition(), prepare, kOnlyMemory);
    }
  }
}

TEST_F(JitLastRun, LoadsInAllLanesBeforeItStoresInAny) {
  for (const std::int32_t ahead : {0, 4, 64, 128}) {
    const auto guard = expect_same(
        last_addition(kA, ahead),
        [](Machine& machine) { three_arrays(machine, Pattern::kContiguous); }, kOnlyMemory);
    ASSERT_TRUE(guard);
    EXPECT_EQ(guard->misses, 0u) << "stores " << ahead << " bytes ahead of its loads";
  }
}

TEST_F(JitLastRun, ThatMeetsANanHasStoredNothing) {
  for (const unsigned lane : {0u, 37u, 63u}) {
    const auto prepare = [&](Machine& machine) {
      three_arrays(machine, Pattern::kContiguous);
      machine.put(kBase + offsets(Pattern::kContiguous, 4, kLimit)[lane], 0x7f800001u);
    };
    expect_same(last_addition(kA), prepare, kOnlyMemory);
  }
}

TEST_F(JitLastRun, LeavesStoresBehindTheArenaToTheHandlers) {
  const CompiledOps code = compile(last_addition());
  Machine machine;
  three_arrays(machine, Pattern::kContiguous);
  machine.environment.arena_size_bytes =
      kBase + 2 * kLimit + offsets(Pattern::kContiguous, 4, kLimit)[63];
  EXPECT_FALSE(runs(machine, code));
  EXPECT_EQ(machine.wave.fault.lane, 63u);
  EXPECT_TRUE(machine.wave.fault.write);
}

/// Runs a wave whose lanes lie as `pattern` says.
void run_once(Machine& machine, const CompiledOps& code, Pattern pattern) {
  three_arrays(machine, pattern);
  run_to_stop(machine.wave, code.ops);
}

TEST_F(JitLastRun, IsNotTriedAnyMoreAfterManyMisses) {
  const CompiledOps code = compile(last_addition());
  const Handler first = code.ops[0].run;
  Machine machine;
  unsigned tries = 0;
  for (; tries < 10000 && code.ops[0].run == first; ++tries) {
    run_once(machine, code, Pattern::kReversed);
  }
  EXPECT_EQ(tries, AccessGuard::kMostMisses / (AccessGuard::kMissCost - 1u));
  run_once(machine, code, Pattern::kContiguous);
  EXPECT_NE(code.ops[0].run, first);
}

TEST_F(JitLastRun, TakesItselfOutWhereLanesAreMostlyInactive) {
  for (const unsigned rounds_of_all : {8u, 9u}) {
    const CompiledOps code = compile(last_addition());
    const Handler first = code.ops[0].run;
    Machine machine;
    three_arrays(machine, Pattern::kContiguous);
    for (unsigned round = 0; round < 20000; ++round) {
      const bool all = round % (rounds_of_all + 1) != 0;
      machine.wave.set_exec(all ? ~std::uint64_t{0} : 1);
      run_to_stop(machine.wave, code.ops);
    }
    EXPECT_EQ(code.ops[0].run != first, rounds_of_all == 8);
  }
}

TEST_F(JitLastRun, ForgivesAMissForEachWaveThatItServes) {
  const CompiledOps code = compile(last_addition());
  Machine machine;
  run_once(machine, code, Pattern::kContiguous);
  const AccessGuard& guard = *machine.wave.guard;
  EXPECT_EQ(guard.misses, 0u);
  run_once(machine, code, Pattern::kReversed);
  EXPECT_EQ(guard.misses, AccessGuard::kMissCost);
  for (unsigned i = 0; i < AccessGuard::kMissCost; ++i) {
    run_once(machine, code, Pattern::kContiguous);
  }
  EXPECT_EQ(guard.misses, 0u);
}

TEST_F(JitLastRun, EndsWithTheStoreThatEndsTheWave) {
  const auto length = [](const std::vector<Op>& ops) {
    jit::OpTable table(ops);
    return jit::find_last_run(table, 0, {}).ops.size();
  };
  const std::vector<Op> ops = last_addition();
  EXPECT_EQ(length(ops), 4u);
  EXPECT_EQ(length(vector_addition()), 0u) << "more may follow the store";
  EXPECT_GT(compile(ops).blocks->count(), compile(vector_addition()).blocks->count());
  EXPECT_EQ(length({ops[3], ops[4], ops[5]}), 2u) << "nothing is loaded";
  EXPECT_EQ(length({ops[0], ops[2], ops[1], ops[3], ops[4], ops[5]}), 0u)
      << "a load after a wait for another";
}

// ---- addresses that the run makes itself

/// A source of an op.
struct From {
  Source kind;
  unsigned value;
};
From vector(unsigned reg) { return {Source::kVector, reg}; }
From scalar(unsigned sgpr) { return {Source::kScalar, sgpr}; }
From constant(unsigned value) { return {Source::kConstant, value}; }
constexpr unsigned kVcc = 106;

Op alu(const char* name, unsigned dst, const std::vector<From>& sources) {
  Op op;
  const isa::Row& row = row_named(name);
  op.row = row.id;
  op.run = handlers()[row.id].usual;
  op.op_sel_hi = 7;
  op.dst = 256 * dst;
  op.sdst = kVcc;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    op.kind[i] = sources[i].kind;
    if (sources[i].kind == Source::kVector) op.src[i] = 256 * sources[i].value;
    if (sources[i].kind == Source::kScalar) op.src[i] = 4 * sources[i].value;
    if (sources[i].kind == Source::kConstant) op.constant[i] = sources[i].value;
  }
  return op;
}

constexpr unsigned kIndex = 20, kFirstBase = 30;  // a vector register, SGPR pairs of three arrays
constexpr unsigned kSum = 44;                     // an SGPR

/// What computes the addresses of one access.
using Address = std::vector<Op> (*)(unsigned base, unsigned to);

/// As compilers for gfx90a: v[to:to+1] = v[24:25] + base.
std::vector<Op> by_carry(unsigned base, unsigned to) {
  return {alu("v_mov_b32", to + 1, {scalar(base + 1)}),
          alu("v_add_co_u32", to, {scalar(base), vector(24)}),
          alu("v_addc_co_u32", to + 1, {vector(to + 1), vector(25), scalar(kVcc)})};
}
/// As for gfx942.
std::vector<Op> by_wide_sum(unsigned base, unsigned to) {
  return {alu("v_lshl_add_u64", to, {scalar(base), constant(0), vector(24)})};
}
std::vector<Op> by_shift_and_sum(unsigned base, unsigned to) {
  return {alu("v_lshl_add_u64", to, {vector(24), constant(2), scalar(base)})};
}

/// Ways to make a 64-bit offset in v[24:25] of the index.
const std::vector<Op>& signed_index() {
  static const std::vector<Op> ops{
      alu("v_ashrrev_i32", 21, {constant(31), vector(kIndex)}),
      alu("v_lshlrev_b64", 24, {constant(2), vector(kIndex)}),
  };
  return ops;
}
const std::vector<Op>& unsigned_index() {
  static const std::vector<Op> ops{
      alu("v_mov_b32", 21, {constant(0)}),
      alu("v_lshlrev_b64", 24, {constant(2), vector(kIndex)}),
  };
  return ops;
}
const std::vector<Op>& wide_index() {
  static const std::vector<Op> ops{alu("v_lshlrev_b64", 24, {constant(2), vector(kIndex)})};
  return ops;
}
const std::vector<Op>& summed_index() {
  static const std::vector<Op> ops{
      alu("v_add_u32", 22, {scalar(kSum), vector(kIndex)}),
      alu("v_mov_b32", 23, {constant(0)}),
      alu("v_lshlrev_b64", 24, {constant(2), vector(22)}),
  };
  return ops;
}
const std::vector<Op>& unshifted_index() {
  static const std::vector<Op> ops{
      alu("v_mov_b32", 24, {vector(kIndex)}),
      alu("v_mov_b32", 25, {constant(0)}),
  };
  return ops;
}

Op ending(Op op) {
  op.memory.ends_wave = true;
  return op;
}

/// The sum of two arrays with such addresses.
std::vector<Op> addition(std::vector<Op> ops, Address address) {
  const auto append = [&](const std::vector<Op>& more) {
    ops.insert(ops.end(), more.begin(), more.end());
  };
  append(address(kFirstBase, 40));
  append(address(kFirstBase + 2, 42));
  append({load(40, 2), load(42, 3, 8)});
  append(address(kFirstBase + 4, 46));
  append({simple("s_waitcnt"), add(4, 2, 3), ending(store(46, 4, 4)), simple("s_endpgm")});
  return ops;
}
/// The same with scalar bases and offsets of 32 bits.
std::vector<Op> addition_by_offsets() {
  return {alu("v_lshlrev_b32", 24, {constant(2), vector(kIndex)}),
          move("global_load_dword", 24, 2, 0, kFirstBase),
          move("global_load_dword", 24, 3, 8, kFirstBase + 2),
          simple("s_waitcnt"),
          add(4, 2, 3),
          ending(move("global_store_dword", 24, 4, 4, kFirstBase + 4)),
          simple("s_endpgm")};
}

/// Lane 0 has index `first`, which its arrays' addresses make up for, and each further one more,
/// as wide as `extend` makes it.
void put_indices(Machine& machine, std::uint64_t first, std::uint64_t of_first,
                 unsigned shift = 2) {
  for (unsigned l = 0; l < 64; ++l) machine.set_address(kIndex, l, first + l);
  machine.wave.sgpr[kSum] = 0;
  for (unsigned i = 0; i < 3; ++i) {
    const std::uint64_t array = machine.address(kBase + std::uint64_t{kLimit} * i);
    machine.wave.set_scalar64(kFirstBase + 2 * i, array - (of_first << shift));
  }
}

/// How many values the code of a last run computes.
std::size_t computed_values(const std::vector<Op>& ops) {
  jit::OpTable table(ops);
  jit::Run run = jit::find_last_run(table, 0, {});
  std::vector<std::size_t> slots(ops.size());
  std::iota(slots.begin(), slots.end(), std::size_t{0});
  const FactsOf nothing_more;
  jit::Liveness liveness(table, slots, {}, nothing_more);
  jit::find_dead(liveness, run);
  jit::Sketch sketch;
  jit::MoveSketch drawing(run);
  EXPECT_TRUE(drawing.draw(sketch));
  const jit::Plan plan =
      jit::make_plan(sketch, run.dead_registers, run.dead_masks, {{drawing.stored()}}, true);
  return static_cast<std::size_t>(
      std::count_if(plan.order.begin(), plan.order.end(),
                    [&](jit::Id id) { return sketch.graph()[id].kind != jit::Kind::kEffect; }));
}

TEST_F(JitLastRun, FollowsAddressesAsCompilersMakeThem) {
  const std::vector<std::vector<Op>> programs{
      addition(signed_index(), by_carry),
      addition(signed_index(), by_wide_sum),
      addition(unsigned_index(), by_carry),
      addition(wide_index(), by_carry),
      addition(summed_index(), by_wide_sum),
      addition(unshifted_index(), by_shift_and_sum),
      addition_by_offsets(),
  };
  for (std::size_t i = 0; i < programs.size(); ++i) {
    SCOPED_TRACE(i);
    const auto guard =
        expect_same(programs[i], [](Machine& machine) { put_indices(machine, 5, 5); }, kOnlyMemory);
    ASSERT_TRUE(guard);
    EXPECT_EQ(guard->misses, 0u);
    EXPECT_EQ(computed_values(programs[i]), 3u) << "loads and sum need none of the others";
  }
}

TEST_F(JitLastRun, MovesWhatTheHandlersMoveForIndicesInAnyOrder) {
  for (const auto& program : {addition(signed_index(), by_carry), addition_by_offsets(),
                              addition(wide_index(), by_wide_sum)}) {
    for (const unsigned odd : {1u, 15u, 16u, 41u, 63u}) {
      const auto guard = expect_same(
          program,
          [&](Machine& machine) {
            put_indices(machine, 5, 5);
            std::swap(machine.lane(kIndex, odd), machine.lane(kIndex, odd - 1));
          },
          kOnlyMemory);
      ASSERT_TRUE(guard);
    }
  }
}

/// Where the wave ends that the handlers run, and the compiled one: the lane of its memory fault.
void expect_same_fault(const std::vector<Op>& program, std::uint64_t first, std::uint64_t of_first,
                       unsigned lane) {
  const CompiledOps none{with_stop(program), nullptr}, code = compile(program);
  for (const CompiledOps* const form : {&none, &code}) {
    Machine machine;
    put_indices(machine, first, of_first);
    EXPECT_FALSE(runs(machine, *form));
    EXPECT_EQ(machine.wave.fault.lane, lane) << (form == &none ? "handlers" : "compiled");
  }
}

TEST_F(JitLastRun, LeavesIndicesThatWrapToTheHandlers) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::int32_t>::max();
  for (const unsigned lane : {1u, 15u, 16u, 40u, 63u}) {
    SCOPED_TRACE(lane);
    const std::uint64_t before = lane - 1;
    expect_same_fault(addition(signed_index(), by_carry), kMost - before, kMost - before, lane);
    expect_same_fault(addition(unsigned_index(), by_carry), 0xffffffffu - before,
                      0xffffffffu - before, lane);
    expect_same_fault(addition_by_offsets(), 0x3fffffffu - before, 0x3fffffffu - before, lane);
  }
}

TEST_F(JitLastRun, ServesIndicesThatDoNotWrapJustYet) {
  const auto misses = [](const std::vector<Op>& program, std::uint64_t first,
                         std::uint64_t of_first) {
    const auto guard = expect_same(
        program, [&](Machine& machine) { put_indices(machine, first, of_first); }, kOnlyMemory);
    return guard ? static_cast<int>(guard->misses) : -1;
  };
  EXPECT_EQ(misses(addition(signed_index(), by_carry), 0x7fffffffu - 63, 0x7fffffffu - 63), 0);
  EXPECT_EQ(misses(addition(signed_index(), by_carry), 0xffffffffu - 7, ~std::uint64_t{0} - 7), 0)
      << "from below zero";
  EXPECT_EQ(misses(addition(unsigned_index(), by_carry), 0xffffffffu - 63, 0xffffffffu - 63), 0);
  EXPECT_EQ(misses(addition_by_offsets(), 0x3fffffffu - 63, 0x3fffffffu - 63), 0);
}

TEST_F(JitLastRun, FollowsNoSumOfOtherHalves) {
  // The upper half takes the carry of another sum.
  std::vector<Op> ops = signed_index();
  for (const Op& op : {alu("v_mov_b32", 41, {scalar(kFirstBase + 1)}),
                       alu("v_add_co_u32", 40, {scalar(kFirstBase), vector(24)}),
                       alu("v_add_co_u32", 50, {scalar(kFirstBase), vector(25)}),
                       alu("v_addc_co_u32", 41, {vector(41), vector(25), scalar(kVcc)}),
                       load(40, 2), simple("s_waitcnt"), ending(store(kC, 2))}) {
    ops.push_back(op);
  }
  jit::OpTable table(ops);
  const jit::Run run = jit::find_last_run(table, 0, {});
  ASSERT_FALSE(run.ops.empty());
  jit::Sketch sketch;
  jit::MoveSketch drawing(run);
  ASSERT_TRUE(drawing.draw(sketch));
  EXPECT_FALSE(drawing.line(run.ops.size() - 2));
  EXPECT_TRUE(drawing.line(run.ops.size() - 1)) << "registers that the run does not write";
}

TEST_F(JitLastRun, FollowsNoSumOfHalves) {
  const std::vector<Op> ops{alu("v_pk_add_u16", 40, {scalar(kFirstBase), vector(kIndex)}),
                            alu("v_mov_b32", 41, {constant(0)}), load(40, 2), simple("s_waitcnt"),
                            ending(store(kC, 2))};
  jit::OpTable table(ops);
  const jit::Run run = jit::find_last_run(table, 0, {});
  ASSERT_EQ(run.ops.size(), 4u);
  jit::Sketch sketch;
  jit::MoveSketch drawing(run);
  ASSERT_TRUE(drawing.draw(sketch));
  EXPECT_FALSE(drawing.line(2)) << "no carry leaves the lower half";
}

}  // namespace
}  // namespace wavetank::execute::testing
