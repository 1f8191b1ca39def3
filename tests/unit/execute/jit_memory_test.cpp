// Compiled runs with loads and stores: they leave the registers and the memory that the handlers
// leave, whatever the lanes' addresses are.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <numeric>
#include <optional>
#include <vector>

#include "execute/jit/blocks.hpp"
#include "execute/jit/run.hpp"
#include "jit_machine.hpp"
#include "jit_sequence.hpp"

namespace wavetank::execute::testing {
namespace {

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

TEST_F(JitMemory, LeavesLowWordsThatWrapToTheHandlers) {
  const CompiledOps code = compile({move("global_load_dword", 8, 2, 0, 20)});
  Machine machine;
  // Lane 3 lies 4 GiB before where lane 2 ends.
  machine.wave.set_scalar64(20, machine.address(kBase) - 0xfffffff4u);
  for (unsigned l = 0; l < 64; ++l) machine.lane(8, l) = 0xfffffff4u + 4 * l;
  EXPECT_FALSE(runs(machine, code));
  EXPECT_EQ(machine.wave.fault.lane, 3u);
}

TEST_F(JitMemory, TouchesTheLastStripOfTheArenaAndNothingBehindIt) {
  for (const std::uint32_t beyond : {0u, 4u}) {
    const CompiledOps code = compile({store(kA, 4)});
    Machine machine;
    machine.environment.arena_size_bytes = kBase + 256;
    for (unsigned l = 0; l < 64; ++l) {
      machine.set_address(kA, l, machine.address(kBase + 4 * l + beyond));
    }
    EXPECT_EQ(runs(machine, code), beyond == 0);
    EXPECT_EQ(machine.wave.guard->misses, beyond != 0 ? 1u : 0u);
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
  EXPECT_EQ(guard->misses, 1u);
}

/// After one miss careful code does, and loads again; a run behind it is still compiled.
TEST_F(JitMemory, FinishesByCarefulCodeFromTheStripWithANan) {
  for (const Pattern pattern : kPatterns) {
    const std::vector<Op> ops{load(kA, 2), load(kB, 3), add(4, 2, 3), store(kC, 4), load(kA, 5, 4)};
    const auto prepare = [&](Machine& machine) {
      three_arrays(machine, pattern);
      machine.put(kBase + offsets(pattern, 4, kLimit)[37], 0x7f800001u);
    };
    expect_same(ops, prepare);
    const CompiledOps code = compile(ops);
    code.blocks->set_patience(0);
    Machine machine;
    prepare(machine);
    for (unsigned trial = 0; trial < 4; ++trial) EXPECT_TRUE(runs(machine, code));
    EXPECT_EQ(code.blocks->misses(), 1u) << static_cast<int>(pattern);
  }
}

TEST_F(JitMemory, LoadsAndStoresAreInChains) {
  EXPECT_EQ(compile(vector_addition()).blocks->count(), 1u);
  EXPECT_EQ(compile({load(kA, 2)}).blocks->count(), 1u) << "one load alone";
}

/// How many ops the run at the first of `ops` has.
std::size_t run_length(const std::vector<Op>& ops) {
  jit::OpTable table(ops);
  return jit::find_run(table, 0, {}, true).ops.size();
}

TEST_F(JitMemory, ARunLoadsNothingAfterAWaitForALoad) {
  EXPECT_EQ(run_length({load(kA, 2), load(kB, 3)}), 2u);
  EXPECT_EQ(run_length({load(kA, 2), simple("s_waitcnt"), load(kB, 3)}), 1u);
}

TEST_F(JitMemory, ARunStoresOnceAndAtItsEnd) {
  EXPECT_EQ(run_length({add(4, 2, 3), store(kC, 4), store(kA, 4)}), 2u);
  EXPECT_EQ(run_length({load(kA, 2), store(kC, 4)}), 1u);
}

/// Is a load with these policy bits in a run: GLC, SLC and SCC, of gfx942 SC0, NT and SC1?
bool runs_with(const isa::Target& target, bool glc, bool slc, bool scc) {
  const std::uint32_t bits = glc << 16 | slc << 17 | scc << 25;
  // global_load_dword v2, v[4:5], off, which the end of the kernel follows
  return run_length({ops_of({0xdc508000u | bits, 0x027f0004u}, target)[0]}) == 1;
}

TEST_F(JitMemory, NontemporalAccessesAreInRunsVolatileAndAtomicOnesAreNot) {
  for (const isa::Target& target : isa::targets()) {
    EXPECT_TRUE(runs_with(target, false, false, false));
    EXPECT_TRUE(runs_with(target, false, true, false));
    EXPECT_FALSE(runs_with(target, true, false, false));
    EXPECT_FALSE(runs_with(target, false, false, true));
    EXPECT_FALSE(runs_with(target, true, false, true));
    EXPECT_FALSE(runs_with(target, true, true, true));
  }
  EXPECT_TRUE(runs_with(isa::kGfx90a, true, true, false)) << "nontemporal";
  EXPECT_FALSE(runs_with(isa::kGfx942, true, true, false)) << "of the workgroup, and nontemporal";
}

constexpr unsigned kLdsAddress = 16;

Op lds(std::string_view name, unsigned reg, std::int32_t offset) {
  Op op;
  const isa::Row& row = row_named(name);
  op.row = row.id;
  op.run = handlers()[row.id].usual;
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
  const CompiledOps code = compile(ops);
  Machine by_handlers, compiled;
  for (Machine* const machine : {&by_handlers, &compiled}) {
    const auto lanes = offsets(pattern, 4, kLimit);
    for (unsigned l = 0; l < 64; ++l) {
      machine->lane(kLdsAddress, l) = lanes[l];
      machine->lane(3, l) = 0x3f800000u + l;
    }
    machine->workgroup.lds_bytes = lds_bytes;
    machine->wave.set_exec(exec);
    run_to_stop(machine->wave, machine == &compiled ? code.ops : with_stop(ops));
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
  EXPECT_EQ(run_length(reads), 4u);
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
    EXPECT_EQ(beyond->misses, 1u);
  }
}

TEST_F(JitMemory, ARunLoadsOfGlobalMemoryAndOfLds) {
  EXPECT_EQ(run_length({lds("ds_read_b32", 2, 0), load(kA, 3)}), 2u);
  EXPECT_EQ(run_length({load(kA, 3), simple("s_waitcnt"), lds("ds_read_b32", 2, 0)}), 2u);
  EXPECT_EQ(run_length({lds("ds_read_b32", 2, 0), lds("ds_write_b32", 2, 0)}), 1u);
  EXPECT_EQ(run_length({lds("ds_write2_b32", 2, 1 << 8)}), 0u);
}

/// Does a run that begins with a load into v2, which ops follow, keep the register?
bool keeps_register(const std::vector<Op>& following) {
  std::vector<Op> ops{load(kA, 2)};
  ops.insert(ops.end(), following.begin(), following.end());
  jit::OpTable table(ops);
  std::vector<std::size_t> slots(ops.size());
  std::iota(slots.begin(), slots.end(), std::size_t{0});
  const FactsOf nothing_more;
  jit::Liveness liveness(table, slots, {}, nothing_more);
  jit::Run run = jit::find_run(table, 0, {}, true);
  jit::find_dead(liveness, run);
  return std::ranges::find(run.dead_registers, 2u) == run.dead_registers.end();
}

TEST_F(JitMemory, KeepsARegisterUnlessNothingReadsItBehindTheRun) {
  const Op end = simple("s_endpgm");
  EXPECT_FALSE(keeps_register({end}));
  EXPECT_TRUE(keeps_register({})) << "what follows is unknown";
  EXPECT_TRUE(keeps_register({store(kC, 2), end}));
  EXPECT_FALSE(keeps_register({simple("s_waitcnt"), add(4, 2, 3), end})) << "read in the run only";
  EXPECT_FALSE(keeps_register({store(kC, 3), load(kB, 2), store(kA, 2), end})) << "overwritten";
  Op exec = simple("s_mov_b64");
  exec.dst = 4 * 126;
  exec.kind[0] = Source::kConstant;
  exec.constant[0] = 1;
  EXPECT_TRUE(keeps_register({exec, load(kB, 2), store(kA, 2), end}))
      << "overwritten in some lanes";
  EXPECT_TRUE(keeps_register({simple("s_cbranch_scc0"), end})) << "read, perhaps, elsewhere";
}

}  // namespace
}  // namespace wavetank::execute::testing
