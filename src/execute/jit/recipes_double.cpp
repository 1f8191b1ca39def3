// f64 arithmetic. A register pair is put together, 32 bits from each register, by the unpack
// instructions: they order lanes in a way of their own, which taking the result apart undoes.
#include "execute/jit/recipes.hpp"

namespace wavetank::execute::jit {
namespace {

/// 16 lanes of f64: two zmm.
struct Doubles {
  Zmm first, second;
};

constexpr std::uint64_t kSignBit = std::uint64_t{1} << 63, kOne = 0x3ff0000000000000;
constexpr std::uint32_t kUpperSize = 0x7fffffff, kUpperInfinity = 0x7ff00000;

/// Lanes with an infinity or a NaN, as the upper register tells, go to the interpreter.
void require_finite(StripCode& c, Zmm upper) {
  const Zmm size = c.temporary();
  c.code.vector(kVpandd, size, upper, Operand::bits(kUpperSize));
  c.require_below(size, kUpperInfinity);
}

Doubles joined(StripCode& c, Zmm low, Zmm high) {
  const Doubles value{c.temporary(), c.temporary()};
  c.code.vector(kVpunpckldq, value.first, low, high);
  c.code.vector(kVpunpckhdq, value.second, low, high);
  return value;
}

/// A source in registers of its own.
Doubles doubles(StripCode& c, unsigned index) {
  const bool negate = c.negated(index), absolute = c.absolute(index);
  if (c.is_vector(index)) {
    return joined(c, c.source(index, 0, false, false), c.source(index, 1, negate, absolute));
  }
  const Zmm value = c.temporary(), same = c.temporary();
  if (c.is_constant(index)) {
    std::uint64_t bits = c.op().constant[index];
    if (absolute) bits &= ~kSignBit;
    if (negate) bits ^= kSignBit;
    c.code.vector(kVpbroadcastq, value, Zmm{}, Operand::bits(bits));
  } else {
    const auto place = static_cast<std::int32_t>(c.op().src[index]);
    c.code.vector(kVpbroadcastq, value, Zmm{}, Operand::broadcast(Base::kWave, place));
    if (absolute) c.code.vector(kVpandq, value, value, Operand::bits(~kSignBit));
    if (negate) c.code.vector(kVpxorq, value, value, Operand::bits(kSignBit));
  }
  c.code.vector(kVmovdqa32, same, Zmm{}, value);
  return {value, same};
}

void give(StripCode& c, Doubles value) {
  constexpr std::uint8_t kEven = 0x88, kOdd = 0xdd;
  c.code.vector(kVshufps, c.result(0), value.first, value.second, kEven);
  const Zmm upper = c.result(1);
  c.code.vector(kVshufps, upper, value.first, value.second, kOdd);
  require_finite(c, upper);
}

void emit_arithmetic(StripCode& c, const Recipe& recipe) {
  const Doubles a = doubles(c, 0), b = doubles(c, 1);
  c.code.vector(recipe.opcode, a.first, a.first, b.first);
  c.code.vector(recipe.opcode, a.second, a.second, b.second);
  give(c, a);
}
void fused(StripCode& c, Doubles addend) {
  const Doubles a = doubles(c, 0), b = doubles(c, 1);
  c.code.vector(kVfmadd231pd, addend.first, a.first, b.first);
  c.code.vector(kVfmadd231pd, addend.second, a.second, b.second);
  give(c, addend);
}
void emit_fma(StripCode& c, const Recipe&) { fused(c, doubles(c, 2)); }
void emit_fmac(StripCode& c, const Recipe&) {
  fused(c, joined(c, c.accumulator(0), c.accumulator(1)));
}

/// Magnitudes in [2^-exponent, 2^exponent) only. A constant's test needs no code.
void require_moderate(StripCode& c, unsigned index, std::uint32_t exponent) {
  const std::uint32_t low = (1023 - exponent) << 20, high = (1023 + exponent) << 20;
  if (c.is_constant(index)) {
    const std::uint32_t size = c.constant(index, 1) & kUpperSize;
    if (size < low || size >= high) c.decline();
    return;
  }
  const Zmm size = c.temporary();
  c.code.vector(kVpandd, size, c.source(index, 1), Operand::bits(kUpperSize));
  c.code.vector(kVpsubd, size, size, Operand::bits(low));
  c.require_below(size, high - low);
}
/// Exponents of operands whose quotient needs no scaling (number::DivideLimits), and whose
/// reciprocal is an ordinary number.
constexpr std::uint32_t kDivisible = 383, kInvertible = 1021;

bool same_source(const StripCode& c, unsigned a, unsigned b) {
  return c.same_source(a, b) && (!c.is_constant(a) || c.constant(a, 1) == c.constant(b, 1));
}

void emit_rcp(StripCode& c, const Recipe&) {
  require_moderate(c, 0, kInvertible);
  const Doubles a = doubles(c, 0);
  const Zmm one = c.temporary();
  c.code.vector(kVpbroadcastq, one, Zmm{}, Operand::bits(kOne));
  c.code.vector(kVdivpd, a.first, one, a.first);
  c.code.vector(kVdivpd, a.second, one, a.second);
  give(c, a);
}

/// What is scaled is one of the others, or nobody knows what the row does.
void emit_div_scale(StripCode& c, const Recipe&) {
  if (!same_source(c, 0, 1) && !same_source(c, 0, 2)) return c.decline();
  require_moderate(c, 1, kDivisible);
  require_moderate(c, 2, kDivisible);
  for (const unsigned part : {0u, 1u}) c.give(c.copy_of_source(0, part, false), part);
  give_empty_mask(c);
}
void emit_div_fmas(StripCode& c, const Recipe&) {
  require_empty_vcc(c);
  fused(c, doubles(c, 2));
}
/// The quotient's magnitude with the sign of denominator and numerator.
void emit_div_fixup(StripCode& c, const Recipe&) {
  require_moderate(c, 1, kDivisible);
  require_moderate(c, 2, kDivisible);
  const Zmm sign = c.temporary();
  c.code.vector(kVpxord, sign, c.source(1, 1), c.operand(2, 1));
  c.give(c.copy_of_source(0, 0, false), 0);
  const Zmm upper = c.copy_of_source(0, 1, false);
  // Sign bit from `sign`, all others from the quotient.
  constexpr std::uint8_t kThirdChooses = 0xd8;
  c.code.vector(kVpternlogd, upper, sign, Operand::bits(0x80000000), kThirdChooses);
  c.give(upper, 1);
  require_finite(c, upper);
}

constexpr Recipe kRecipes[] = {
    {"v_add_f64", emit_arithmetic, kVaddpd, 0, 0, true},
    {"v_mul_f64", emit_arithmetic, kVmulpd, 0, 0, true},
    {"v_fma_f64", emit_fma, {}, 0, 0, true},
    {"v_fmac_f64", emit_fmac, {}, 0, 0, true},
    {"v_rcp_f64", emit_rcp, {}, 0, 0, true},
    {"v_div_scale_f64", emit_div_scale},
    {"v_div_fmas_f64", emit_div_fmas, {}, 0, 0, true},
    {"v_div_fixup_f64", emit_div_fixup},
};

}  // namespace

std::span<const Recipe> double_recipes() { return kRecipes; }

}  // namespace wavetank::execute::jit
