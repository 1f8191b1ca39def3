// Compiled blocks: on every row that they may contain, and on random runs, they leave the registers
// that the handlers leave.
#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <numeric>
#include <random>
#include <set>
#include <string>

#include "execute/handlers.hpp"
#include "execute/jit/access.hpp"
#include "execute/jit/blocks.hpp"
#include "execute/jit/run.hpp"
#include "execute/jit/scalar_rows.hpp"
#include "execute/lane_control.hpp"
#include "isa/catalogue.hpp"
#include "jit_state.hpp"
#include "stop_op.hpp"
#include "value_grid.hpp"

namespace wavetank::execute {
namespace {

using isa::Type;
using machine::Wave;

using testing::difference, testing::State;

constexpr unsigned kRegisters = State::kRegisters;

class RunMaker {
 public:
  explicit RunMaker(std::uint64_t seed) : random_(seed) {}

  /// Registers of ordinary floats and small integers; `wild` ones hold the value grid too.
  void fill(State& state, bool wild) {
    for (unsigned i = 0; i < kRegisters * 64; ++i) state.vgpr[i] = value(wild);
    for (unsigned i = 0; i < 102; ++i) state.wave.sgpr[i] = value(wild);
    const unsigned kind = pick(4);
    state.wave.set_exec(kind < 2 ? ~std::uint64_t{0} : (kind == 2 ? random_() : random_() & 0xff));
    state.wave.set_vcc(pick(2) == 0 ? 0 : random_());
  }

  Op op(const isa::Row& row) {
    Op op;
    op.row = row.id;
    if (jit::draws_scalar(row)) {
      return row.unit == isa::Unit::kSalu ? scalar(op, row) : of_one_lane(op, row);
    }
    op.op_sel_hi = 7;
    op.run = handlers()[row.id].general != nullptr ? handlers()[row.id].general
                                                   : handlers()[row.id].plain;
    op.dst = 256 * pick(kRegisters - 1);
    op.sdst = 2 * (50 + pick(4));
    if (pick(3) == 0) op.sdst = 106;
    unsigned index = 0;
    const bool later_are_constants = pick(3) == 0;  // as shifts and bit fields mostly have them
    for (const isa::Operand& source : row.sources) {
      if (source.type == Type::kNone) break;
      if (source.role == isa::Role::kAccumulator || source.role == isa::Role::kImplicitVcc)
        continue;
      place(op, index, source, later_are_constants && index > 0);
      ++index;
    }
    if (row.name.starts_with("v_div_scale") && pick(4) != 0) copy_operand(op, 1 + pick(2));
    op.keeps_high_half = row.keeps_high_half;
    if (pick(3) == 0) {
      op.neg = pick(8);
      op.abs = pick(8);
    }
    op.clamp = pick(6) == 0;
    if (row.encoding.format != isa::Format::kVop3p && pick(3) == 0) op.op_sel = pick(16);
    if (row.encoding.format == isa::Format::kVop3p && pick(2) == 0) {
      op.op_sel = pick(8);
      op.op_sel_hi = pick(8);
    }
    return op;
  }
  /// The same op, but DPP moves its first source's lanes, or SDWA chooses parts of its words.
  Op with_lane_control(Op op, const isa::Row& row, bool sdwa) {
    for (unsigned index = 0; index < row.source_count(); ++index) {
      if (row.sources[index].type == Type::kMask) continue;
      op.kind[index] = sdwa && pick(4) == 0 ? Source::kScalar : Source::kVector;
      op.src[index] = op.kind[index] == Source::kScalar ? 4 * pick(100) : 256 * pick(kRegisters);
    }
    op.op_sel = 0;
    constexpr std::uint16_t kMoves[] = {0x111, 0x11f, 0x124, 0x128, 0x101, 0x140, 0x141, 0x155};
    LaneControl lanes{};
    lanes.inner = handlers()[row.id].general;
    lanes.dpp_ctrl = static_cast<std::uint16_t>(pick(2) == 0 ? pick(256) : kMoves[pick(8)]);
    lanes.row_mask = 15;
    lanes.bank_mask = static_cast<std::uint8_t>(pick(3) == 0 ? pick(16) : 15);
    lanes.bound_ctrl = pick(2) == 0;
    lanes.dst_sel = static_cast<std::uint8_t>(pick(7));
    lanes.dst_unused = static_cast<std::uint8_t>(pick(3));
    lanes.src0_sel = static_cast<std::uint8_t>(pick(7));
    lanes.src1_sel = static_cast<std::uint8_t>(pick(7));
    lanes.sext = static_cast<std::uint8_t>(pick(4));
    op.lanes = lanes;
    op.run = sdwa ? run_sdwa : run_dpp;
    return op;
  }
  unsigned pick(unsigned count) { return static_cast<unsigned>(random_() % count); }

 private:
  Op scalar(Op op, const isa::Row& row) {
    op.run = handlers()[row.id].plain;
    op.dst = 8 * pick(50);
    for (unsigned index = 0; index < row.source_count(); ++index) {
      if (row.sources[index].role == isa::Role::kImmediate || pick(3) == 0) {
        op.kind[index] = Source::kConstant;
        op.constant[index] = pick(3) == 0 ? random_() : static_cast<std::uint64_t>(pick(64)) - 32;
      } else {
        op.kind[index] = Source::kScalar;
        op.src[index] = pick(8) == 0 ? 4 * 106 : 8 * pick(50);
      }
    }
    return op;
  }
  /// A lane that is read into an SGPR, or written.
  Op of_one_lane(Op op, const isa::Row& row) {
    op.run = handlers()[row.id].plain;
    op.dst = row.scalar_result ? 4 * pick(100) : 256 * pick(kRegisters - 1);
    for (unsigned index = 0; index < row.source_count(); ++index) {
      if (row.sources[index].registers == isa::RegisterClass::kVgpr) {
        op.kind[index] = Source::kVector;
        op.src[index] = 256 * pick(kRegisters - 1);
      } else if (pick(2) == 0) {
        op.kind[index] = Source::kConstant;
        op.constant[index] = pick(64);
      } else {
        op.kind[index] = Source::kScalar;
        op.src[index] = 4 * pick(100);
      }
    }
    return op;
  }
  std::uint32_t value(bool wild) {
    if (wild && pick(8) == 0) {
      return static_cast<std::uint32_t>(tests::draw_register(Type::kF32, random_));
    }
    if (pick(6) == 0) return pick(1000) - 500;
    const float sign = pick(2) == 0 ? 1.0f : -1.0f;
    return std::bit_cast<std::uint32_t>(sign * (0.25f + 0.001f * static_cast<float>(pick(9000))));
  }
  void place(Op& op, unsigned index, const isa::Operand& source, bool constant) {
    const unsigned kind = constant || source.role == isa::Role::kLiteral ? 3 : pick(5);
    if (source.type == Type::kMask) {
      op.kind[index] = Source::kScalar;
      op.src[index] = 4 * (pick(3) == 0 ? 106 : 2 * (50 + pick(4)));
    } else if (kind <= 1 || kind == 4) {
      op.kind[index] = Source::kVector;
      op.src[index] = 256 * pick(kRegisters - 1);
    } else if (kind == 2) {
      op.kind[index] = Source::kScalar;
      op.src[index] = 4 * pick(100);
    } else {
      op.kind[index] = Source::kConstant;
      op.constant[index] = pick(2) == 0 ? value(false) : pick(64);
      if (source.type == Type::kU64 && pick(2) == 0) op.constant[index] = 0;
      if (source.type == Type::kF64) op.constant[index] <<= 32;
    }
  }
  static void copy_operand(Op& op, unsigned from) {
    op.kind[0] = op.kind[from];
    op.src[0] = op.src[from];
    op.constant[0] = op.constant[from];
  }
  std::mt19937_64 random_;
};

/// Rows whose functions have no drawing yet: handlers run them between compiled runs. None may be
/// here that has one, and none may be missing.
const std::set<std::string_view> kNotDrawn{
    "v_cvt_rpi_i32_f32",
    "v_cvt_flr_i32_f32",
    "v_cvt_off_f32_i4",

    "v_sin_f32",
    "v_cos_f32",

    "v_rsq_f16",
    "v_log_f16",
    "v_exp_f16",
    "v_frexp_mant_f16",
    "v_frexp_exp_i16_f16",
    "v_fract_f16",
    "v_sin_f16",
    "v_cos_f16",
    "v_cvt_norm_i16_f16",
    "v_cvt_norm_u16_f16",
    "v_sat_pk_u8_i16",
    "v_cvt_f32_fp8",
    "v_cvt_f32_bf8",
    "v_cvt_pk_f32_fp8",
    "v_cvt_pk_f32_bf8",
    "v_mac_f32",
    "v_madmk_f32",
    "v_madak_f32",
    "v_ldexp_f16",
    "v_dot2c_f32_f16",
    "v_dot2c_i32_i16",

    "v_mad_legacy_f32",
    "v_mad_f32",
    "v_cubeid_f32",
    "v_cubesc_f32",
    "v_cubetc_f32",
    "v_cubema_f32",
    "v_mul_legacy_f32",
    "v_trig_preop_f64",
    "v_div_fixup_legacy_f16",
    "v_div_fixup_f16",
    "v_cvt_pk_u8_f32",
    "v_cvt_pkaccum_u8_f32",
    "v_cvt_pknorm_i16_f32",
    "v_cvt_pknorm_u16_f32",
    "v_cvt_pknorm_i16_f16",
    "v_cvt_pknorm_u16_f16",
    "v_cvt_pk_fp8_f32",
    "v_cvt_pk_bf8_f32",
    "v_cvt_sr_fp8_f32",
    "v_cvt_sr_bf8_f32",
    "v_lerp_u8",
    "v_sad_u8",
    "v_sad_hi_u8",
    "v_sad_u16",
    "v_sad_u32",
    "v_msad_u8",
    "v_qsad_pk_u16_u8",
    "v_mqsad_pk_u16_u8",
    "v_dot2_f32_f16",
    "v_dot2_i32_i16",
    "v_dot2_u32_u16",
};

/// Is there a form of the row that is compiled?
bool is_compiled(const isa::Row& row) {
  return jit::draws_scalar(row) || kNotDrawn.count(row.name) == 0;
}

/// All rows that could be: v_cmpx changes EXEC, which ends a run.
std::vector<const isa::Row*> rows_to_compile() {
  std::vector<const isa::Row*> rows;
  for (const isa::Row& row : isa::catalogue()) {
    const jit::RowDrawing* const drawing = jit::drawing_of(row);
    const bool known = (drawing != nullptr && !drawing->row.writes_exec) || jit::draws_scalar(row);
    if (known && handlers()[row.id].plain != nullptr) rows.push_back(&row);
  }
  return rows;
}

std::string text_of(const std::vector<Op>& ops) {
  std::string text;
  for (const Op& op : ops) {
    text += std::string(isa::catalogue()[op.row].name) + " dst " + std::to_string(op.dst / 256) +
            " sdst " + std::to_string(op.sdst);
    for (unsigned i = 0; i < 3; ++i) {
      text += op.kind[i] == Source::kVector   ? " v" + std::to_string(op.src[i] / 256)
              : op.kind[i] == Source::kScalar ? " s" + std::to_string(op.src[i] / 4)
                                              : " #" + std::to_string(op.constant[i]);
    }
    text += " neg " + std::to_string(op.neg) + " abs " + std::to_string(op.abs) + " sel " +
            std::to_string(op.op_sel) + "/" + std::to_string(op.op_sel_hi) + "\n";
  }
  return text;
}

/// Runs the ops by their handlers and as compiled; gives the number of compiled chains.
std::size_t expect_same(const std::vector<Op>& ops, const State& start,
                        const std::vector<std::size_t>& leaders = {}) {
  State by_handlers(start);
  const std::vector<Op> code = with_stop(ops);
  run_to_stop(by_handlers.wave, code);
  std::vector<std::size_t> slots(ops.size());
  std::iota(slots.begin(), slots.end(), std::size_t{0});
  std::size_t chains = 0;
  for (const Compiled what : {Compiled::kStretches, Compiled::kChains}) {
    State compiled(start);
    std::vector<Op> own = code;
    const auto blocks = jit::Blocks::compile(own, slots, leaders, {}, what);
    chains = blocks == nullptr ? 0 : blocks->count();
    if (blocks == nullptr) continue;
    run_to_stop(compiled.wave, own);
    EXPECT_EQ(difference(by_handlers, compiled), "")
        << text_of(ops) << "exec " << std::hex << start.wave.exec() << " vcc " << start.wave.vcc();
  }
  return chains;
}

class Jit : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!jit::available()) GTEST_SKIP() << "this host runs no compiled blocks";
  }
};

TEST_F(Jit, LeavesWhatTheHandlersLeaveForEveryRow) {
  for (const isa::Row* row : rows_to_compile()) {
    RunMaker maker(row->id);
    std::size_t compiled = 0;
    for (unsigned trial = 0; trial < 300 && !HasFailure(); ++trial) {
      State state;
      maker.fill(state, trial % 2 == 1);
      compiled += expect_same({maker.op(*row), maker.op(*row)}, state);
    }
    EXPECT_EQ(compiled > 0, is_compiled(*row)) << row->name;
    if (HasFailure()) break;
  }
}

/// Has the row forms with DPP and SDWA?
bool has_lane_control(const isa::Row& row) {
  const isa::Format format = row.encoding.format;
  if (jit::draws_scalar(row) || jit::drawing_of(row)->row.packed) return false;
  if (handlers()[row.id].general == nullptr) return false;
  if (row.result.type != Type::kNone && isa::dwords_of(row.result.type) != 1) return false;
  for (const isa::Operand& source : row.sources) {
    if (source.type == Type::kNone) break;
    if (source.role == isa::Role::kLiteral) return false;
    if (source.type != Type::kMask && isa::dwords_of(source.type) != 1) return false;
  }
  return format == isa::Format::kVop1 || format == isa::Format::kVop2 ||
         format == isa::Format::kVopc;
}

TEST_F(Jit, LeavesWhatTheHandlersLeaveWhereDppMovesLanesOrSdwaChoosesParts) {
  for (const isa::Row* row : rows_to_compile()) {
    if (!has_lane_control(*row)) continue;
    RunMaker maker(row->id);
    for (unsigned trial = 0; trial < 200 && !HasFailure(); ++trial) {
      State state;
      maker.fill(state, trial % 4 == 1);
      const Op first = maker.with_lane_control(maker.op(*row), *row, trial % 2 == 1);
      const Op second = maker.with_lane_control(maker.op(*row), *row, trial % 2 == 1);
      expect_same({maker.op(*row), first, second, maker.op(*row)}, state);
    }
    if (HasFailure()) break;
  }
}

TEST_F(Jit, LeavesWhatTheHandlersLeaveForRandomRuns) {
  const std::vector<const isa::Row*> rows = rows_to_compile();
  RunMaker maker(1);
  std::size_t compiled = 0;
  for (unsigned trial = 0; trial < 3000 && !HasFailure(); ++trial) {
    State state;
    maker.fill(state, trial % 4 == 0);
    std::vector<Op> ops;
    const unsigned count = 2 + maker.pick(60);
    while (ops.size() < count) ops.push_back(maker.op(*rows[maker.pick(rows.size())]));
    compiled += expect_same(ops, state);
  }
  EXPECT_GT(compiled, 3000u);
}

TEST_F(Jit, RoundsRootsAndReciprocalsOfEveryMantissaOnce) {
  const Op moves = [] {
    Op op;
    op.row = isa::find_row("v_mov_b32", isa::kGfx90a)->id;
    op.run = handlers()[op.row].plain;
    op.dst = 256 * 3;
    return op;
  }();
  for (const char* name : {"v_sqrt_f32", "v_rcp_f32"}) {
    Op op;
    op.row = isa::find_row(name, isa::kGfx90a)->id;
    op.run = handlers()[op.row].plain;
    op.src[0] = 0;
    op.dst = 256;
    std::vector<Op> ops = with_stop({op, moves});
    const std::vector<std::size_t> slots{0, 1};
    const auto blocks = jit::Blocks::compile(ops, slots, {}, {}, Compiled::kChains);
    ASSERT_NE(blocks, nullptr);
    State state;
    state.wave.set_exec(~std::uint64_t{0});
    constexpr std::uint32_t kQuarter = 0x3e800000, kTwoBinades = 1u << 24;
    for (std::uint32_t bits = 0; bits < kTwoBinades && !HasFailure(); bits += 64) {
      for (std::uint32_t lane = 0; lane < 64; ++lane) state.vgpr[lane] = kQuarter + bits + lane;
      ops[0].run(state.wave, ops.data());
      Op exact = op;
      exact.dst = 512;
      exact.run(state.wave, &exact);
      ASSERT_EQ(std::memcmp(state.vgpr + 64, state.vgpr + 128, 256), 0) << name << " " << bits;
    }
  }
}

TEST_F(Jit, TakesForwardBranchesAndLeavesThem) {
  RunMaker maker(3);
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
      branch.run = handlers()[row.id].plain;
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

/// An op by its name, with operands of no account.
Op op_named(RunMaker& maker, const char* name) {
  return maker.op(*isa::find_row(name, isa::kGfx90a));
}

TEST_F(Jit, GivesWhatIsBehindAStretchOfWhatConcernsTheWaveOnly) {
  RunMaker maker(5);
  Op load;
  load.row = isa::find_row("global_load_dword", isa::kGfx90a)->id;
  load.run = handlers()[load.row].in_segment(isa::Format::kGlobal);
  const Op move = op_named(maker, "v_mov_b32"), add = op_named(maker, "s_mul_i32");
  Op exec = op_named(maker, "s_mov_b64");
  exec.dst = 4 * isa::operand::kExec;
  Op saves = op_named(maker, "s_and_saveexec_b64");
  Op branch;
  branch.row = isa::find_row("s_branch", isa::kGfx90a)->id;
  branch.run = handlers()[branch.row].plain;
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
  decrement.run = handlers()[decrement.row].plain;
  decrement.kind[0] = Source::kScalar;
  decrement.kind[1] = Source::kConstant;
  decrement.dst = decrement.src[0] = kCount;
  decrement.constant[1] = 1;
  Op compare = decrement;
  compare.row = isa::find_row("s_cmp_lg_u32", isa::kGfx90a)->id;
  compare.run = handlers()[compare.row].plain;
  compare.constant[1] = 0;
  Op branch;
  branch.row = isa::find_row("s_cbranch_scc1", isa::kGfx90a)->id;
  branch.run = handlers()[branch.row].plain;
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
  RunMaker maker(4);
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
      load.run = handlers()[row.id].plain;
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

const Op* stop(Wave& wave, const Op*) {
  wave.stop = machine::Stop::kUnsupported;
  return nullptr;
}

TEST_F(Jit, LeavesOpsThatHaveNoHandlerOfTheirRow) {
  RunMaker maker(5);
  State state;
  maker.fill(state, false);
  const isa::Row& move = *isa::find_row("v_mov_b32", isa::kGfx90a);
  for (const isa::Row* row : rows_to_compile()) {
    Op op = maker.op(*row);
    op.run = stop;
    expect_same({maker.op(move), maker.op(move), op, maker.op(move)}, state);
  }
}

TEST_F(Jit, CutsARunWhereAnSgprIsBothAValueAndALaneMask) {
  RunMaker maker(2);
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

/// A scalar op of SGPRs, and how long the run of VALU ops around it is.
class JitEarly : public Jit {
 protected:
  static Op scalar(const char* name, unsigned dst, unsigned source) {
    Op op;
    op.row = isa::find_row(name, isa::kGfx90a)->id;
    op.run = handlers()[op.row].plain;
    op.dst = 4 * dst;
    op.kind[0] = op.kind[1] = Source::kScalar;
    op.src[0] = op.src[1] = 4 * source;
    return op;
  }
  /// v5 = s20 + v0, s[22:23] = v0 < v1, the scalar op, and v5 = s20 + v0 again; or another
  /// 32-bit value of the wave instead of s20.
  static std::size_t length_around(const Op& op, std::size_t offset = 4 * 20) {
    RunMaker maker(4);
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

TEST_F(JitEarly, OthersEndIt) {
  EXPECT_EQ(length_around(scalar("s_mul_i32", 20, 31)), 2u) << "writes what the run reads";
  EXPECT_EQ(length_around(scalar("s_mov_b64", 20, 30)), 2u);
  EXPECT_EQ(length_around(scalar("s_mul_i32", 22, 31)), 2u) << "writes what it writes";
  EXPECT_EQ(length_around(scalar("s_mul_i32", 23, 31)), 2u) << "... or half of it";
  EXPECT_EQ(length_around(scalar("s_mul_i32", 30, 23)), 2u) << "reads what it writes";
  EXPECT_EQ(length_around(scalar("s_mov_b64", 30, 22)), 2u);
  EXPECT_EQ(length_around(scalar("s_mov_b64", 126, 30)), 2u) << "writes EXEC";
  EXPECT_EQ(length_around(scalar("s_mov_b32", 124, 30)), 2u) << "writes M0";
  EXPECT_EQ(length_around(scalar("s_and_saveexec_b64", 30, 32)), 2u);
  EXPECT_EQ(length_around(scalar("s_cmp_eq_u32", 0, 31), offsetof(Wave, scc)), 2u) << "SCC";
}

TEST_F(Jit, FinishesFromANanWhereAnSgprIsAValueBeforeItIsALaneMask) {
  const auto op_of = [](const char* name, unsigned dst, unsigned source0, unsigned source1) {
    Op op;
    op.row = isa::find_row(name, isa::kGfx90a)->id;
    op.run = handlers()[op.row].general;
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
      RunMaker(lane).fill(state, false);
      state.wave.set_exec(exec | std::uint64_t{1} << lane);
      state.vgpr[64 + lane] = signaling;
      EXPECT_EQ(expect_same({value, compare, product, value}, state), 1u);
      EXPECT_EQ(expect_same({value, product, compare}, state), 1u);
    }
  }
}

}  // namespace
}  // namespace wavetank::execute
