// Single ops without memory, of any row, and registers for them.
#pragma once

#include <bit>
#include <cstdint>
#include <random>

#include "execute/handlers.hpp"
#include "execute/jit/scalar_rows.hpp"
#include "execute/lane_control.hpp"
#include "isa/catalogue.hpp"
#include "jit_state.hpp"
#include "value_grid.hpp"

namespace wavetank::execute::testing {

/// Draws ops, and registers for them to work on.
class OpMaker {
 public:
  /// Ops work on the first of the registers: few, so that results are used.
  static constexpr unsigned kDrawn = 24;
  explicit OpMaker(std::uint64_t seed) : random_(seed) {}

  /// Registers of ordinary floats and small integers; `wild` ones hold the value grid too.
  void fill(State& state, bool wild) {
    for (unsigned i = 0; i < kDrawn * 64; ++i) state.vgpr[i] = value(wild);
    for (unsigned i = 0; i < 102; ++i) state.wave.sgpr[i] = value(wild);
    const unsigned kind = pick(4);
    state.wave.set_exec(kind < 2 ? ~std::uint64_t{0} : (kind == 2 ? random_() : random_() & 0xff));
    state.wave.set_vcc(pick(2) == 0 ? 0 : random_());
  }

  /// An op of the row with operands and modifiers of any kind that it may have.
  Op op(const isa::Row& row) {
    Op op;
    op.row = row.id;
    if (jit::draws_scalar(row)) {
      return row.unit == isa::Unit::kSalu ? scalar(op, row) : of_one_lane(op, row);
    }
    op.op_sel_hi = 7;
    op.run = handlers()[row.id].usual;
    op.dst = 256 * pick(kDrawn - 1);
    op.sdst = 2 * (50 + pick(4));
    if (pick(3) == 0) op.sdst = 106;
    unsigned index = 0;
    const bool later_are_constants = pick(3) == 0;  // as shifts and bit fields mostly have them
    for (const isa::Operand& source : row.sources) {
      if (source.type == isa::Type::kNone) break;
      if (!isa::is_encoded(source.role)) continue;
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
      if (row.sources[index].type == isa::Type::kMask) continue;
      op.kind[index] = sdwa && pick(4) == 0 ? Source::kScalar : Source::kVector;
      op.src[index] = op.kind[index] == Source::kScalar ? 4 * pick(100) : 256 * pick(kDrawn);
    }
    op.op_sel = 0;
    constexpr std::uint16_t kMoves[] = {0x111, 0x11f, 0x124, 0x128, 0x101,
                                        0x140, 0x141, 0x155, 0x142, 0x143};
    LaneControl lanes{};
    lanes.inner = handlers()[row.id].usual;
    lanes.dpp_ctrl = static_cast<std::uint16_t>(pick(2) == 0 ? pick(256) : kMoves[pick(10)]);
    lanes.row_mask = static_cast<std::uint8_t>(pick(3) == 0 ? pick(16) : 15);
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
  /// The same op, but where it reads an SGPR's value it may read EXEC's.
  Op with_exec(Op op, const isa::Row& row) {
    for (unsigned index = 0; index < row.source_count(); ++index) {
      if (row.sources[index].type == isa::Type::kMask) continue;
      if (op.kind[index] == Source::kScalar && pick(2) == 0)
        op.src[index] = 4 * isa::operand::kExec;
    }
    return op;
  }
  /// A number below `count`.
  unsigned pick(unsigned count) { return static_cast<unsigned>(random_() % count); }

 private:
  Op scalar(Op op, const isa::Row& row) {
    op.run = handlers()[row.id].usual;
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
    op.run = handlers()[row.id].usual;
    op.dst = row.scalar_result ? 4 * pick(100) : 256 * pick(kDrawn - 1);
    for (unsigned index = 0; index < row.source_count(); ++index) {
      if (row.sources[index].registers == isa::RegisterClass::kVgpr) {
        op.kind[index] = Source::kVector;
        op.src[index] = 256 * pick(kDrawn - 1);
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
      return static_cast<std::uint32_t>(tests::draw_register(isa::Type::kF32, random_));
    }
    if (pick(6) == 0) return pick(1000) - 500;
    const float sign = pick(2) == 0 ? 1.0f : -1.0f;
    return std::bit_cast<std::uint32_t>(sign * (0.25f + 0.001f * static_cast<float>(pick(9000))));
  }
  void place(Op& op, unsigned index, const isa::Operand& source, bool constant) {
    const unsigned kind = constant || source.role == isa::Role::kLiteral ? 3 : pick(5);
    if (source.type == isa::Type::kMask) {
      op.kind[index] = Source::kScalar;
      op.src[index] = 4 * (pick(3) == 0 ? 106 : 2 * (50 + pick(4)));
    } else if (kind <= 1 || kind == 4) {
      op.kind[index] = Source::kVector;
      op.src[index] = 256 * pick(kDrawn - 1);
    } else if (kind == 2) {
      op.kind[index] = Source::kScalar;
      op.src[index] = 4 * pick(100);
    } else {
      op.kind[index] = Source::kConstant;
      op.constant[index] = pick(2) == 0 ? value(false) : pick(64);
      if (source.type == isa::Type::kU64 && pick(2) == 0) op.constant[index] = 0;
      if (source.type == isa::Type::kF64) op.constant[index] <<= 32;
    }
  }
  static void copy_operand(Op& op, unsigned from) {
    op.kind[0] = op.kind[from];
    op.src[0] = op.src[from];
    op.constant[0] = op.constant[from];
  }
  std::mt19937_64 random_;
};

/// An op by its name, with operands of no account.
inline Op op_named(OpMaker& maker, const char* name) {
  return maker.op(*isa::find_row(name, isa::kGfx90a));
}

}  // namespace wavetank::execute::testing
