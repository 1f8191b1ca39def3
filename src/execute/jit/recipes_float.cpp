// f32 arithmetic. Results may be NaN, and then the GPU's rule decides which: such strips are left
// to the interpreter, as are operands that square root and division treat apart (vector/quick.hpp).
#include "execute/jit/recipes.hpp"

namespace wavetank::execute::jit {
namespace {

constexpr std::uint32_t kHidden = 0x00800000, kInfinity = 0x7f800000, kOne = 0x3f800000;

/// One part of a two-operand instruction, each operand with its own register of a pair.
struct Factors {
  unsigned part[3];
  bool negate[3], absolute[3];
};

Factors plain(const StripCode& c) {
  Factors f{};
  for (unsigned i = 0; i < 3; ++i) {
    f.negate[i] = c.negated(i);
    f.absolute[i] = c.absolute(i);
  }
  return f;
}
/// VOP3P: op_sel and neg_lo for the low result, op_sel_hi and neg_hi (in abs) for the high one.
Factors packed(const StripCode& c, bool high) {
  Factors f{};
  for (unsigned i = 0; i < 3; ++i) {
    f.part[i] = ((high ? c.op().op_sel_hi : c.op().op_sel) >> i) & 1;
    f.negate[i] = (((high ? c.op().abs : c.op().neg) >> i) & 1) != 0;
  }
  return f;
}

void arithmetic(StripCode& c, const Recipe& recipe, const Factors& f, unsigned part) {
  unsigned first = recipe.reversed ? 1 : 0;
  if (recipe.commutes && !c.is_vector(first)) first = 1 - first;
  const unsigned last = 1 - first;
  const Zmm a = c.source(first, f.part[first], f.negate[first], f.absolute[first]);
  const Operand b = c.operand(last, f.part[last], f.negate[last], f.absolute[last]);
  c.code.vector(recipe.opcode, c.result(part), a, b);
  c.may_be_nan(part);
}
void emit_arithmetic(StripCode& c, const Recipe& recipe) { arithmetic(c, recipe, plain(c), 0); }
void emit_packed(StripCode& c, const Recipe& recipe) {
  for (const unsigned part : {0u, 1u}) arithmetic(c, recipe, packed(c, part == 1), part);
}

/// fma with the signs of product and addend in the opcode. The addend's register becomes the
/// result's, or a factor's does.
void fused(StripCode& c, const Factors& f, unsigned part, bool accumulates) {
  const bool negative = !f.absolute[0] && !f.absolute[1] && f.negate[0] != f.negate[1];
  const bool keep_signs = f.absolute[0] || f.absolute[1];
  const auto signs = [&](Opcode opcode, bool subtracts) {
    opcode.code = static_cast<std::uint8_t>(opcode.code + (subtracts ? kSubtractsAddend : 0) +
                                            (negative ? kNegatesProduct : 0));
    return opcode;
  };
  const auto factor = [&](unsigned i) {
    return c.source(i, f.part[i], keep_signs && f.negate[i], f.absolute[i]);
  };
  const auto factor_operand = [&](unsigned i) {
    return c.operand(i, f.part[i], keep_signs && f.negate[i], f.absolute[i]);
  };
  const unsigned first = c.is_vector(0) ? 0 : 1;
  if (!accumulates && !c.is_vector(2) && c.is_vector(first) && !f.absolute[first] &&
      !(keep_signs && f.negate[first])) {
    const Zmm value = c.copy_of_source(first, f.part[first], true);
    const Zmm other = factor(1 - first);
    const Operand addend = c.operand(2, f.part[2], false, f.absolute[2]);
    c.code.vector(signs(kVfmadd213ps, f.negate[2]), value, other, addend);
    c.give(value, part);
  } else {
    const Zmm a = factor(first);
    const Operand b = factor_operand(1 - first);
    Zmm value;
    bool subtracts = f.negate[2];
    if (accumulates) {
      value = c.copy_of_accumulator(part, true);
      subtracts = false;
    } else if (f.absolute[2]) {
      value = c.source(2, f.part[2], f.negate[2], true);
      subtracts = false;
    } else {
      value = c.copy_of_source(2, f.part[2], true);
    }
    c.code.vector(signs(kVfmadd231ps, subtracts), value, a, b);
    c.give(value, part);
  }
  c.may_be_nan(part);
}
void emit_fma(StripCode& c, const Recipe&) { fused(c, plain(c), 0, false); }
void emit_fmac(StripCode& c, const Recipe&) { fused(c, plain(c), 0, true); }
void emit_packed_fma(StripCode& c, const Recipe&) {
  for (const unsigned part : {0u, 1u}) fused(c, packed(c, part == 1), part, false);
}

/// min and max order -0 below +0, as vrangeps does.
void emit_range(StripCode& c, const Recipe& recipe) {
  const Zmm a = c.source(0);
  const Operand b = c.operand(1);
  c.require_ordered(a, b);
  c.code.vector(kVrangeps, c.result(), a, b, recipe.immediate);
}
void emit_range3(StripCode& c, const Recipe& recipe) {
  const Zmm a = c.source(0), last = c.source(2);
  const Operand b = c.operand(1);
  c.require_ordered(a, b);
  c.require_ordered(last, last);
  const Zmm value = c.result();
  c.code.vector(kVrangeps, value, a, b, recipe.immediate);
  c.code.vector(kVrangeps, value, value, last, recipe.immediate);
}

void emit_select(StripCode& c, const Recipe&) {
  if (c.is_constant(2)) return c.decline();
  const KMask mask = c.mask_source(c.op().src[2] / 4);
  const Zmm otherwise = c.source(0);
  const Operand chosen = c.operand(1);
  c.code.vector(kVpblendmd, c.result(), otherwise, chosen, {mask});
}

void emit_unary(StripCode& c, const Recipe& recipe) {
  const Operand a = c.operand(0);
  c.code.vector(recipe.opcode, c.result(), Zmm{}, a);
}
void emit_round(StripCode& c, const Recipe& recipe) {
  const Operand a = c.operand(0);
  c.code.vector(kVrndscaleps, c.result(), Zmm{}, a, recipe.immediate);
  c.may_be_nan();
}

/// Magnitudes in [2^-exponent, 2^exponent) only.
void require_moderate(StripCode& c, Zmm value, unsigned exponent) {
  const std::uint32_t low = (127 - exponent) << 23, high = (127 + exponent) << 23;
  const Zmm size = c.temporary();
  c.code.vector(kVpandd, size, value, Operand::bits(0x7fffffff));
  c.code.vector(kVpsubd, size, size, Operand::bits(low));
  c.require_below(size, high - low);
}
constexpr unsigned kDivisible = 47, kInvertible = 125;

void emit_sqrt(StripCode& c, const Recipe&) {
  const Zmm a = c.source(0), above = c.temporary();
  c.code.vector(kVpsubd, above, a, Operand::bits(kHidden));
  c.require_below(above, kInfinity - kHidden);
  c.code.vector(kVsqrtps, c.result(), Zmm{}, a);
}
void emit_rcp(StripCode& c, const Recipe&) {
  const Zmm a = c.source(0), one = c.temporary();
  require_moderate(c, a, kInvertible);
  c.code.vector(kVpbroadcastd, one, Zmm{}, Operand::bits(kOne));
  c.code.vector(kVdivps, c.result(), one, a);
}

/// A constant needs its test only now: an impossible one leaves the row to the interpreter.
void require_divisible(StripCode& c, unsigned index) {
  if (c.is_constant(index)) {
    const std::uint32_t size = c.constant(index) & 0x7fffffff;
    if (size < (127 - kDivisible) << 23 || size >= (127 + kDivisible) << 23) c.decline();
  } else {
    require_moderate(c, c.source(index), kDivisible);
  }
}
void emit_div_scale(StripCode& c, const Recipe&) {
  require_divisible(c, 1);
  require_divisible(c, 2);
  const Zmm value = c.copy_of_source(0, 0, false);
  c.give(value);
  if (!c.same_source(0, 1) && !c.same_source(0, 2)) c.require_ordered(value, value);
  give_empty_mask(c);
}
void emit_div_fmas(StripCode& c, const Recipe&) {
  require_empty_vcc(c);
  fused(c, plain(c), 0, false);
}
/// The quotient's magnitude with the sign of denominator and numerator.
void emit_div_fixup(StripCode& c, const Recipe&) {
  require_divisible(c, 1);
  require_divisible(c, 2);
  const Zmm sign = c.temporary();
  c.code.vector(kVpxord, sign, c.source(1), c.operand(2));
  const Zmm value = c.copy_of_source(0, 0, false);
  // Sign bit from `sign`, all others from the quotient.
  constexpr std::uint8_t kThirdChooses = 0xd8;
  c.code.vector(kVpternlogd, value, sign, Operand::bits(0x80000000), kThirdChooses);
  c.give(value);
  c.require_ordered(value, value);
}

/// Truncated and saturated; NaN gives 0.
void emit_to_unsigned(StripCode& c, const Recipe&) {
  const Zmm a = c.source(0), zero = c.temporary(), positive = c.temporary();
  c.code.vector(kVpxord, zero, zero, zero);
  c.code.vector(kVmaxps, positive, a, zero);  // the second operand if the first is NaN
  c.code.vector(kVcvttps2udq, c.result(), Zmm{}, positive);
}
void emit_to_signed(StripCode& c, const Recipe&) {
  constexpr std::uint8_t kAtLeast = 0x1d;
  constexpr std::uint32_t kTwoTo31 = 0x4f000000;
  const Zmm a = c.source(0), value = c.result();
  const KMask known = c.mask_temporary(), high = c.mask_temporary();
  c.code.compare(kVcmpps, known, a, a, kOrdered);
  c.code.compare(kVcmpps, high, a, Operand::bits(kTwoTo31), kAtLeast);
  c.code.vector(kVcvttps2dq, value, Zmm{}, a, {known, true});
  c.code.vector(kVpbroadcastd, value, Zmm{}, Operand::bits(0x7fffffff), {high});
}
/// Byte `immediate` / 8 of the source.
void emit_byte(StripCode& c, const Recipe& recipe) {
  const Zmm a = c.source(0), value = c.result();
  c.code.vector(kVpsrld, value, Zmm{}, a, recipe.immediate);
  c.code.vector(kVpandd, value, value, Operand::bits(0xff));
  c.code.vector(kVcvtdq2ps, value, Zmm{}, value);
}

constexpr std::uint8_t kSmaller = 4, kLarger = 5;  // vrangeps, sign of the chosen operand
constexpr std::uint8_t kNearest = 8, kDown = 9, kUp = 10, kTowardsZero = 11;  // vrndscaleps

constexpr Recipe kRecipes[] = {
    {"v_add_f32", emit_arithmetic, kVaddps, 0, 0, true, true},
    {"v_mul_f32", emit_arithmetic, kVmulps, 0, 0, true, true},
    {"v_sub_f32", emit_arithmetic, kVsubps, 0, 0, true},
    {"v_subrev_f32", emit_arithmetic, kVsubps, 0, 0, true, false, true},
    {"v_pk_add_f32", emit_packed, kVaddps, 0, 0, true, true},
    {"v_pk_mul_f32", emit_packed, kVmulps, 0, 0, true, true},
    {"v_pk_fma_f32", emit_packed_fma, {}, 0, 0, true},
    {"v_fma_f32", emit_fma, {}, 0, 0, true},
    {"v_fmaak_f32", emit_fma},
    {"v_fmamk_f32", emit_fma},
    {"v_fmac_f32", emit_fmac, {}, 0, 0, true},
    {"v_min_f32", emit_range, {}, kSmaller, 0, true},
    {"v_max_f32", emit_range, {}, kLarger, 0, true},
    {"v_min3_f32", emit_range3, {}, kSmaller, 0, true},
    {"v_max3_f32", emit_range3, {}, kLarger, 0, true},
    {"v_cndmask_b32", emit_select, {}, 0, 0, true},
    {"v_floor_f32", emit_round, {}, kDown, 0, true},
    {"v_ceil_f32", emit_round, {}, kUp, 0, true},
    {"v_trunc_f32", emit_round, {}, kTowardsZero, 0, true},
    {"v_rndne_f32", emit_round, {}, kNearest, 0, true},
    {"v_sqrt_f32", emit_sqrt, {}, 0, 0, true},
    {"v_rcp_f32", emit_rcp, {}, 0, 0, true},
    {"v_rcp_iflag_f32", emit_rcp, {}, 0, 0, true},
    {"v_div_scale_f32", emit_div_scale},
    {"v_div_fmas_f32", emit_div_fmas, {}, 0, 0, true},
    {"v_div_fixup_f32", emit_div_fixup},
    {"v_cvt_f32_i32", emit_unary, kVcvtdq2ps},
    {"v_cvt_f32_u32", emit_unary, kVcvtudq2ps},
    {"v_cvt_u32_f32", emit_to_unsigned, {}, 0, 0, true},
    {"v_cvt_i32_f32", emit_to_signed, {}, 0, 0, true},
    {"v_cvt_f32_ubyte0", emit_byte, {}, 0},
    {"v_cvt_f32_ubyte1", emit_byte, {}, 8},
    {"v_cvt_f32_ubyte2", emit_byte, {}, 16},
    {"v_cvt_f32_ubyte3", emit_byte, {}, 24},
};

}  // namespace

std::span<const Recipe> float_recipes() { return kRecipes; }

}  // namespace wavetank::execute::jit
