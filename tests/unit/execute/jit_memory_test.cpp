// Compiled runs with loads and stores: they leave the registers and the memory that the handlers
// leave, whatever the lanes' addresses are.
#include <gtest/gtest.h>

#include <bit>
#include <functional>
#include <numeric>
#include <optional>
#include <vector>

#include "execute/jit/block.hpp"
#include "execute/jit/run.hpp"
#include "memory_machine.hpp"

namespace wavetank::execute::testing {
namespace {

using machine::AccessGuard;

constexpr unsigned kA = 10, kB = 12, kC = 14;  // register pairs with addresses
constexpr std::uint32_t kBase = 4096, kLimit = 2048;

const isa::Row& row_named(std::string_view name) {
  return *isa::find_row(name, isa::Targets::kGfx942);
}

Op move(std::string_view name, unsigned address, unsigned data, std::int32_t offset = 0,
        std::uint8_t scalar_base = 0x7f) {
  Op op;
  const isa::Row& row = row_named(name);
  op.row = row.id;
  op.run = handlers()[row.id].uniform0;
  op.memory = operands();
  op.memory.segment = isa::Format::kGlobal;
  op.memory.address = static_cast<std::uint16_t>(address);
  op.memory.offset = offset;
  op.memory.scalar_base = scalar_base;
  (row.memory.result_dwords != 0 ? op.memory.result : op.memory.data) =
      static_cast<std::uint16_t>(data);
  return op;
}
Op load(unsigned address, unsigned to, std::int32_t offset = 0) {
  return move("global_load_dword", address, to, offset);
}
Op store(unsigned address, unsigned from, std::int32_t offset = 0) {
  return move("global_store_dword", address, from, offset);
}
Op add(unsigned dst, unsigned a, unsigned b, const char* name = "v_add_f32") {
  Op op;
  const isa::Row& row = row_named(name);
  op.row = row.id;
  op.run = handlers()[row.id].plain;
  op.op_sel_hi = 7;
  op.dst = 256 * dst;
  op.src[0] = 256 * a;
  op.src[1] = 256 * b;
  return op;
}
Op simple(const char* name) {
  Op op;
  op.row = row_named(name).id;
  op.run = handlers()[op.row].plain;
  return op;
}

void set_addresses(Machine& machine, unsigned reg, Pattern pattern, std::uint64_t from) {
  const auto lanes = offsets(pattern, 4, kLimit);
  for (unsigned l = 0; l < 64; ++l) machine.set_address(reg, l, machine.address(from + lanes[l]));
}

/// Runs until the wave stops or the ops end.
void run(Machine& machine, const std::vector<Op>& ops) {
  const Op* op = ops.data();
  while (op != nullptr && op < ops.data() + ops.size()) op = op->run(machine.wave, op);
}

/// The ops as a program runs them, and what keeps their code.
struct Compiled {
  std::vector<Op> ops;
  std::unique_ptr<jit::Blocks> blocks;
};
Compiled compile(std::vector<Op> ops) {
  std::vector<std::size_t> slots(ops.size());
  std::iota(slots.begin(), slots.end(), std::size_t{0});
  auto blocks = jit::Blocks::compile(ops, slots, {});
  return {std::move(ops), std::move(blocks)};
}

class JitMemory : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!jit::available()) GTEST_SKIP() << "this host runs no compiled blocks";
  }

  /// Runs ops by their handlers and as compiled, from what `prepare` sets up. Gives what the code
  /// that loads and stores has noted; nothing if it was not tried.
  static std::optional<AccessGuard> expect_same(const std::vector<Op>& ops,
                                                const std::function<void(Machine&)>& prepare,
                                                bool with_registers = true) {
    const Compiled code = compile(ops);
    Machine machine;
    prepare(machine);
    run(machine, ops);
    const std::vector<std::byte> memory(machine.arena(), machine.arena() + kArenaBytes);
    const std::uint32_t* const file = machine.wave.vgpr;
    const std::vector<std::uint32_t> registers(file, file + std::size_t{64} * kRegisters);
    machine.fill();
    prepare(machine);
    run(machine, code.ops);
    EXPECT_TRUE(std::equal(memory.begin(), memory.end(), machine.arena())) << "memory differs";
    EXPECT_TRUE(!with_registers || std::equal(registers.begin(), registers.end(), file))
        << "registers differ";
    if (machine.wave.guard == nullptr) return std::nullopt;
    return *machine.wave.guard;
  }
};

void three_arrays(Machine& machine, Pattern pattern) {
  set_addresses(machine, kA, pattern, kBase);
  set_addresses(machine, kB, pattern, kBase + kLimit);
  set_addresses(machine, kC, pattern, kBase + 2 * kLimit);
  for (std::uint64_t at = kBase; at < kBase + 2 * kLimit; at += 4) {
    machine.put(at, 0.5f * static_cast<float>(at));
  }
}

const std::vector<Op>& vector_addition() {
  static const std::vector<Op> ops{load(kA, 2), load(kB, 3, -8), simple("s_waitcnt"), add(4, 2, 3),
                                   store(kC, 4, 16)};
  return ops;
}

TEST_F(JitMemory, MovesWhatTheHandlersMoveForAnyAddressesAndExec) {
  for (const Pattern pattern : kPatterns) {
    for (const std::uint64_t exec : exec_patterns()) {
      SCOPED_TRACE(::testing::Message()
                   << static_cast<int>(pattern) << " exec " << std::hex << exec);
      expect_same(vector_addition(), [&](Machine& machine) {
        three_arrays(machine, pattern);
        machine.wave.set_exec(exec);
      });
    }
  }
}

TEST_F(JitMemory, ServesLanesSideBySideAndCountsOthersAsMisses) {
  const auto misses = [](Pattern pattern) {
    const auto guard =
        expect_same(vector_addition(), [&](Machine& machine) { three_arrays(machine, pattern); });
    return guard ? static_cast<int>(guard->misses) : -1;
  };
  EXPECT_EQ(misses(Pattern::kContiguous), 0);
  EXPECT_EQ(misses(Pattern::kMisaligned), 0);
  EXPECT_GE(misses(Pattern::kReversed), AccessGuard::kMissCost);
  EXPECT_GE(misses(Pattern::kOneOff), AccessGuard::kMissCost) << "lane 41 in the third strip";
}

TEST_F(JitMemory, IsNotTriedWithInactiveLanes) {
  EXPECT_FALSE(expect_same(vector_addition(), [](Machine& machine) {
    three_arrays(machine, Pattern::kContiguous);
    machine.wave.set_exec(~std::uint64_t{0} >> 1);
  }));
}

TEST_F(JitMemory, ServesStripsOnDifferentRows) {
  const auto guard = expect_same(vector_addition(), [](Machine& machine) {
    three_arrays(machine, Pattern::kContiguous);
    for (unsigned l = 0; l < 64; ++l) {
      machine.set_address(kA, l, machine.address(kBase + 4 * (l % 16) + 256 * (l / 16)));
    }
  });
  ASSERT_TRUE(guard);
  EXPECT_EQ(guard->misses, 0u);
}

TEST_F(JitMemory, AddsAScalarBaseAndAnOffset) {
  const std::vector<Op> ops{add(8, 8, 9, "v_add_u32"), move("global_load_dword", 8, 2, 12, 20)};
  const auto guard = expect_same(ops, [](Machine& machine) {
    machine.wave.set_scalar64(20, machine.address(kBase));
    for (unsigned l = 0; l < 64; ++l) machine.lane(8, l) = 4 * l, machine.lane(9, l) = 128;
  });
  ASSERT_TRUE(guard);
  EXPECT_EQ(guard->misses, 0u);
}

/// Runs one op as compiled; false if it left by a memory fault.
bool runs(Machine& machine, const Compiled& code) {
  std::jmp_buf exit;
  machine.wave.fault_exit = &exit;
  if (setjmp(exit) != 0) return false;
  run(machine, code.ops);
  return true;
}

TEST_F(JitMemory, LeavesLowWordsThatWrapToTheHandlers) {
  const Compiled code = compile({move("global_load_dword", 8, 2, 0, 20)});
  Machine machine;
  // Lane 3 lies 4 GiB before where lane 2 ends.
  machine.wave.set_scalar64(20, machine.address(kBase) - 0xfffffff4u);
  for (unsigned l = 0; l < 64; ++l) machine.lane(8, l) = 0xfffffff4u + 4 * l;
  EXPECT_FALSE(runs(machine, code));
  EXPECT_EQ(machine.wave.fault.lane, 3u);
}

TEST_F(JitMemory, TouchesTheLastStripOfTheArenaAndNothingBehindIt) {
  for (const std::uint32_t beyond : {0u, 4u}) {
    const Compiled code = compile({store(kA, 4)});
    Machine machine;
    machine.environment.arena_size_bytes = kBase + 256;
    for (unsigned l = 0; l < 64; ++l) {
      machine.set_address(kA, l, machine.address(kBase + 4 * l + beyond));
    }
    EXPECT_EQ(runs(machine, code), beyond == 0);
    EXPECT_EQ(machine.wave.guard->misses, beyond != 0 ? AccessGuard::kMissCost : 0u);
    if (beyond != 0) EXPECT_EQ(machine.wave.fault.lane, 63u);
  }
}

TEST_F(JitMemory, FinishesByHandlersFromTheStripWithANan) {
  const std::vector<Op> ops{add(4, 2, 3), store(kC, 4)};
  const auto guard = expect_same(ops, [](Machine& machine) {
    three_arrays(machine, Pattern::kContiguous);
    for (unsigned l = 0; l < 64; ++l) {
      machine.lane(2, l) = std::bit_cast<std::uint32_t>(static_cast<float>(l));
      machine.lane(3, l) = l == 37 ? 0x7f800001u : std::bit_cast<std::uint32_t>(1.0f);
    }
  });
  ASSERT_TRUE(guard);
  EXPECT_EQ(guard->misses, AccessGuard::kMissCost);
}

TEST_F(JitMemory, IsNotTriedAnyMoreAfterManyMisses) {
  const Compiled code = compile(vector_addition());
  Machine machine;
  const auto once = [&](Pattern pattern) {
    three_arrays(machine, pattern);
    machine.wave.guard = nullptr;
    run(machine, code.ops);
    return machine.wave.guard != nullptr;
  };
  unsigned tries = 0;
  while (tries < 10000 && once(Pattern::kReversed)) ++tries;
  EXPECT_EQ(tries, AccessGuard::kMostMisses / (AccessGuard::kMissCost - 1u));
  EXPECT_FALSE(once(Pattern::kContiguous));
}

TEST_F(JitMemory, TakesItselfOutWhereLanesAreMostlyInactive) {
  for (const unsigned rounds_of_all : {8u, 9u}) {
    const Compiled code = compile({load(kA, 2)});
    Machine machine;
    three_arrays(machine, Pattern::kContiguous);
    for (unsigned round = 0; round < 20000; ++round) {
      const bool all = round % (rounds_of_all + 1) != 0;
      machine.wave.set_exec(all ? ~std::uint64_t{0} : 1);
      run(machine, code.ops);
    }
    EXPECT_EQ(code.ops[0].run == load(kA, 2).run, rounds_of_all == 8);
  }
}

TEST_F(JitMemory, ForgivesAMissForEachWaveThatItServes) {
  const Compiled code = compile({load(kA, 2)});
  Machine machine;
  three_arrays(machine, Pattern::kReversed);
  run(machine, code.ops);
  EXPECT_EQ(machine.wave.guard->misses, AccessGuard::kMissCost);
  three_arrays(machine, Pattern::kContiguous);
  for (unsigned i = 0; i < AccessGuard::kMissCost; ++i) run(machine, code.ops);
  EXPECT_EQ(machine.wave.guard->misses, 0u);
}

TEST_F(JitMemory, AChainBeginsWhereARunEnds) {
  const Compiled code =
      compile({load(kA, 2), add(5, 6, 7), simple("s_waitcnt"), add(4, 2, 3), add(8, 4, 4)});
  EXPECT_NE(code.ops[3].run, add(4, 2, 3).run) << "only a handler";
}

TEST_F(JitMemory, OneOpBeforeALoadIsCompiledForWavesThatTheRunDoesNotServe) {
  const Compiled code = compile({add(8, 8, 9, "v_add_u32"), load(kA, 2)});
  EXPECT_EQ(code.blocks->count(), 2u);
}

/// How many ops the memory run at the first of `ops` has.
std::size_t run_length(const std::vector<Op>& ops) {
  return jit::find_memory_run(ops, 0, {}).ops.size();
}

TEST_F(JitMemory, ARunLoadsNothingAfterAWaitForALoad) {
  EXPECT_EQ(run_length({load(kA, 2), load(kB, 3)}), 2u);
  EXPECT_EQ(run_length({load(kA, 2), simple("s_waitcnt"), load(kB, 3)}), 1u);
}

TEST_F(JitMemory, ARunStoresOnceAndAtItsEnd) {
  EXPECT_EQ(run_length({add(4, 2, 3), store(kC, 4), store(kA, 4)}), 2u);
  EXPECT_EQ(run_length({load(kA, 2), store(kC, 4)}), 1u);
}

TEST_F(JitMemory, VolatileAndAtomicAccessesAreInNoRun) {
  Op coherent = load(kA, 2);
  coherent.memory.glc = true;
  EXPECT_EQ(run_length({coherent}), 0u);
  Op system = load(kA, 2);
  system.memory.scc = true;
  EXPECT_EQ(run_length({system}), 0u);
}

/// Sums of two arrays, and the wave's end: its registers are nobody's any more.
std::vector<Op> last_addition(unsigned to = kC, std::int32_t offset = 0) {
  Op last = store(to, 4, offset);
  last.memory.ends_wave = true;
  return {load(kA, 2), load(kB, 3), simple("s_waitcnt"), add(4, 2, 3), last, simple("s_endpgm")};
}
constexpr bool kOnlyMemory = false;

TEST_F(JitMemory, ALastRunMovesWhatTheHandlersMoveForAnyAddressesAndExec) {
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

TEST_F(JitMemory, ALastRunLoadsInAllLanesBeforeItStoresInAny) {
  for (const std::int32_t ahead : {0, 4, 64, 128}) {
    const auto guard = expect_same(
        last_addition(kA, ahead),
        [](Machine& machine) { three_arrays(machine, Pattern::kContiguous); }, kOnlyMemory);
    ASSERT_TRUE(guard);
    EXPECT_EQ(guard->misses, 0u) << "stores " << ahead << " bytes ahead of its loads";
  }
}

TEST_F(JitMemory, ALastRunThatMeetsANanHasStoredNothing) {
  for (const unsigned lane : {0u, 37u, 63u}) {
    const auto guard = expect_same(
        last_addition(kA),
        [&](Machine& machine) {
          three_arrays(machine, Pattern::kContiguous);
          machine.put(kBase + offsets(Pattern::kContiguous, 4, kLimit)[lane], 0x7f800001u);
        },
        kOnlyMemory);
    ASSERT_TRUE(guard);
    EXPECT_GE(guard->misses, AccessGuard::kMissCost) << lane;
  }
}

TEST_F(JitMemory, ALastRunLeavesStoresBehindTheArenaToTheHandlers) {
  const Compiled code = compile(last_addition());
  Machine machine;
  three_arrays(machine, Pattern::kContiguous);
  machine.environment.arena_size_bytes =
      kBase + 2 * kLimit + offsets(Pattern::kContiguous, 4, kLimit)[63];
  EXPECT_FALSE(runs(machine, code));
  EXPECT_EQ(machine.wave.fault.lane, 63u);
  EXPECT_TRUE(machine.wave.fault.write);
}

TEST_F(JitMemory, ALastRunEndsWithTheStoreThatEndsTheWave) {
  const auto length = [](const std::vector<Op>& ops) {
    return jit::find_last_run(ops, 0, {}).ops.size();
  };
  const std::vector<Op> ops = last_addition();
  EXPECT_EQ(length(ops), 4u);
  EXPECT_EQ(length(vector_addition()), 0u) << "more may follow the store";
  EXPECT_EQ(compile(ops).blocks->count(), compile(vector_addition()).blocks->count() + 1);
  EXPECT_EQ(length({ops[3], ops[4], ops[5]}), 0u) << "nothing is loaded";
  EXPECT_EQ(length({ops[0], ops[2], ops[1], ops[3], ops[4], ops[5]}), 0u)
      << "a load after a wait for another";
}

constexpr unsigned kLdsAddress = 16;

Op lds(std::string_view name, unsigned reg, std::int32_t offset) {
  Op op;
  const isa::Row& row = row_named(name);
  op.row = row.id;
  op.run = handlers()[row.id].plain;
  op.memory = operands();
  op.memory.address = kLdsAddress;
  op.memory.offset = offset;
  (row.memory.result_dwords != 0 ? op.memory.result : op.memory.data) =
      static_cast<std::uint16_t>(reg);
  return op;
}

/// LDS ops on lanes that lie as `pattern` says, against the handlers.
std::optional<AccessGuard> expect_same_lds(const std::vector<Op>& ops, Pattern pattern,
                                           std::uint64_t exec, std::uint32_t lds_bytes) {
  const Compiled code = compile(ops);
  Machine by_handlers, compiled;
  for (Machine* const machine : {&by_handlers, &compiled}) {
    const auto lanes = offsets(pattern, 4, kLimit);
    for (unsigned l = 0; l < 64; ++l) {
      machine->lane(kLdsAddress, l) = lanes[l];
      machine->lane(3, l) = 0x3f800000u + l;
    }
    machine->workgroup.lds_bytes = lds_bytes;
    machine->wave.set_exec(exec);
    run(*machine, machine == &compiled ? code.ops : ops);
  }
  const auto* const file = by_handlers.wave.vgpr;
  EXPECT_TRUE(std::equal(file, file + 64 * kRegisters, compiled.wave.vgpr)) << "registers";
  const auto* const memory = by_handlers.workgroup.lds;
  EXPECT_TRUE(std::equal(memory, memory + kLdsBytes, compiled.workgroup.lds)) << "LDS";
  if (compiled.wave.guard == nullptr) return std::nullopt;
  return *compiled.wave.guard;
}

TEST_F(JitMemory, MovesLdsAsTheHandlersDo) {
  const std::vector<Op> reads{lds("ds_read_b32", 2, 40), simple("s_waitcnt"),
                              lds("ds_read2_b32", 4, 3 | 9 << 8), add(6, 3, 2),
                              lds("ds_read2st64_b32", 8, 1 | 2 << 8)};
  const std::vector<Op> writes{add(4, 3, 3), lds("ds_write_b32", 4, 16)};
  EXPECT_EQ(jit::find_memory_run(reads, 0, {}).ops.size(), 4u);
  for (const Pattern pattern : kPatterns) {
    for (const std::uint64_t exec : exec_patterns()) {
      expect_same_lds(reads, pattern, exec, kLdsBytes);
      expect_same_lds(writes, pattern, exec, kLdsBytes);
    }
  }
}

TEST_F(JitMemory, ServesLdsUpToItsEnd) {
  constexpr std::uint32_t kEnd = 64 + 256;  // where the contiguous pattern ends
  for (const auto& [ops, offset] :
       {std::pair{std::vector<Op>{lds("ds_read_b32", 2, 40)}, 40u},
        std::pair{std::vector<Op>{lds("ds_write_b32", 3, 40)}, 40u},
        std::pair{std::vector<Op>{lds("ds_read2_b32", 4, 3 | 9 << 8)}, 36u}}) {
    const auto inside =
        expect_same_lds(ops, Pattern::kContiguous, ~std::uint64_t{0}, kEnd + offset);
    const auto beyond =
        expect_same_lds(ops, Pattern::kContiguous, ~std::uint64_t{0}, kEnd + offset - 4);
    ASSERT_TRUE(inside && beyond);
    EXPECT_EQ(inside->misses, 0u);
    EXPECT_EQ(beyond->misses, AccessGuard::kMissCost);
  }
}

TEST_F(JitMemory, ARunMovesGlobalMemoryOrLds) {
  EXPECT_EQ(run_length({lds("ds_read_b32", 2, 0), load(kA, 3)}), 1u);
  EXPECT_EQ(run_length({load(kA, 3), lds("ds_read_b32", 2, 0)}), 1u);
  EXPECT_EQ(run_length({lds("ds_read_b32", 2, 0), lds("ds_write_b32", 2, 0)}), 1u);
  EXPECT_EQ(run_length({lds("ds_write2_b32", 2, 1 << 8)}), 0u);
}

/// What lane 5 of v2 holds after a load into it that ops follow.
std::uint32_t after_load(const std::vector<Op>& following) {
  std::vector<Op> ops{load(kA, 2)};
  ops.insert(ops.end(), following.begin(), following.end());
  const Compiled code = compile(ops);
  Machine machine;
  three_arrays(machine, Pattern::kContiguous);
  machine.lane(2, 5) = 12345;
  code.ops[0].run(machine.wave, code.ops.data());
  return machine.lane(2, 5);
}

TEST_F(JitMemory, KeepsARegisterUnlessNothingReadsIt) {
  const Op end = simple("s_endpgm");
  EXPECT_EQ(after_load({end}), 12345u);
  EXPECT_NE(after_load({}), 12345u) << "what follows is unknown";
  EXPECT_NE(after_load({store(kC, 2), end}), 12345u);
  EXPECT_NE(after_load({simple("s_waitcnt"), add(4, 2, 3), end}), 12345u);
  EXPECT_EQ(after_load({store(kC, 3), load(kB, 2), store(kA, 2), end}), 12345u) << "overwritten";
  Op exec = simple("s_mov_b64");
  exec.dst = 4 * 126;
  exec.kind[0] = Source::kConstant;
  exec.constant[0] = 1;
  EXPECT_NE(after_load({exec, load(kB, 2), store(kA, 2), end}), 12345u)
      << "overwritten in some lanes";
  EXPECT_NE(after_load({simple("s_cbranch_scc0"), end}), 12345u) << "read, perhaps, elsewhere";
}

}  // namespace
}  // namespace wavetank::execute::testing
