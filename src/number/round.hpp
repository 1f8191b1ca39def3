// Rounding to a format from an exact value: the one place where the four rounding modes, overflow,
// gradual underflow and output flushing are decided.
#pragma once

#include "number/types.hpp"

namespace wavetank::number {

/// A finite operand taken apart: (-1)^negative * significand * 2^exponent, exactly.
struct Unpacked {
  bool negative;
  int exponent;  ///< weight of the significand's bit 0
  std::uint64_t significand;
};

/// Takes a finite value apart; infinities and NaNs are the caller's business.
template <Float T>
constexpr Unpacked unpack(T a) {
  using F = Format<T>;
  const int field = exponent_field(a);
  const std::uint64_t fraction = a.bits & F::kMantissaMask;
  const int first = 1 - F::kBias - F::kMantissaBits;
  if (field == 0) return {is_negative(a), first, fraction};
  return {is_negative(a), first + field - 1, fraction | F::kHidden};
}

/// Bits needed to write the value; 0 for 0.
constexpr int bit_length(std::uint64_t a) { return 64 - std::countl_zero(a); }
constexpr int bit_length(u128 a) {
  const auto high = static_cast<std::uint64_t>(a >> 64);
  return high != 0 ? 64 + bit_length(high) : bit_length(static_cast<std::uint64_t>(a));
}

/// a >> shift with every bit that falls out collected in bit 0.
template <class Bits>
constexpr Bits shift_right_sticky(Bits a, int shift) {
  constexpr int kWidth = static_cast<int>(sizeof(Bits)) * 8;
  if (shift <= 0) return a;
  if (shift >= kWidth) return a != 0;
  const Bits kept = a >> shift;
  return kept | static_cast<Bits>((kept << shift) != a);
}

/// Whether a magnitude is rounded away from zero, given its last kept bit and what was dropped.
constexpr bool rounds_away(Round round, bool negative, bool last_kept, bool above_half, bool half,
                           bool inexact) {
  switch (round) {
    case Round::kNearestEven: return above_half || (half && last_kept);
    case Round::kUp: return inexact && !negative;
    case Round::kDown: return inexact && negative;
    case Round::kZero: return false;
  }
  return false;
}

/// The value of a sum that cancels exactly, or overflows, depends on the direction only.
constexpr bool rounds_to_infinity(Round round, bool negative) {
  return round == Round::kNearestEven || (round == Round::kUp && !negative) ||
         (round == Round::kDown && negative);
}

/// The T nearest to (-1)^negative * significand * 2^exponent under the mode's rounding; overflow
/// gives infinity or the largest finite value as the rounding says, a result that is denormal
/// after rounding is flushed if the mode says so. Bit 0 of `significand` may be a sticky bit if it
/// lies at least two bits below the last bit that T can hold. Zero gives zero of the sign.
/// `Bits` is std::uint64_t or u128.
template <Float T, class Bits>
constexpr T round_to(bool negative, int exponent, Bits significand, const FloatMode& mode) {
  using F = Format<T>;
  if (significand == 0) return signed_zero<T>(negative);
  constexpr int kFirst = 1 - F::kBias - F::kMantissaBits;  // weight of the last denormal bit
  const int top = exponent + bit_length(significand) - 1;
  const int last = top - F::kMantissaBits > kFirst ? top - F::kMantissaBits : kFirst;
  if (last - kFirst >= F::kMaxExponent - 1) {
    return from_bits<T>((negative ? F::kSign : 0) |
                        (rounds_to_infinity(mode.round, negative) ? F::kInfinity : F::kMaxFinite));
  }
  std::uint64_t kept = 0;
  const int shift = last - exponent;
  if (shift <= 0) {
    kept = static_cast<std::uint64_t>(significand) << -shift;
  } else {
    const Bits doubled = shift_right_sticky(significand, shift - 2);  // two bits, last one sticky
    const Bits guarded = shift == 1 ? static_cast<Bits>(significand << 1) : doubled;
    kept = static_cast<std::uint64_t>(guarded >> 2);
    const auto dropped = static_cast<unsigned>(guarded & 3);
    kept += rounds_away(mode.round, negative, kept & 1, dropped == 3, dropped == 2, dropped != 0);
  }
  // Adding the hidden bit to the field below carries into the exponent by itself.
  const std::uint64_t bits =
      (static_cast<std::uint64_t>(last - kFirst) << F::kMantissaBits) + kept;
  if (bits >= F::kInfinity && !rounds_to_infinity(mode.round, negative)) {
    return from_bits<T>((negative ? F::kSign : 0) | F::kMaxFinite);
  }
  return flush_output(from_bits<T>((negative ? F::kSign : 0) | bits), mode);
}

/// How many low bits of a's pattern lie below the units digit, at most kMantissaBits + 1 when
/// |a| < 1, at least 0 when a has no fraction.
template <Float T>
constexpr int fraction_bits(T a) {
  using F = Format<T>;
  const int count = F::kBias + F::kMantissaBits - exponent_field(a);
  return count < 0 ? 0 : (count > F::kMantissaBits + 1 ? F::kMantissaBits + 1 : count);
}

/// a rounded to an integral value in the given direction; exact, keeps the sign of zero, quiets a
/// NaN. What v_trunc_*, v_ceil_*, v_floor_* and v_rndne_* do.
template <Float T>
constexpr T round_integral(T a, Round round, const FloatMode& mode) {
  using F = Format<T>;
  a = flush_input(a, mode);
  if (is_nan(a)) return quiet(a);
  const int count = fraction_bits(a);
  if (count == 0 || is_zero(a)) return a;
  const bool negative = is_negative(a);
  if (count > F::kMantissaBits) {  // |a| < 1
    const bool below_half = exponent_field(a) < F::kBias - 1;
    const bool above_half = !below_half && (a.bits & F::kMantissaMask) != 0;
    const bool one = rounds_away(round, negative, false, above_half, !below_half && !above_half,
                                 true);
    return from_bits<T>((negative ? F::kSign : 0) | (one ? F::kOne : 0));
  }
  const std::uint64_t unit = std::uint64_t{1} << count;
  const std::uint64_t dropped = a.bits & (unit - 1);
  // For count == kMantissaBits the units digit is the hidden one, which the lowest exponent bit
  // (odd for 1 <= |a| < 2) stands in for.
  const std::uint64_t kept = a.bits & ~(unit - 1);
  const bool away = rounds_away(round, negative, (kept & unit) != 0, dropped > unit / 2,
                                dropped == unit / 2, dropped != 0);
  return from_bits<T>(kept + (away ? unit : 0));
}
/// v_trunc_*: towards zero.
template <Float T>
constexpr T trunc(T a, const FloatMode& mode) {
  return round_integral(a, Round::kZero, mode);
}
/// v_ceil_*: towards +infinity.
template <Float T>
constexpr T ceil(T a, const FloatMode& mode) {
  return round_integral(a, Round::kUp, mode);
}
/// v_floor_*: towards -infinity.
template <Float T>
constexpr T floor(T a, const FloatMode& mode) {
  return round_integral(a, Round::kDown, mode);
}
/// v_rndne_*: to nearest, ties to even.
template <Float T>
constexpr T rndne(T a, const FloatMode& mode) {
  return round_integral(a, Round::kNearestEven, mode);
}

/// v_fract_*: a - floor(a) rounded, never 1: at most the largest value below 1 (LLVM's constant
/// folding of llvm.amdgcn.fract). Infinity gives the default NaN.
template <Float T>
constexpr T fract(T a, const FloatMode& mode) {
  using F = Format<T>;
  a = flush_input(a, mode);
  if (is_nan(a)) return quiet(a);
  if (is_infinite(a)) return default_nan<T>();
  const bool zero_below = mode.round == Round::kDown;
  const int count = fraction_bits(a);
  if (count == 0 || is_zero(a)) return signed_zero<T>(zero_below);
  const Unpacked u = unpack(a);
  // Below 2^-(kMantissaBits + 2) the exact 1 - |a| needs more bits than a word: a sticky one does.
  const int depth = -u.exponent;
  constexpr int kDeepest = 2 * F::kMantissaBits + 4 < 62 ? 2 * F::kMantissaBits + 4 : 62;
  const int lost = depth > kDeepest ? depth - kDeepest : 0;
  const std::uint64_t one = std::uint64_t{1} << (depth - lost);
  std::uint64_t part = u.significand;
  if (lost > 0 && !u.negative) return flush_output(a, mode);  // already the fraction
  part = shift_right_sticky(part, lost) & (one - 1);
  if (part == 0) return signed_zero<T>(zero_below);
  const T result =
      round_to<T>(false, lost - depth, u.negative ? one - part : part, mode);
  return magnitude(result) >= F::kOne ? from_bits<T>(F::kOne - 1) : result;
}

/// v_frexp_mant_*: the significand in [0.5, 1) with a's sign; zero and infinity unchanged, NaN
/// quieted. Denormals are normalised.
template <Float T>
constexpr T frexp_mant(T a, const FloatMode& mode) {
  using F = Format<T>;
  a = flush_input(a, mode);
  if (is_nan(a)) return quiet(a);
  if (is_infinite(a) || is_zero(a)) return a;
  const Unpacked u = unpack(a);
  const int shift = F::kMantissaBits + 1 - bit_length(u.significand);
  const std::uint64_t fraction = (u.significand << shift) & F::kMantissaMask;
  return from_bits<T>((u.negative ? F::kSign : 0) | fraction |
                      (std::uint64_t{F::kBias - 1} << F::kMantissaBits));
}
/// v_frexp_exp_*: e with a = frexp_mant(a) * 2^e; 0 for zero, infinity and NaN.
template <Float T>
constexpr std::int32_t frexp_exp(T a, const FloatMode& mode) {
  a = flush_input(a, mode);
  if (is_nan(a) || is_infinite(a) || is_zero(a)) return 0;
  const Unpacked u = unpack(a);
  return u.exponent + bit_length(u.significand);
}
/// v_ldexp_*: a * 2^exponent, rounded once.
template <Float T>
constexpr T ldexp(T a, std::int32_t exponent, const FloatMode& mode) {
  a = flush_input(a, mode);
  if (is_nan(a)) return quiet(a);
  if (is_infinite(a) || is_zero(a)) return a;
  const Unpacked u = unpack(a);
  const int limit = 5000;  // beyond the range of every format; keeps the sum from wrapping
  const int bounded = exponent > limit ? limit : (exponent < -limit ? -limit : exponent);
  return round_to<T>(u.negative, u.exponent + bounded, u.significand, mode);
}

}  // namespace wavetank::number
