// Addition, multiplication and fused multiply-add of f16, f32 and f64 with one rounding.
// NaN rule: the first NaN operand in the order src0, src1, src2, quieted, payload and sign kept;
// an invalid operation gives the default NaN.
//
// Each operation has an exact integer form (`exact::`), which serves every mode, and under
// round-to-nearest a form on the host's float unit. The host decides neither NaN nor flushing.
#pragma once

#include <cmath>

#include "number/binary16.hpp"
#include "number/round.hpp"
#include "number/types.hpp"

namespace wavetank::number {

/// The first NaN of the operands in order, quieted; the default NaN if none is one.
template <Float T>
constexpr T propagate_nan(T a, T b) {
  return is_nan(a) ? quiet(a) : (is_nan(b) ? quiet(b) : default_nan<T>());
}
template <Float T>
constexpr T propagate_nan(T a, T b, T c) {
  return is_nan(a) ? quiet(a) : propagate_nan(b, c);
}

/// The integer forms: any format, any mode. Operands are taken as they are (already flushed).
namespace exact {

/// One exact term of a sum: (-1)^negative * significand * 2^exponent.
struct Term {
  bool negative;
  int exponent;
  u128 significand;  ///< at most 125 bits
};

/// The sum of two terms times 2^scale, rounded once to T.
template <Float T>
constexpr T round_sum(Term a, Term b, const FloatMode& mode, int scale = 0) {
  if (a.significand == 0 && b.significand == 0) {
    const bool negative =
        a.negative == b.negative ? a.negative : mode.round == Round::kDown;
    return signed_zero<T>(negative);
  }
  if (a.significand == 0) return round_to<T>(b.negative, b.exponent + scale, b.significand, mode);
  if (b.significand == 0) return round_to<T>(a.negative, a.exponent + scale, a.significand, mode);
  // With both top bits at 125 a shift that loses bits exceeds the low zeros of either operand, so
  // at most one bit cancels and a sticky bit stands for the rest.
  const int up_a = 126 - bit_length(a.significand);
  const int up_b = 126 - bit_length(b.significand);
  a = {a.negative, a.exponent - up_a, a.significand << up_a};
  b = {b.negative, b.exponent - up_b, b.significand << up_b};
  if (a.exponent < b.exponent) {
    const Term swap = a;
    a = b;
    b = swap;
  }
  const u128 aligned = shift_right_sticky(b.significand, a.exponent - b.exponent);
  if (a.negative == b.negative) {
    return round_to<T>(a.negative, a.exponent + scale, a.significand + aligned, mode);
  }
  if (a.significand == aligned) return signed_zero<T>(mode.round == Round::kDown);
  const bool flips = aligned > a.significand;
  return round_to<T>(a.negative != flips, a.exponent + scale,
                     flips ? aligned - a.significand : a.significand - aligned, mode);
}

/// a + b.
template <Float T>
constexpr T add(T a, T b, const FloatMode& mode) {
  if (is_nan(a) || is_nan(b)) return propagate_nan(a, b);
  if (is_infinite(a)) {
    return is_infinite(b) && is_negative(a) != is_negative(b) ? default_nan<T>() : a;
  }
  if (is_infinite(b)) return b;
  const Unpacked ua = unpack(a);
  const Unpacked ub = unpack(b);
  return round_sum<T>({ua.negative, ua.exponent, ua.significand},
                      {ub.negative, ub.exponent, ub.significand}, mode);
}

/// a * b.
template <Float T>
constexpr T mul(T a, T b, const FloatMode& mode) {
  if (is_nan(a) || is_nan(b)) return propagate_nan(a, b);
  const bool negative = is_negative(a) != is_negative(b);
  if (is_infinite(a) || is_infinite(b)) {
    return is_zero(a) || is_zero(b) ? default_nan<T>() : infinity<T>(negative);
  }
  const Unpacked ua = unpack(a);
  const Unpacked ub = unpack(b);
  return round_to<T>(negative, ua.exponent + ub.exponent,
                     static_cast<u128>(ua.significand) * ub.significand, mode);
}

/// (a * b + c) * 2^scale, rounded once.
template <Float T>
constexpr T fma(T a, T b, T c, const FloatMode& mode, int scale = 0) {
  if (is_nan(a) || is_nan(b) || is_nan(c)) return propagate_nan(a, b, c);
  const bool negative = is_negative(a) != is_negative(b);
  if (is_infinite(a) || is_infinite(b)) {
    const bool invalid =
        is_zero(a) || is_zero(b) || (is_infinite(c) && is_negative(c) != negative);
    return invalid ? default_nan<T>() : infinity<T>(negative);
  }
  if (is_infinite(c)) return c;
  const Unpacked ua = unpack(a);
  const Unpacked ub = unpack(b);
  const Unpacked uc = unpack(c);
  const u128 product = static_cast<u128>(ua.significand) * ub.significand;
  return round_sum<T>({negative, ua.exponent + ub.exponent, product},
                      {uc.negative, uc.exponent, uc.significand}, mode, scale);
}

}  // namespace exact

/// Whether the host's round-to-nearest float unit gives the exact form's result for T.
template <class T>
inline constexpr bool kHasHostFloat = std::same_as<T, f32> || std::same_as<T, f64>;

/// A host result as the instruction writes it: NaN by our rule, denormals as the mode says.
template <Float T>
inline T finish_host(T result, T a, T b, const FloatMode& mode) {
  if (is_nan(result)) [[unlikely]] return propagate_nan(a, b);
  return flush_output(result, mode);
}

/// a + b (v_add_*).
template <Float T>
inline T add(T a, T b, const FloatMode& mode) {
  a = flush_input(a, mode);
  b = flush_input(b, mode);
  if constexpr (kHasHostFloat<T>) {
    if (mode.round == Round::kNearestEven) [[likely]] {
      return finish_host(from_host(to_host(a) + to_host(b)), a, b, mode);
    }
  }
  if constexpr (std::same_as<T, f16>) {
    if (mode.round == Round::kNearestEven && detail::is_finite_half(a) &&
        detail::is_finite_half(b)) [[likely]] {
      const double exact = detail::half_to_double(a) + detail::half_to_double(b);
      return flush_output(detail::double_to_half(exact), mode);
    }
  }
  return exact::add(a, b, mode);
}

/// a - b (v_sub_*). A NaN in b keeps its sign.
template <Float T>
inline T sub(T a, T b, const FloatMode& mode) {
  return add(a, is_nan(b) ? b : negate(b), mode);
}

/// a * b (v_mul_*).
template <Float T>
inline T mul(T a, T b, const FloatMode& mode) {
  a = flush_input(a, mode);
  b = flush_input(b, mode);
  if constexpr (kHasHostFloat<T>) {
    if (mode.round == Round::kNearestEven) [[likely]] {
      return finish_host(from_host(to_host(a) * to_host(b)), a, b, mode);
    }
  }
  if constexpr (std::same_as<T, f16>) {
    if (mode.round == Round::kNearestEven && detail::is_finite_half(a) &&
        detail::is_finite_half(b)) [[likely]] {
      const double exact = detail::half_to_double(a) * detail::half_to_double(b);
      return flush_output(detail::double_to_half(exact), mode);
    }
  }
  return exact::mul(a, b, mode);
}

namespace detail {

/// fma of f32 by way of double, where that is certainly right: the product is exact, so the sum is
/// rounded twice only, and the second rounding errs only on a tie or below the normal range.
inline bool fma_in_double(f32 a, f32 b, f32 c, f32& result) {
  const double product = static_cast<double>(to_host(a)) * static_cast<double>(to_host(b));
  const double sum = product + static_cast<double>(to_host(c));
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(sum);
  constexpr std::uint64_t kTieMask = (std::uint64_t{1} << 29) - 1;
  constexpr std::uint64_t kMinNormalField = 1023 - 126;
  const bool tie = (bits & kTieMask) == (std::uint64_t{1} << 28);
  const bool small = ((bits >> 52) & 0x7ff) < kMinNormalField;
  if (tie || (small && sum != 0)) return false;
  result = from_host(static_cast<float>(sum));
  return true;
}

}  // namespace detail

/// a * b + c, rounded once (v_fma_*, v_fmac_*, v_pk_fma_*).
template <Float T>
inline T fma(T a, T b, T c, const FloatMode& mode) {
  a = flush_input(a, mode);
  b = flush_input(b, mode);
  c = flush_input(c, mode);
  if constexpr (kHasHostFloat<T>) {
    if (mode.round == Round::kNearestEven) [[likely]] {
      T result;
      bool valid = true;
      if constexpr (std::same_as<T, f64>) {
        result = from_host(std::fma(to_host(a), to_host(b), to_host(c)));
      } else {
        valid = detail::fma_in_double(a, b, c, result);
      }
      if (valid) [[likely]] {
        if (is_nan(result)) [[unlikely]] return propagate_nan(a, b, c);
        return flush_output(result, mode);
      }
    }
  }
  if constexpr (std::same_as<T, f16>) {
    if (mode.round == Round::kNearestEven && detail::is_finite_half(a) &&
        detail::is_finite_half(b) && detail::is_finite_half(c)) [[likely]] {
      const double product = detail::half_to_double(a) * detail::half_to_double(b);
      const double sum = detail::add_to_odd(product, detail::half_to_double(c));
      return flush_output(detail::double_to_half(sum), mode);
    }
  }
  return exact::fma(a, b, c, mode);
}

/// v_mul_legacy_f32: zero times anything, infinity and NaN included, is +0.
inline f32 mul_legacy(f32 a, f32 b, const FloatMode& mode) {
  if (is_zero(flush_input(a, mode)) || is_zero(flush_input(b, mode))) return {0};
  return mul(a, b, mode);
}

/// The mode in which v_mad_f32 and its kin compute: denormals are flushed on the way in and out
/// whatever MODE says (LLVM selects them only for functions that flush f32 denormals).
constexpr FloatMode flushing(FloatMode mode) {
  mode.flush_input_denormals = true;
  mode.flush_output_denormals = true;
  return mode;
}

/// v_mad_f32, v_mac_f32: the product is rounded before the addition; denormals always flushed.
inline f32 mad(f32 a, f32 b, f32 c, const FloatMode& mode) {
  const FloatMode flush_mode = flushing(mode);
  if (is_nan(a) || is_nan(b) || is_nan(c)) return propagate_nan(a, b, c);
  return add(mul(a, b, flush_mode), c, flush_mode);
}
/// v_mad_legacy_f32: mad whose product follows mul_legacy.
inline f32 mad_legacy(f32 a, f32 b, f32 c, const FloatMode& mode) {
  const FloatMode flush_mode = flushing(mode);
  return add(mul_legacy(a, b, flush_mode), c, flush_mode);
}
/// v_mad_f16, v_mac_f16: product and sum each rounded, denormals as MODE says.
inline f16 mad(f16 a, f16 b, f16 c, const FloatMode& mode) {
  if (is_nan(a) || is_nan(b) || is_nan(c)) return propagate_nan(a, b, c);
  return add(mul(a, b, mode), c, mode);
}

}  // namespace wavetank::number
