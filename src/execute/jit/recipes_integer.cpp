// 32-bit integers, bits and moves.
#include "execute/jit/recipes.hpp"

namespace wavetank::execute::jit {
namespace {

constexpr std::uint32_t kLow24 = 0xffffff;

void emit_move(StripCode& c, const Recipe&) {
  const Operand a = c.operand(0);
  c.code.vector(c.is_vector(0) ? kVmovdqa32 : kVpbroadcastd, c.result(), Zmm{}, a);
}
void emit_not(StripCode& c, const Recipe&) {
  c.code.vector(kVpxord, c.result(), c.source(0), Operand::bits(~std::uint64_t{0}));
}

void emit_binary(StripCode& c, const Recipe& recipe) {
  unsigned first = recipe.reversed ? 1 : 0;
  if (recipe.commutes && !c.is_vector(first)) first = 1 - first;
  const Zmm a = c.source(first);
  const Operand b = c.operand(1 - first);
  c.code.vector(recipe.opcode, c.result(), a, b);
}
void emit_xnor(StripCode& c, const Recipe&) {
  const Zmm a = c.source(0), value = c.result();
  c.code.vector(kVpxord, value, a, c.operand(1));
  c.code.vector(kVpxord, value, value, Operand::bits(~std::uint64_t{0}));
}

/// The forms of a shift: by lanes' amounts and by an immediate.
struct Shift {
  Opcode by_lane, by_immediate;
};
constexpr Shift kLeft{kVpsllvd, kVpslld}, kRight{kVpsrlvd, kVpsrld},
    kRightSigned{kVpsravd, kVpsrad};

/// dst = value shifted by source `amount`, of which the low five bits count.
void shift(StripCode& c, const Shift& form, Zmm dst, Zmm value, unsigned amount) {
  if (c.is_constant(amount)) {
    c.code.vector(form.by_immediate, dst, Zmm{}, value,
                  static_cast<std::uint8_t>(c.constant(amount) & 31));
    return;
  }
  const Zmm low = c.temporary();
  c.code.vector(kVpandd, low, c.source(amount), Operand::bits(31));
  c.code.vector(form.by_lane, dst, value, low);
}
void emit_shift(StripCode& c, const Recipe& recipe) {
  const Zmm value = c.source(1);
  const Shift& form =
      recipe.immediate == 0 ? kLeft : (recipe.immediate == 1 ? kRight : kRightSigned);
  shift(c, form, c.result(), value, 0);
}

/// Two instructions: (src0 op src1) op2 src2.
void emit_add3(StripCode& c, const Recipe& recipe) {
  const Zmm a = c.source(0), value = c.result();
  c.code.vector(recipe.opcode, value, a, c.operand(1));
  c.code.vector(kVpaddd, value, value, c.operand(2));
}
void emit_shift_add(StripCode& c, const Recipe& recipe) {
  const Zmm a = c.source(0), value = c.result();
  shift(c, kLeft, value, a, 1);
  c.code.vector(recipe.opcode, value, value, c.operand(2));
}
void emit_add_shift(StripCode& c, const Recipe&) {
  const Zmm a = c.source(0), value = c.result();
  c.code.vector(kVpaddd, value, a, c.operand(1));
  shift(c, kLeft, value, value, 2);
}
/// A function of three bits; `immediate` is its truth table.
void emit_ternary(StripCode& c, const Recipe& recipe) {
  const Zmm value = c.copy_of_source(0, 0, false), b = c.source(1);
  c.code.vector(kVpternlogd, value, b, c.operand(2), recipe.immediate);
  c.give(value);
}
/// Two instructions: (src0 op src1) op src2.
void emit_three(StripCode& c, const Recipe& recipe) {
  const Zmm a = c.source(0), value = c.result();
  c.code.vector(recipe.opcode, value, a, c.operand(1));
  c.code.vector(recipe.opcode, value, value, c.operand(2));
}
/// med3: max(min(a, b), min(max(a, b), c)).
void middle(StripCode& c, Opcode smaller, Opcode larger) {
  const Zmm a = c.source(0), b = c.source(1), value = c.result(), upper = c.temporary();
  c.code.vector(smaller, value, a, b);
  c.code.vector(larger, upper, a, b);
  c.code.vector(smaller, upper, upper, c.operand(2));
  c.code.vector(larger, value, value, upper);
}
void emit_med3_i32(StripCode& c, const Recipe&) { middle(c, kVpminsd, kVpmaxsd); }
void emit_med3_u32(StripCode& c, const Recipe&) { middle(c, kVpminud, kVpmaxud); }

/// Bit fields at constant places.
void emit_field(StripCode& c, const Recipe& recipe) {
  if (!c.is_constant(1) || !c.is_constant(2)) return c.decline();
  const unsigned offset = c.constant(1) & 31, width = c.constant(2) & 31;
  const Zmm a = c.source(0), value = c.result();
  const bool is_signed = recipe.immediate != 0;
  if (width == 0 || (is_signed && offset + width > 32)) return c.decline();
  if (is_signed) {
    c.code.vector(kVpslld, value, Zmm{}, a, static_cast<std::uint8_t>(32 - offset - width));
    c.code.vector(kVpsrad, value, Zmm{}, value, static_cast<std::uint8_t>(32 - width));
  } else {
    c.code.vector(kVpsrld, value, Zmm{}, a, static_cast<std::uint8_t>(offset));
    c.code.vector(kVpandd, value, value, Operand::bits((1u << width) - 1));
  }
}
/// {src0, src1} >> a constant.
void emit_align(StripCode& c, const Recipe& recipe) {
  if (!c.is_constant(2)) return c.decline();
  const unsigned amount = recipe.immediate == 8 ? 8 * (c.constant(2) & 3) : c.constant(2) & 31;
  const Zmm high = c.source(0), low = c.source(1), value = c.result(), upper = c.temporary();
  c.code.vector(kVpsrld, value, Zmm{}, low, static_cast<std::uint8_t>(amount));
  // By 32 the upper part vanishes, as it should.
  c.code.vector(kVpslld, upper, Zmm{}, high, static_cast<std::uint8_t>(32 - amount));
  c.code.vector(kVpord, value, value, upper);
}

/// The low 24 bits of a source, extended.
Zmm low_24(StripCode& c, unsigned index, bool is_signed) {
  const Zmm value = c.temporary(), from = c.source(index);
  if (is_signed) {
    c.code.vector(kVpslld, value, Zmm{}, from, 8);
    c.code.vector(kVpsrad, value, Zmm{}, value, 8);
  } else {
    c.code.vector(kVpandd, value, from, Operand::bits(kLow24));
  }
  return value;
}
void emit_multiply_24(StripCode& c, const Recipe& recipe) {
  const bool is_signed = recipe.immediate != 0, adds = recipe.mirrored != 0;
  const Zmm a = low_24(c, 0, is_signed), b = low_24(c, 1, is_signed), value = c.result();
  c.code.vector(kVpmulld, value, a, b);
  if (adds) c.code.vector(kVpaddd, value, value, c.operand(2));
}

constexpr std::uint8_t kShiftLeft = 0, kShiftRight = 1, kShiftRightSigned = 2;

constexpr Recipe kRecipes[] = {
    {.name = "v_mov_b32", .emit = emit_move, .follows = Follows::kMove},
    {"v_accvgpr_read_b32", emit_move},
    {"v_accvgpr_write_b32", emit_move},
    {"v_not_b32", emit_not},
    {"v_add_u32", emit_binary, kVpaddd, 0, 0, false, true, false, Follows::kAdd},
    {"v_sub_u32", emit_binary, kVpsubd},
    {"v_subrev_u32", emit_binary, kVpsubd, 0, 0, false, false, true},
    {"v_add_i32", emit_binary, kVpaddd, 0, 0, false, true},
    {"v_sub_i32", emit_binary, kVpsubd},
    {"v_and_b32", emit_binary, kVpandd, 0, 0, false, true},
    {"v_or_b32", emit_binary, kVpord, 0, 0, false, true},
    {"v_xor_b32", emit_binary, kVpxord, 0, 0, false, true},
    {"v_xnor_b32", emit_xnor},
    {"v_mul_lo_u32", emit_binary, kVpmulld, 0, 0, false, true},
    {"v_min_i32", emit_binary, kVpminsd, 0, 0, false, true},
    {"v_max_i32", emit_binary, kVpmaxsd, 0, 0, false, true},
    {"v_min_u32", emit_binary, kVpminud, 0, 0, false, true},
    {"v_max_u32", emit_binary, kVpmaxud, 0, 0, false, true},
    {.name = "v_lshlrev_b32",
     .emit = emit_shift,
     .immediate = kShiftLeft,
     .follows = Follows::kShift},
    {"v_lshrrev_b32", emit_shift, {}, kShiftRight},
    {.name = "v_ashrrev_i32",
     .emit = emit_shift,
     .immediate = kShiftRightSigned,
     .follows = Follows::kSign},
    {"v_add3_u32", emit_add3, kVpaddd},
    {"v_xad_u32", emit_add3, kVpxord},
    {"v_lshl_add_u32", emit_shift_add, kVpaddd},
    {"v_lshl_or_b32", emit_shift_add, kVpord},
    {"v_add_lshl_u32", emit_add_shift},
    {"v_bfi_b32", emit_ternary, {}, 0xca},
    {"v_and_or_b32", emit_ternary, {}, 0xea},
    {"v_or3_b32", emit_ternary, {}, 0xfe},
    {"v_min3_i32", emit_three, kVpminsd},
    {"v_max3_i32", emit_three, kVpmaxsd},
    {"v_min3_u32", emit_three, kVpminud},
    {"v_max3_u32", emit_three, kVpmaxud},
    {"v_med3_i32", emit_med3_i32},
    {"v_med3_u32", emit_med3_u32},
    {"v_bfe_u32", emit_field, {}, 0},
    {"v_bfe_i32", emit_field, {}, 1},
    {"v_alignbit_b32", emit_align, {}, 1},
    {"v_alignbyte_b32", emit_align, {}, 8},
    {"v_mul_u32_u24", emit_multiply_24, {}, 0, 0},
    {"v_mul_i32_i24", emit_multiply_24, {}, 1, 0},
    {"v_mad_u32_u24", emit_multiply_24, {}, 0, 1},
    {"v_mad_i32_i24", emit_multiply_24, {}, 1, 1},
};

}  // namespace

std::span<const Recipe> integer_recipes() { return kRecipes; }

}  // namespace wavetank::execute::jit
