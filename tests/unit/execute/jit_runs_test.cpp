// What a compiled run may hold, where it ends, and how waves go from one to the next.
#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <vector>

#include "execute/handlers.hpp"
#include "execute/jit/access.hpp"
#include "execute/jit/run.hpp"
#include "jit_ops.hpp"
#include "jit_sequence.hpp"

namespace wavetank::execute::testing {
namespace {

TEST_F(Jit, TakesForwardBranchesAndLeavesThem) {
  OpMaker maker(3);
  for (const char* name : {"s_cbranch_scc0", "s_cbranch_scc1", "s_cbranch_vccz", "s_cbranch_vccnz",
                           "s_cbranch_execz", "s_cbranch_execnz", "s_branch"}) {
    const isa::Row& row = *isa::find_row(name, isa::kGfx90a);
    for (unsigned trial = 0; trial < 40; ++trial) {
      State state;
      maker.fill(state, false);
      state.wave.scc = maker.pick(2);
      if (maker.pick(3) == 0) state.wave.set_exec(0);
      Op branch;
      branch.row = row.id;
      branch.run = handlers()[row.id].usual;
      branch.branch = 2;
      const isa::Row& move = *isa::find_row("v_mov_b32", isa::kGfx90a);
      const isa::Row& add = *isa::find_row("s_mul_i32", isa::kGfx90a);
      EXPECT_GT(expect_same({maker.op(add), maker.op(move), branch, maker.op(move), maker.op(add),
                             maker.op(move), maker.op(add)},
                            state, {5}),
                0u);
    }
  }
}

TEST_F(Jit, GivesWhatIsBehindAStretchOfWhatConcernsTheWaveOnly) {
  OpMaker maker(5);
  Op load;
  load.row = isa::find_row("global_load_dword", isa::kGfx90a)->id;
  load.run = handlers()[load.row].in_segment(isa::Format::kGlobal);
  const Op move = op_named(maker, "v_mov_b32"), add = op_named(maker, "s_mul_i32");
  Op exec = op_named(maker, "s_mov_b64");
  exec.dst = 4 * isa::operand::kExec;
  Op saves = op_named(maker, "s_and_saveexec_b64");
  Op branch;
  branch.row = isa::find_row("s_branch", isa::kGfx90a)->id;
  branch.run = handlers()[branch.row].usual;
  for (const Op& end : {load, exec, saves, branch}) {
    std::vector<Op> ops = with_stop({move, add, end, move, add});
    const std::vector<std::size_t> slots{0, 1, 2, 3, 4};
    const auto blocks = jit::Blocks::compile(ops, slots, {}, {}, Compiled::kStretches);
    ASSERT_NE(blocks, nullptr);
    State state;
    maker.fill(state, false);
    const bool is_in_it = end.row == exec.row || end.row == saves.row;
    EXPECT_EQ(ops[0].run(state.wave, ops.data()) - ops.data(), is_in_it ? 3 : 2)
        << isa::catalogue()[end.row].name;
  }
}

TEST_F(Jit, StaysInLoopsUntilTheTimeSliceIsOver) {
  constexpr unsigned kCount = 4 * 8;  // where s8 is
  Op decrement;
  decrement.row = isa::find_row("s_sub_u32", isa::kGfx90a)->id;
  decrement.run = handlers()[decrement.row].usual;
  decrement.kind[0] = Source::kScalar;
  decrement.kind[1] = Source::kConstant;
  decrement.dst = decrement.src[0] = kCount;
  decrement.constant[1] = 1;
  Op compare = decrement;
  compare.row = isa::find_row("s_cmp_lg_u32", isa::kGfx90a)->id;
  compare.run = handlers()[compare.row].usual;
  compare.constant[1] = 0;
  Op branch;
  branch.row = isa::find_row("s_cbranch_scc1", isa::kGfx90a)->id;
  branch.run = handlers()[branch.row].usual;
  branch.branch = -3;
  for (const bool polls : {false, true}) {
    for (const std::int64_t budget : {0, 1, 9, 10, 2000}) {
      branch.polls = polls;
      const std::vector<Op> ops = with_stop({decrement, compare, branch});
      std::vector<Op> code = ops;
      const std::vector<std::size_t> slots{0, 1, 2}, leaders{0};
      const auto blocks = jit::Blocks::compile(code, slots, leaders, {}, Compiled::kChains);
      ASSERT_NE(blocks, nullptr);
      State by_handlers, compiled;
      for (State* const state : {&by_handlers, &compiled}) {
        state->wave.sgpr[8] = 11;
        state->wave.budget = budget;
        run_to_stop(state->wave, state == &compiled ? code : ops);
      }
      SCOPED_TRACE(::testing::Message() << polls << " budget " << budget);
      EXPECT_EQ(difference(by_handlers, compiled), "");
      EXPECT_EQ(by_handlers.wave.budget, compiled.wave.budget);
      EXPECT_EQ(by_handlers.wave.stop, compiled.wave.stop);
      EXPECT_EQ(by_handlers.wave.sgpr[8] != 0, budget < 10 || (polls && budget < 2000));
    }
  }
}

TEST_F(Jit, LoadsScalarsUpToTheEndOfTheArena) {
  alignas(64) std::uint32_t arena[32];
  for (unsigned i = 0; i < 32; ++i) arena[i] = 1000 + i;
  machine::Environment environment;
  environment.arena_begin = reinterpret_cast<std::uint64_t>(arena);
  environment.arena_size_bytes = sizeof arena;
  OpMaker maker(4);
  for (const unsigned dwords : {1u, 2u, 4u, 8u, 16u}) {
    const std::string suffix = dwords == 1 ? "" : "x" + std::to_string(dwords);
    const isa::Row& row = *isa::find_row("s_load_dword" + suffix, isa::kGfx90a);
    for (const std::uint64_t bytes_before_end : {4u * dwords, 4u * dwords + 4, 128u}) {
      State state;
      maker.fill(state, false);
      state.wave.environment = &environment;
      state.wave.set_scalar64(4, environment.arena_begin + sizeof arena - bytes_before_end - 8);
      Op load;
      load.row = row.id;
      load.run = handlers()[row.id].usual;
      load.dst = 4 * 16;
      load.memory = {};
      load.memory.offset = 8;
      load.memory.scalar_base = 4;
      load.memory.scalar_offset = 0x80;
      const isa::Row& add = *isa::find_row("s_add_u32", isa::kGfx90a);
      expect_same({load, maker.op(add)}, state);
    }
  }
}

/// v3 = s30 + v0 and v3 = s16 + v3, with a load of s[16:17] from s[4:5], and s40 = s41 * s42.
class JitScalarLoad : public Jit {
 protected:
  JitScalarLoad() {
    for (Op* const add : {&value, &sum}) {
      add->kind[0] = Source::kScalar;
      add->kind[1] = Source::kVector;
      add->dst = 256 * 3;
    }
    value.src[0] = 4 * 30;
    value.src[1] = 0;
    sum.src[0] = 4 * 16;
    sum.src[1] = 256 * 3;
    load.run = handlers()[load.row].usual;
    load.dst = 4 * 16;
    load.memory = {};
    load.memory.scalar_base = 4;
    load.memory.scalar_offset = 0x80;
    computes.dst = 4 * 40;
  }
  static std::size_t length(const std::vector<Op>& ops, bool loads_early = true) {
    jit::OpTable table(ops);
    return jit::find_run(table, 0, {}, true, loads_early).ops.size();
  }

  OpMaker maker{6};
  Op value = op_named(maker, "v_add_u32"), sum = op_named(maker, "v_add_u32");
  Op load = op_named(maker, "s_load_dwordx2"), computes = op_named(maker, "s_mul_i32");
};

TEST_F(JitScalarLoad, IsExecutedBeforeARun) {
  EXPECT_EQ(length({value, load, sum}), 2u);
  EXPECT_EQ(length({value, load, load, computes, sum}), 2u);
  EXPECT_EQ(length({value, load, sum}, false), 1u);
}

TEST_F(JitScalarLoad, EndsARunThatCouldNotBeginAgain) {
  Op of_base = load, to_value = load;
  of_base.dst = 4 * 4;
  to_value.dst = 4 * 30;
  EXPECT_EQ(length({value, of_base, sum}), 1u) << "its base would be another";
  EXPECT_EQ(length({value, to_value, sum}), 1u) << "what the run has read";
  EXPECT_EQ(length({value, computes, load, sum}), 1u) << "it would be computed twice";
}

/// More live masks than a run may have: it is cut, once to before the load, whose code is taken
/// back.
TEST_F(JitScalarLoad, LeavesNothingWhereItsRunIsCutBeforeIt) {
  std::vector<Op> ops;
  const auto compare = [&](unsigned sgpr) {
    ops.push_back(op_named(maker, "v_cmp_lt_u32"));
    ops.back().kind[0] = ops.back().kind[1] = Source::kVector;
    ops.back().src[0] = 0;
    ops.back().src[1] = 256;
    ops.back().sdst = static_cast<std::uint8_t>(sgpr);
  };
  for (const unsigned sgpr : {30, 32, 34, 36}) compare(sgpr);
  ops.push_back(load);
  compare(38);
  for (unsigned i = 0; i < 8; ++i) ops.push_back(sum);
  ASSERT_EQ(length(ops), ops.size() - 1);
  alignas(64) static const std::uint32_t words[16] = {0x3f800000, 0x40000000};
  machine::Environment environment;
  environment.arena_begin = reinterpret_cast<std::uint64_t>(words);
  environment.arena_size_bytes = sizeof words;
  for (unsigned trial = 0; trial < 4; ++trial) {
    State state;
    maker.fill(state, false);
    state.wave.environment = &environment;
    state.wave.set_scalar64(4, environment.arena_begin);
    EXPECT_GT(expect_same(ops, state), 0u);
  }
}

/// The program's own memory, beyond the arena, is the handler's.
TEST_F(JitScalarLoad, BeginsTheRunAgainWhereItIsLeftToItsHandler) {
  alignas(4096) static std::uint32_t words[1024];
  for (unsigned i = 0; i < 1024; ++i) words[i] = 0x3f800000u + i;
  const auto memory = *machine::DeviceMemory::reserve(std::uint64_t{1} << 30);
  ASSERT_TRUE(memory->register_host(words, sizeof words));
  machine::Environment environment;
  environment.memory = memory.get();
  environment.arena_begin = reinterpret_cast<std::uint64_t>(words);
  environment.arena_size_bytes = 64;
  for (const std::uint64_t offset : {0u, 56u, 60u, 64u, 4088u}) {
    State state;
    maker.fill(state, false);
    state.wave.environment = &environment;
    state.wave.set_scalar64(4, environment.arena_begin + offset);
    EXPECT_GT(expect_same({value, load, sum, computes, value}, state), 0u);
    expect_same({value, load, load, computes, sum}, state);
  }
}

TEST_F(Jit, CutsARunWhereAnSgprIsBothAValueAndALaneMask) {
  OpMaker maker(2);
  State state;
  maker.fill(state, false);
  Op compare = maker.op(*isa::find_row("v_cmp_lt_u32", isa::kGfx90a));
  compare.sdst = 20;
  Op move = maker.op(*isa::find_row("v_mov_b32", isa::kGfx90a));
  move.kind[0] = Source::kScalar;
  move.src[0] = 4 * 21;
  expect_same({compare, move, move}, state);
  expect_same({move, move, compare, move, move}, state);
}

TEST_F(Jit, FinishesFromANanWhereAnSgprIsAValueBeforeItIsALaneMask) {
  const auto op_of = [](const char* name, unsigned dst, unsigned source0, unsigned source1) {
    Op op;
    op.row = isa::find_row(name, isa::kGfx90a)->id;
    op.run = handlers()[op.row].usual;
    op.op_sel_hi = 7;
    op.dst = 256 * dst;
    op.kind[0] = op.kind[1] = Source::kVector;
    op.src[0] = 256 * source0;
    op.src[1] = 256 * source1;
    return op;
  };
  Op value = op_of("v_add_u32", 3, 0, 1);
  value.kind[0] = Source::kScalar;
  value.src[0] = 4 * 20;
  Op compare = op_of("v_cmp_lt_f32", 0, 1, 2);
  compare.sdst = 20;
  const Op product = op_of("v_mul_f32", 4, 1, 2);  // leaves NaNs to the handlers
  const std::uint32_t signaling = 0x7f800001;
  for (const unsigned lane : {0u, 15u, 16u, 40u, 63u}) {
    for (const std::uint64_t exec : {~std::uint64_t{0}, ~std::uint64_t{0xf0f0}}) {
      State state;
      OpMaker(lane).fill(state, false);
      state.wave.set_exec(exec | std::uint64_t{1} << lane);
      state.vgpr[64 + lane] = signaling;
      EXPECT_EQ(expect_same({value, compare, product, value}, state), 1u);
      EXPECT_EQ(expect_same({value, product, compare}, state), 1u);
    }
  }
}

/// A scalar op of SGPRs, and how long the run of VALU ops around it is.
class JitEarly : public Jit {
 protected:
  static Op scalar(const char* name, unsigned dst, unsigned source) {
    Op op;
    op.row = isa::find_row(name, isa::kGfx90a)->id;
    op.run = handlers()[op.row].usual;
    op.dst = 4 * dst;
    op.kind[0] = op.kind[1] = Source::kScalar;
    op.src[0] = op.src[1] = 4 * source;
    return op;
  }
  /// v5 = s20 + v0, s[22:23] = v0 < v1, the scalar op, and v5 = s20 + v0 again; or another
  /// 32-bit value of the wave instead of s20.
  static std::size_t length_around(const Op& op, std::size_t offset = 4 * 20) {
    OpMaker maker(4);
    Op value = maker.op(*isa::find_row("v_add_u32", isa::kGfx90a));
    value.kind[0] = Source::kScalar;
    value.src[0] = static_cast<std::uint32_t>(offset);
    Op compare = maker.op(*isa::find_row("v_cmp_lt_u32", isa::kGfx90a));
    compare.kind[0] = compare.kind[1] = Source::kVector;
    compare.src[0] = 0;
    compare.src[1] = 256;
    compare.sdst = 22;
    const std::vector<Op> ops{value, compare, op, value};
    State state;
    maker.fill(state, false);
    expect_same(ops, state);
    jit::OpTable table(ops);
    return jit::find_run(table, 0, {}, true).ops.size();
  }
};

TEST_F(JitEarly, ScalarOpsGoBeforeARunThatHasNothingToDoWithThem) {
  EXPECT_EQ(length_around(scalar("s_mul_i32", 30, 31)), 3u);
  EXPECT_EQ(length_around(scalar("s_mul_i32", 30, 20)), 3u) << "reads what the run reads";
  EXPECT_EQ(length_around(scalar("s_cmp_eq_u32", 0, 31)), 3u) << "SCC";
  EXPECT_EQ(length_around(scalar("s_mov_b64", 30, 126)), 3u) << "reads EXEC";
}

TEST_F(JitEarly, ScalarOpsOnItsLaneMasksAreOfTheRun) {
  EXPECT_EQ(length_around(scalar("s_mov_b64", 30, 22)), 4u) << "reads what it writes";
  EXPECT_EQ(length_around(scalar("s_mov_b64", 22, 30)), 4u) << "writes what it writes";
  EXPECT_EQ(length_around(scalar("s_and_b64", 30, 22)), 4u);
  EXPECT_EQ(length_around(scalar("s_lshl_b64", 30, 22)), 2u) << "moves bits";
  EXPECT_EQ(length_around(scalar("s_mov_b64", 20, 22)), 3u) << "what the last op asks for";
}

TEST_F(JitEarly, OthersEndIt) {
  EXPECT_EQ(length_around(scalar("s_mul_i32", 20, 31)), 2u) << "writes what the run reads";
  EXPECT_EQ(length_around(scalar("s_mov_b64", 20, 30)), 2u);
  EXPECT_EQ(length_around(scalar("s_mul_i32", 22, 31)), 2u) << "writes what it writes";
  EXPECT_EQ(length_around(scalar("s_mul_i32", 23, 31)), 2u) << "... or half of it";
  EXPECT_EQ(length_around(scalar("s_mul_i32", 30, 23)), 2u) << "reads what it writes";
  EXPECT_EQ(length_around(scalar("s_mov_b64", 126, 30)), 2u) << "writes EXEC";
  EXPECT_EQ(length_around(scalar("s_mov_b32", 124, 30)), 2u) << "writes M0";
  EXPECT_EQ(length_around(scalar("s_and_saveexec_b64", 30, 32)), 2u);
  EXPECT_EQ(length_around(scalar("s_cmp_eq_u32", 0, 31), offsetof(machine::Wave, scc)), 2u)
      << "SCC";
}

}  // namespace
}  // namespace wavetank::execute::testing
