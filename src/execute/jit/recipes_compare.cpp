// Comparisons, and additions with carries: rows that give or take lane masks.
#include "execute/jit/recipes.hpp"

namespace wavetank::execute::jit {
namespace {

void emit_compare(StripCode& c, const Recipe& recipe) {
  const bool swap = !c.is_vector(0);
  const Zmm a = c.source(swap ? 1 : 0);
  const Operand b = c.operand(swap ? 0 : 1);
  c.code.compare(recipe.opcode, c.mask_result(), a, b, swap ? recipe.mirrored : recipe.immediate,
                 c.among());
}

/// v_cmp_class of normal numbers and zeros: the class's bit of each lane, tested against src1.
void emit_class(StripCode& c, const Recipe&) {
  constexpr std::uint8_t kNotANumberOrInfinityOrDenormal = 0xb9, kAnyZero = 0x06;
  constexpr std::uint32_t kPositive = 0x100, kNegative = 0x8, kZero = 0x40, kNegativeZero = 0x20;
  const Zmm a = c.source(0), bit = c.temporary();
  const KMask lanes = c.mask_temporary(), negative = c.mask_temporary();
  c.code.compare(kVfpclassps, lanes, Zmm{}, a, kNotANumberOrInfinityOrDenormal);
  c.require_none(lanes);
  c.code.test(kVpmovd2m, negative, Zmm{}, a);
  c.code.compare(kVfpclassps, lanes, Zmm{}, a, kAnyZero);
  c.code.vector(kVpbroadcastd, bit, Zmm{}, Operand::bits(kPositive));
  c.code.vector(kVpbroadcastd, bit, Zmm{}, Operand::bits(kNegative), {negative});
  c.code.vector(kVpbroadcastd, bit, Zmm{}, Operand::bits(kZero), {lanes});
  c.code.mask_op(kMaskAnd, lanes, lanes, negative);
  c.code.vector(kVpbroadcastd, bit, Zmm{}, Operand::bits(kNegativeZero), {lanes});
  c.code.test(kVptestmd, c.mask_result(), bit, c.operand(1), c.among());
}

/// Keeps the carries of active lanes.
void restrict_mask(StripCode& c, KMask mask) {
  if (c.masked()) c.code.mask_op(kMaskAnd, mask, mask, StripCode::kExec);
}

void emit_add_carry(StripCode& c, const Recipe&) {
  const unsigned first = c.is_vector(0) ? 0 : 1;
  const Zmm a = c.source(first);
  const Operand b = c.operand(1 - first);
  const Zmm sum = c.result();
  c.code.vector(kVpaddd, sum, a, b);
  if (c.mask_needed()) c.code.compare(kVpcmpud, c.mask_result(), sum, a, kLess, c.among());
}
void emit_sub_borrow(StripCode& c, const Recipe& recipe) {
  const unsigned first = recipe.reversed ? 1 : 0;
  const Zmm a = c.source(first);
  const Operand b = c.operand(1 - first);
  c.code.vector(kVpsubd, c.result(), a, b);
  if (c.mask_needed()) c.code.compare(kVpcmpud, c.mask_result(), a, b, kLess, c.among());
}

/// With a carry in: the sum overflows by itself, or is all ones and the carry takes it to zero.
void emit_add_with_carry(StripCode& c, const Recipe&) {
  if (c.is_constant(2)) return c.decline();
  const KMask in = c.mask_source(c.op().src[2] / 4);
  const unsigned first = c.is_vector(0) ? 0 : 1;
  const Zmm a = c.source(first);
  const Operand b = c.operand(1 - first);
  const Zmm sum = c.result();
  if (!c.mask_needed()) {
    c.code.vector(kVpaddd, sum, a, b);
    c.code.vector(kVpaddd, sum, sum, Operand::bits(1), {in});
    return;
  }
  const KMask out = c.mask_result(), wrapped = c.mask_temporary();
  c.code.vector(kVpaddd, sum, a, b);
  c.code.compare(kVpcmpud, out, sum, a, kLess);
  c.code.vector(kVpaddd, sum, sum, Operand::bits(1), {in});
  c.code.test(kVptestnmd, wrapped, sum, sum, in);
  c.code.mask_op(kMaskOr, out, out, wrapped);
  restrict_mask(c, out);
}
void emit_sub_with_borrow(StripCode& c, const Recipe& recipe) {
  if (c.is_constant(2)) return c.decline();
  const KMask in = c.mask_source(c.op().src[2] / 4);
  const unsigned first = recipe.reversed ? 1 : 0;
  const Zmm a = c.source(first);
  const Operand b = c.operand(1 - first);
  const Zmm difference = c.result();
  if (!c.mask_needed()) {
    c.code.vector(kVpsubd, difference, a, b);
    c.code.vector(kVpsubd, difference, difference, Operand::bits(1), {in});
    return;
  }
  const KMask out = c.mask_result(), wrapped = c.mask_temporary();
  c.code.compare(kVpcmpud, out, a, b, kLess);
  c.code.vector(kVpsubd, difference, a, b);
  c.code.test(kVptestnmd, wrapped, difference, difference, in);
  c.code.vector(kVpsubd, difference, difference, Operand::bits(1), {in});
  c.code.mask_op(kMaskOr, out, out, wrapped);
  restrict_mask(c, out);
}

constexpr Recipe floats(std::string_view name, std::uint8_t predicate, std::uint8_t mirrored) {
  return {name, emit_compare, kVcmpps, predicate, mirrored, true};
}
constexpr Recipe signeds(std::string_view name, std::uint8_t predicate, std::uint8_t mirrored) {
  return {name, emit_compare, kVpcmpd, predicate, mirrored};
}
constexpr Recipe unsigneds(std::string_view name, std::uint8_t predicate, std::uint8_t mirrored) {
  return {name, emit_compare, kVpcmpud, predicate, mirrored};
}

constexpr Recipe kRecipes[] = {
    floats("v_cmp_f_f32", 0x0b, 0x0b),
    floats("v_cmp_lt_f32", 0x11, 0x1e),
    floats("v_cmp_eq_f32", 0x00, 0x00),
    floats("v_cmp_le_f32", 0x12, 0x1d),
    floats("v_cmp_gt_f32", 0x1e, 0x11),
    floats("v_cmp_lg_f32", 0x0c, 0x0c),
    floats("v_cmp_ge_f32", 0x1d, 0x12),
    floats("v_cmp_o_f32", 0x07, 0x07),
    floats("v_cmp_u_f32", 0x03, 0x03),
    floats("v_cmp_nge_f32", 0x19, 0x16),
    floats("v_cmp_nlg_f32", 0x08, 0x08),
    floats("v_cmp_ngt_f32", 0x1a, 0x15),
    floats("v_cmp_nle_f32", 0x16, 0x19),
    floats("v_cmp_neq_f32", 0x04, 0x04),
    floats("v_cmp_nlt_f32", 0x15, 0x1a),
    floats("v_cmp_tru_f32", 0x0f, 0x0f),
    signeds("v_cmp_f_i32", 3, 3),
    signeds("v_cmp_lt_i32", 1, 6),
    signeds("v_cmp_eq_i32", 0, 0),
    signeds("v_cmp_le_i32", 2, 5),
    signeds("v_cmp_gt_i32", 6, 1),
    signeds("v_cmp_ne_i32", 4, 4),
    signeds("v_cmp_ge_i32", 5, 2),
    signeds("v_cmp_t_i32", 7, 7),
    unsigneds("v_cmp_f_u32", 3, 3),
    unsigneds("v_cmp_lt_u32", 1, 6),
    unsigneds("v_cmp_eq_u32", 0, 0),
    unsigneds("v_cmp_le_u32", 2, 5),
    unsigneds("v_cmp_gt_u32", 6, 1),
    unsigneds("v_cmp_ne_u32", 4, 4),
    unsigneds("v_cmp_ge_u32", 5, 2),
    unsigneds("v_cmp_t_u32", 7, 7),
    {"v_cmp_class_f32", emit_class, {}, 0, 0, true},
    {.name = "v_add_co_u32", .emit = emit_add_carry, .follows = Follows::kAddLow},
    {"v_sub_co_u32", emit_sub_borrow},
    {"v_subrev_co_u32", emit_sub_borrow, {}, 0, 0, false, false, true},
    {.name = "v_addc_co_u32", .emit = emit_add_with_carry, .follows = Follows::kAddHigh},
    {"v_subb_co_u32", emit_sub_with_borrow},
    {"v_subbrev_co_u32", emit_sub_with_borrow, {}, 0, 0, false, false, true},
};

}  // namespace

std::span<const Recipe> compare_recipes() { return kRecipes; }

}  // namespace wavetank::execute::jit
