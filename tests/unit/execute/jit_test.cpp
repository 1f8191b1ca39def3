// Compiled blocks: on every row that they may contain, and on random runs, they leave the registers
// that the handlers leave.
#include <gtest/gtest.h>

#include <numeric>
#include <set>
#include <string_view>
#include <vector>

#include "execute/handlers.hpp"
#include "execute/jit/access.hpp"
#include "execute/jit/blocks.hpp"
#include "execute/jit/scalar_rows.hpp"
#include "execute/jit/vector_unit.hpp"
#include "isa/catalogue.hpp"
#include "jit_ops.hpp"
#include "jit_sequence.hpp"

namespace wavetank::execute::testing {
namespace {

/// All rows that could be: v_cmpx changes EXEC, which ends a run.
std::vector<const isa::Row*> rows_to_compile() {
  std::vector<const isa::Row*> rows;
  for (const isa::Row& row : isa::catalogue()) {
    const bool known = jit::drawing_of(row) != nullptr || jit::draws_scalar(row);
    if (known && handlers()[row.id].usual != nullptr) rows.push_back(&row);
  }
  return rows;
}

TEST_F(Jit, LeavesWhatTheHandlersLeaveForEveryRow) {
  for (const isa::Row* row : rows_to_compile()) {
    OpMaker maker(row->id);
    std::size_t compiled = 0;
    for (unsigned trial = 0; trial < trials(5) && !HasFailure(); ++trial) {
      std::vector<State> states(4);
      for (unsigned i = 0; i < 4; ++i) maker.fill(states[i], i % 2 == 1);
      compiled += expect_same({maker.op(*row), maker.op(*row)}, states);
    }
    EXPECT_GT(compiled, 0u) << row->name;
    if (HasFailure()) break;
  }
}

/// MODEs that compiled code knows beside the default: f32 denormals flushed or kept, without IEEE's
/// NaNs, without DX10's clamp.
constexpr std::uint32_t kOtherModes[] = {0x3c0, 0x0c0, 0x0f0, 0x1c0, 0x2f0};

/// The op as a program for that MODE has it.
Op in_mode(Op op, std::uint32_t bits) {
  const FloatModes floats = FloatModes::of(machine::Mode{bits});
  const HandlerSet& set = handlers()[op.row];
  Handler& run = op.run == run_sdwa || op.run == run_dpp ? op.lanes.inner : op.run;
  if (set.exact != nullptr) run = set.exact;
  op.flushes_f32 = floats.flushes_f32;
  op.is_not_ieee = !floats.ieee;
  op.clamps_no_nan = !floats.dx10_clamp;
  return op;
}

TEST_F(Jit, LeavesWhatTheExactHandlersLeaveInOtherModes) {
  for (const isa::Row* row : rows_to_compile()) {
    if (jit::draws_scalar(*row)) continue;
    OpMaker maker(row->id);
    std::size_t compiled = 0;
    for (unsigned trial = 0; trial < trials(5) && !HasFailure(); ++trial) {
      const std::uint32_t mode = kOtherModes[trial % std::size(kOtherModes)];
      std::vector<State> states(4);
      for (unsigned i = 0; i < 4; ++i) {
        maker.fill(states[i], i % 2 == 1);
        states[i].wave.mode.bits = mode;
      }
      compiled +=
          expect_same({in_mode(maker.op(*row), mode), in_mode(maker.op(*row), mode)}, states);
    }
    EXPECT_GT(compiled, 0u) << row->name;
    if (HasFailure()) break;
  }
}

/// Has the row a form with SDWA, or with DPP, that compiled code may have, too?
bool has_lane_control(const isa::Row& row, bool sdwa) {
  const isa::Encoding& encoding = row.encoding;
  if (jit::draws_scalar(row) || handlers()[row.id].usual == nullptr) return false;
  if (!isa::has_long_forms(encoding.format)) return false;
  for (const isa::Operand& source : row.sources) {
    if (source.role == isa::Role::kLiteral) return false;
  }
  if (sdwa) return !encoding.no_sdwa;
  return !encoding.no_dpp && encoding.format != isa::Format::kVopc;
}

TEST_F(Jit, LeavesWhatTheHandlersLeaveWhereDppMovesLanesOrSdwaChoosesParts) {
  for (const isa::Row* row : rows_to_compile()) {
    OpMaker maker(row->id);
    for (unsigned trial = 0; trial < trials(8) && !HasFailure(); ++trial) {
      if (!has_lane_control(*row, trial % 2 == 1)) continue;
      std::vector<State> states(2);
      for (State& state : states) maker.fill(state, trial % 4 == 1);
      const Op first = maker.with_lane_control(maker.op(*row), *row, trial % 2 == 1);
      const Op second = maker.with_lane_control(maker.op(*row), *row, trial % 2 == 1);
      expect_same({maker.op(*row), first, second, maker.op(*row)}, states);
    }
    if (HasFailure()) break;
  }
}

TEST_F(Jit, BroadcastsTheEndsOfRows) {
  OpMaker maker(23);
  for (const char* const name : {"v_mov_b32", "v_add_u32", "v_add_f32", "v_min_i32", "v_max_f32"}) {
    const isa::Row& row = *isa::find_row(name, isa::kGfx90a);
    for (unsigned trial = 0; trial < trials(12) && !HasFailure(); ++trial) {
      std::vector<State> states(4);
      for (unsigned i = 0; i < 4; ++i) maker.fill(states[i], i % 2 == 1);
      Op op = maker.with_lane_control(maker.op(row), row, false);
      op.lanes.dpp_ctrl = trial % 2 == 0 ? 0x142 : 0x143;
      op.lanes.bank_mask = 15;  // others have no code with AVX2, whose strips are half a row
      if (trial % 4 > 1) op.dst = op.src[0];
      EXPECT_GT(expect_same({op}, states), 0u) << text_of({op});
    }
  }
}

TEST_F(Jit, LeavesWhatTheHandlersLeaveWhereLanesOfAConstantMove) {
  for (const isa::Row* row : rows_to_compile()) {
    OpMaker maker(row->id);
    for (unsigned trial = 0; trial < trials(2) && !HasFailure(); ++trial) {
      if (!has_lane_control(*row, trial % 2 == 1)) continue;
      State state;
      maker.fill(state, false);
      state.wave.set_exec(~std::uint64_t{0});
      Op constant = maker.op(*row);
      Op moved = maker.with_lane_control(maker.op(*row), *row, trial % 2 == 1);
      for (unsigned index = 0; index < row->source_count(); ++index) {
        if (row->sources[index].type == isa::Type::kMask) continue;
        constant.kind[index] = Source::kConstant;
        constant.constant[index] = maker.pick(64);
        moved.kind[index] = Source::kVector;
        moved.src[index] = constant.dst;
      }
      expect_same({constant, moved}, state);
    }
    if (HasFailure()) break;
  }
}

TEST_F(Jit, MovesLanesOfMoreValuesThanTheHostHasRegistersFor) {
  const isa::Row& row = *isa::find_row("v_xor_b32", isa::kGfx90a);
  constexpr unsigned kValues = State::kRegisters - 1;
  OpMaker maker(11);
  std::vector<State> states(2);
  for (State& state : states) {
    maker.fill(state, false);
    for (unsigned i = 0; i < State::kRegisters * 64; ++i) state.vgpr[i] = maker.pick(1u << 31);
  }
  states[0].wave.set_exec(~std::uint64_t{0});
  states[1].wave.set_exec(0x7ffe'fff7'dfff'ffef);
  const auto op_of = [&](unsigned dst, unsigned a, unsigned b) {
    Op op = plain_op(row);
    op.dst = 256 * dst;
    op.src[0] = 256 * a;
    op.src[1] = 256 * b;
    op.kind[0] = op.kind[1] = Source::kVector;
    return op;
  };
  // All values are there before the sum is, and each one's lanes move behind it.
  std::vector<Op> ops;
  for (unsigned i = 0; i < kValues; ++i) ops.push_back(op_of(i, i, (i + 1) % kValues));
  for (unsigned i = 0; i < kValues; ++i) ops.push_back(op_of(kValues, kValues, i));
  for (unsigned i = 0; i < kValues; ++i) {
    Op moved = op_of(i, i, kValues);
    moved.lanes = {};
    moved.lanes.inner = handlers()[row.id].usual;
    moved.lanes.dpp_ctrl = 0x4e;  // quad_perm:[2,3,0,1]
    moved.lanes.row_mask = moved.lanes.bank_mask = 15;
    moved.run = run_dpp;
    ops.push_back(moved);
  }
  EXPECT_GT(expect_same(ops, states), 0u);
}

TEST_F(Jit, LeavesWhatTheHandlersLeaveForRandomRuns) {
  const std::vector<const isa::Row*> rows = rows_to_compile();
  OpMaker maker(1);
  std::size_t compiled = 0;
  for (unsigned trial = 0; trial < trials(300) && !HasFailure(); ++trial) {
    State state;
    maker.fill(state, trial % 4 == 0);
    std::vector<Op> ops;
    const unsigned count = 2 + maker.pick(60);
    while (ops.size() < count) {
      const isa::Row& row = *rows[maker.pick(rows.size())];
      ops.push_back(trial % 3 == 0 ? maker.with_exec(maker.op(row), row) : maker.op(row));
    }
    compiled += expect_same(ops, state);
  }
  EXPECT_GT(compiled, trials(300));
}

/// The ops as the body of a loop that an SGPR counts, which none of them writes.
std::vector<Op> loop_of(std::vector<Op> ops, unsigned count) {
  const auto op_of = [count](const char* name) {
    Op op;
    op.row = isa::find_row(name, isa::kGfx90a)->id;
    op.run = handlers()[op.row].usual;
    op.kind[0] = Source::kScalar;
    op.kind[1] = Source::kConstant;
    op.dst = op.src[0] = 4 * count;
    return op;
  };
  ops.push_back(op_of("s_sub_u32"));
  ops.back().constant[1] = 1;
  ops.push_back(op_of("s_cmp_lg_u32"));
  ops.back().constant[1] = 0;
  ops.push_back(op_of("s_cbranch_scc1"));
  ops.back().branch = -static_cast<std::int64_t>(ops.size());
  return ops;
}

TEST_F(Jit, LeavesWhatTheHandlersLeaveForRandomLoops) {
  constexpr unsigned kCount = 104;
  const std::vector<const isa::Row*> rows = rows_to_compile();
  OpMaker maker(17);
  std::size_t loops = 0;
  for (unsigned trial = 0; trial < trials(300) && !HasFailure(); ++trial) {
    State state;
    maker.fill(state, trial % 4 == 0);
    if (trial % 8 != 7) state.wave.set_exec(~std::uint64_t{0});
    state.wave.sgpr[kCount] = 1 + maker.pick(4);
    state.wave.budget = maker.pick(8) == 0 ? 1 : 1000;
    std::vector<Op> body;
    for (unsigned count = 1 + maker.pick(12); body.size() < count;) {
      const isa::Row& row = *rows[maker.pick(rows.size())];
      body.push_back(maker.op(row));
    }
    const std::vector<Op> ops = loop_of(body, kCount);
    expect_same(ops, state, {0});
    std::vector<Op> code = with_stop(ops);
    std::vector<std::size_t> slots(ops.size());
    std::iota(slots.begin(), slots.end(), std::size_t{0});
    const std::vector<std::size_t> leaders{0};
    const auto blocks = jit::Blocks::compile(code, slots, leaders, {}, Compiled::kChains);
    if (blocks != nullptr) loops += blocks->loops();
  }
  EXPECT_GT(loops, trials(150));
}

const Op* stop(machine::Wave& wave, const Op*) {
  wave.stop = machine::Stop::kUnsupported;
  return nullptr;
}

TEST_F(Jit, LeavesOpsThatHaveNoHandlerOfTheirRow) {
  OpMaker maker(5);
  State state;
  maker.fill(state, false);
  const isa::Row& move = *isa::find_row("v_mov_b32", isa::kGfx90a);
  for (const isa::Row* row : rows_to_compile()) {
    Op op = maker.op(*row);
    op.run = stop;
    expect_same({maker.op(move), maker.op(move), op, maker.op(move)}, state);
  }
}

}  // namespace
}  // namespace wavetank::execute::testing
