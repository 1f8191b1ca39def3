// The number formats of the GPU as raw bits, and the part of MODE that arithmetic depends on.
// Nothing here relies on the host's float semantics: a value is its bit pattern.
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>

namespace wavetank::number {

__extension__ typedef unsigned __int128 u128;
__extension__ typedef __int128 i128;

// The names are those of the ISA manual's pseudo-code.

/// IEEE binary16.
struct f16 {
  std::uint16_t bits = 0;
  friend constexpr bool operator==(f16, f16) = default;
};
/// bfloat16: the upper half of a binary32.
struct bf16 {
  std::uint16_t bits = 0;
  friend constexpr bool operator==(bf16, bf16) = default;
};
/// IEEE binary32.
struct f32 {
  std::uint32_t bits = 0;
  friend constexpr bool operator==(f32, f32) = default;
};
/// IEEE binary64.
struct f64 {
  std::uint64_t bits = 0;
  friend constexpr bool operator==(f64, f64) = default;
};
/// gfx942's fp8: E4M3FNUZ (bias 8, no infinity, 0x80 is the only NaN). Source: CDNA3 ISA,
/// "FP8 and BF8"; the OCP encodings belong to later parts.
struct fp8 {
  std::uint8_t bits = 0;
  friend constexpr bool operator==(fp8, fp8) = default;
};
/// gfx942's bf8: E5M2FNUZ (bias 16, no infinity, 0x80 is the only NaN).
struct bf8 {
  std::uint8_t bits = 0;
  friend constexpr bool operator==(bf8, bf8) = default;
};

/// MODE.fp_round, two bits per precision, in its hardware encoding.
enum class Round : std::uint8_t {
  kNearestEven = 0,
  kUp = 1,    ///< towards +infinity
  kDown = 2,  ///< towards -infinity
  kZero = 3,
};

/// How one precision behaves. A wave has two: one for f32, one for f64 and f16.
struct FloatMode {
  Round round = Round::kNearestEven;
  bool flush_input_denormals = false;   ///< a denormal operand counts as zero of its sign
  bool flush_output_denormals = false;  ///< a denormal result becomes zero of its sign
  bool ieee = true;        ///< MODE.ieee: min, max and med3 quiet and propagate signalling NaNs
  bool dx10_clamp = true;  ///< MODE.dx10_clamp: the clamp modifier turns NaN into 0
};

/// From MODE's two-bit fields. `denormals` is 0 flush operands and results, 1 flush results only,
/// 2 flush operands only, 3 flush neither (CDNA3 ISA, "MODE register", FP_DENORM).
constexpr FloatMode float_mode(unsigned round_field, unsigned denormals, bool ieee,
                               bool dx10_clamp) {
  return {static_cast<Round>(round_field & 3), (denormals & 1) == 0, (denormals & 2) == 0, ieee,
          dx10_clamp};
}
/// The f32 mode in a MODE register value (fp_round[1:0], fp_denorm[5:4], dx10_clamp 8, ieee 9).
constexpr FloatMode f32_mode(std::uint32_t mode) {
  return float_mode(mode & 3, (mode >> 4) & 3, (mode >> 9) & 1, (mode >> 8) & 1);
}
/// The f64 and f16 mode in a MODE register value (fp_round[3:2], fp_denorm[7:6]).
constexpr FloatMode f64_f16_mode(std::uint32_t mode) {
  return float_mode((mode >> 2) & 3, (mode >> 6) & 3, (mode >> 9) & 1, (mode >> 8) & 1);
}

/// The shape of a format with infinities and NaNs in its all-ones exponent.
template <class T>
struct Format;
template <class BitsType, int kMantissa, int kExponent>
struct IeeeFormat {
  using Bits = BitsType;
  static constexpr int kMantissaBits = kMantissa;  ///< stored, without the hidden one
  static constexpr int kExponentBits = kExponent;
  static constexpr int kBias = (1 << (kExponent - 1)) - 1;
  static constexpr int kMaxExponent = (1 << kExponent) - 1;  ///< the all-ones field
  static constexpr Bits kHidden = static_cast<Bits>(Bits{1} << kMantissa);
  static constexpr Bits kMantissaMask = static_cast<Bits>(kHidden - 1);
  static constexpr Bits kQuietBit = static_cast<Bits>(Bits{1} << (kMantissa - 1));
  static constexpr Bits kSign = static_cast<Bits>(Bits{1} << (kMantissa + kExponent));
  static constexpr Bits kInfinity = static_cast<Bits>(Bits{kMaxExponent} << kMantissa);
  static constexpr Bits kMaxFinite = static_cast<Bits>(kInfinity - 1);
  static constexpr Bits kOne = static_cast<Bits>(Bits{kBias} << kMantissa);
  static constexpr Bits kDefaultNan = static_cast<Bits>(kInfinity | kQuietBit);
};
template <>
struct Format<f16> : IeeeFormat<std::uint16_t, 10, 5> {};
template <>
struct Format<bf16> : IeeeFormat<std::uint16_t, 7, 8> {};
template <>
struct Format<f32> : IeeeFormat<std::uint32_t, 23, 8> {};
template <>
struct Format<f64> : IeeeFormat<std::uint64_t, 52, 11> {};

/// f16, bf16, f32 or f64.
template <class T>
concept Float = requires { Format<T>::kMantissaBits; };

/// A T from bits of any width, truncated.
template <Float T>
constexpr T from_bits(std::uint64_t bits) {
  return T{static_cast<typename Format<T>::Bits>(bits)};
}
/// The bits without the sign.
template <Float T>
constexpr typename Format<T>::Bits magnitude(T a) {
  return static_cast<typename Format<T>::Bits>(a.bits & ~Format<T>::kSign);
}
template <Float T>
constexpr bool is_negative(T a) {
  return (a.bits & Format<T>::kSign) != 0;
}
template <Float T>
constexpr bool is_nan(T a) {
  return magnitude(a) > Format<T>::kInfinity;
}
template <Float T>
constexpr bool is_signaling(T a) {
  return is_nan(a) && (a.bits & Format<T>::kQuietBit) == 0;
}
template <Float T>
constexpr bool is_infinite(T a) {
  return magnitude(a) == Format<T>::kInfinity;
}
template <Float T>
constexpr bool is_zero(T a) {
  return magnitude(a) == 0;
}
template <Float T>
constexpr bool is_denormal(T a) {
  return magnitude(a) != 0 && magnitude(a) < Format<T>::kHidden;
}
/// The exponent field, biased.
template <Float T>
constexpr int exponent_field(T a) {
  return static_cast<int>(magnitude(a) >> Format<T>::kMantissaBits);
}
/// Zero of a's sign.
template <Float T>
constexpr T signed_zero(bool negative) {
  return from_bits<T>(negative ? Format<T>::kSign : 0);
}
/// Infinity of the sign.
template <Float T>
constexpr T infinity(bool negative) {
  return from_bits<T>(Format<T>::kInfinity | (negative ? Format<T>::kSign : 0));
}
/// The quiet NaN that an invalid operation gives: 0x7e00, 0x7fc00000, 0x7ff8000000000000.
template <Float T>
constexpr T default_nan() {
  return from_bits<T>(Format<T>::kDefaultNan);
}
/// A NaN with its quiet bit set; sign and payload stay.
template <Float T>
constexpr T quiet(T nan) {
  return from_bits<T>(nan.bits | Format<T>::kQuietBit);
}
/// The neg operand modifier: flips the sign of anything, NaN included.
template <Float T>
constexpr T negate(T a) {
  return from_bits<T>(a.bits ^ Format<T>::kSign);
}
/// The abs operand modifier: clears the sign of anything, NaN included.
template <Float T>
constexpr T absolute(T a) {
  return from_bits<T>(magnitude(a));
}
/// A denormal becomes zero of its sign; everything else stays.
template <Float T>
constexpr T flush(T a) {
  return is_denormal(a) ? signed_zero<T>(is_negative(a)) : a;
}
/// The operand as an instruction with this mode sees it.
template <Float T>
constexpr T flush_input(T a, const FloatMode& mode) {
  return mode.flush_input_denormals ? flush(a) : a;
}
/// The result as an instruction with this mode writes it.
template <Float T>
constexpr T flush_output(T a, const FloatMode& mode) {
  return mode.flush_output_denormals ? flush(a) : a;
}

/// Host doubles and floats in and out, for the fast paths and for callers that hold host values.
inline float to_host(f32 a) { return std::bit_cast<float>(a.bits); }
inline double to_host(f64 a) { return std::bit_cast<double>(a.bits); }
inline f32 from_host(float a) { return {std::bit_cast<std::uint32_t>(a)}; }
inline f64 from_host(double a) { return {std::bit_cast<std::uint64_t>(a)}; }

}  // namespace wavetank::number
