// Elements of A or B as f32, which holds every format's numbers exactly, and what their exponents
// allow: numbers of few bits as 16-bit integers, or exponents in a byte each.
#pragma once

#include <hwy/highway.h>

#include <algorithm>
#include <bit>

#include "execute/matrix/tile.hpp"
#include "number/fused_dot.hpp"

namespace wavetank::execute::WAVETANK_HOST {

namespace lanes {
namespace hn = hwy::HWY_NAMESPACE;
using F = hn::ScalableTag<float>;
using I = hn::RebindToSigned<F>;
using U = hn::RebindToUnsigned<F>;
using Floats = hn::Vec<F>;
using Integers = hn::Vec<I>;
using Words = hn::Vec<U>;
inline constexpr unsigned kCount = hn::MaxLanes(F());
}  // namespace lanes

/// Towards zero; what i32 does not hold becomes a value beyond 2^30 in magnitude.
HWY_INLINE lanes::Integers truncate_to_integer(lanes::Floats value) {
#if HWY_TARGET <= HWY_AVX3
  return lanes::Integers{_mm512_cvttps_epi32(value.raw)};
#elif HWY_TARGET <= HWY_AVX2
  return lanes::Integers{_mm256_cvttps_epi32(value.raw)};
#elif HWY_ARCH_X86
  return lanes::Integers{_mm_cvttps_epi32(value.raw)};
#else
  return hwy::HWY_NAMESPACE::ConvertTo(lanes::I(), value);
#endif
}

/// Downwards; what i32 does not hold becomes a value beyond 2^30 in magnitude.
HWY_INLINE lanes::Integers floor_to_integer(lanes::Floats value) {
#if HWY_TARGET <= HWY_AVX3
  return lanes::Integers{
      _mm512_cvt_roundps_epi32(value.raw, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC)};
#else
  return truncate_to_integer(hwy::HWY_NAMESPACE::Floor(value));
#endif
}

/// 2^exponent of a normal f32.
constexpr float power_of_two(int exponent) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(exponent + 127) << 23);
}

/// The rule's format of an element.
template <MatrixElement kElement>
inline constexpr number::FactorFormat kFormatOf =
    kElement == MatrixElement::kF16    ? number::kFactorF16
    : kElement == MatrixElement::kBf16 ? number::kFactorBf16
    : kElement == MatrixElement::kXf32 ? number::kFactorXf32
    : kElement == MatrixElement::kFp8  ? number::kFactorFp8
                                       : number::kFactorBf8;

/// All elements of A or B: element of the lane, then lane.
template <unsigned kPerLane>
struct Numbers {
  alignas(64) float at[kPerLane * 64];
  int largest_exponent = 0;   ///< as the rule takes exponents: denormals have that of field 1
  int smallest_exponent = 0;  ///< of elements that are not zero, or the least of a narrow format
  bool plain = true;          ///< no infinity and no NaN, not all zero, no denormal of f32
};

namespace detail {

/// An element in the upper bits of a dword as bits of f32. Infinities and NaNs of IEEE formats
/// become what lies beyond the largest number.
template <MatrixElement kElement>
HWY_INLINE lanes::Words bits_of_number(lanes::Words upper) {
  namespace hn = hwy::HWY_NAMESPACE;
  using namespace lanes;
  constexpr number::FactorFormat kFormat = kFormatOf<kElement>;
  constexpr unsigned kBits = isa::bits_of(kElement), kNarrower = 8 - kFormat.exponent_bits;
  constexpr std::uint32_t kSign = 0x80000000;
  constexpr std::uint32_t kMask = ~0u << (32 - kBits + kFormat.dropped_bits);
  const U u;
  if constexpr (kFormat.exponent_bits == 8) {
    return hn::And(upper, hn::Set(u, kMask));
#if HWY_TARGET <= HWY_AVX3
  } else if constexpr (kElement == MatrixElement::kF16) {
    const auto half = hn::TruncateTo(hn::Rebind<std::uint16_t, U>(), hn::ShiftRight<16>(upper));
    const hn::Rebind<hwy::float16_t, F> f16;
    return hn::BitCast(u, hn::PromoteTo(F(), hn::BitCast(f16, half)));
#endif
  } else {
    constexpr auto kFirst = static_cast<std::uint32_t>(127 - kFormat.bias + 1);
    const Words narrow = hn::ShiftRight<kNarrower>(hn::And(upper, hn::Set(u, kMask & ~kSign)));
    const Words normal = hn::Add(narrow, hn::Set(u, (kFirst - 1) << 23));
    const auto least = hn::BitCast(F(), hn::Set(u, kFirst << 23));
    const auto raised = hn::BitCast(F(), hn::Add(narrow, hn::Set(u, kFirst << 23)));
    const Words denormal = hn::BitCast(u, hn::Sub(raised, least));
    const auto is_denormal = hn::Lt(narrow, hn::Set(u, 1u << 23));
    return hn::Or(hn::IfThenElse(is_denormal, denormal, normal), hn::And(upper, hn::Set(u, kSign)));
  }
}

/// Whether a byte of the registers is the NaN of an 8-bit float.
inline bool has_nan_byte(const std::uint32_t* registers, unsigned dwords) {
  namespace hn = hwy::HWY_NAMESPACE;
  const hn::ScalableTag<std::uint8_t> bytes;
  const auto* from = reinterpret_cast<const std::uint8_t*>(registers);
  auto found = hn::Zero(bytes);
  for (unsigned at = 0; at < dwords * 256; at += hn::Lanes(bytes)) {
    const auto nan = hn::Eq(hn::LoadU(bytes, from + at), hn::Set(bytes, 0x80));
    found = hn::Or(found, hn::VecFromMask(bytes, nan));
  }
  return !hn::AllFalse(bytes, hn::MaskFromVec(found));
}

}  // namespace detail

/// Takes the elements out of registers.
template <MatrixElement kElement, unsigned kPerLane>
HWY_INLINE void read_numbers(const std::uint32_t* registers, Numbers<kPerLane>& to) {
  namespace hn = hwy::HWY_NAMESPACE;
  using namespace lanes;
  constexpr number::FactorFormat kFormat = kFormatOf<kElement>;
  constexpr unsigned kBits = isa::bits_of(kElement), kPerDword = 32 / kBits;
  constexpr bool kWide = kFormat.exponent_bits == 8;
  const U u;
  Words largest = hn::Zero(u), smallest = hn::Set(u, ~0u);
  for (unsigned dword = 0; dword < kPerLane / kPerDword; ++dword) {
    for (unsigned lane = 0; lane < 64; lane += kCount) {
      Words upper = hn::LoadU(u, registers + dword * 64 + lane);
      for (unsigned element = kPerDword; element-- > 0;) {
        const Words bits = detail::bits_of_number<kElement>(upper);
        const Words magnitude = hn::Add(bits, bits);
        largest = hn::Max(largest, magnitude);
        if constexpr (kWide) {
          smallest = hn::Min(smallest, hn::Sub(magnitude, hn::Set(u, 1)));
        }
        const unsigned place = (dword * kPerDword + element) * 64 + lane;
        hn::Store(hn::BitCast(F(), bits), F(), to.at + place);
        upper = hn::ShiftLeft<kBits % 32>(upper);
      }
    }
  }
  const auto most = static_cast<int>(hn::GetLane(hn::MaxOfLanes(u, largest)) >> 24);
  const auto least = static_cast<int>(hn::GetLane(hn::MinOfLanes(u, smallest)) >> 24);
  constexpr int kLeastExponent = 1 - kFormat.bias;
  to.largest_exponent = std::max(most - 127, kLeastExponent);
  to.smallest_exponent = kWide ? std::max(least - 127, kLeastExponent) : kLeastExponent;
  constexpr int kMostField = (1 << kFormat.exponent_bits) - (kFormat.ieee ? 2 : 1);
  to.plain = most != 0 && most - 127 <= kMostField - kFormat.bias && least > 0;
  if constexpr (!kFormat.ieee) to.plain &= !detail::has_nan_byte(registers, kPerLane / kPerDword);
}

/// Elements as 16-bit integers, pairs of neighbouring k in a dword: pair of the lane, then lane.
template <unsigned kPerLane>
struct FixedPoint {
  alignas(64) std::uint32_t at[kPerLane / 2 * 64];
  int largest_exponent = 0;  ///< as in Numbers
  int zeros = 0;             ///< every element is a multiple of 2^(largest exponent - 14 + zeros)
};

namespace detail {

/// Gathers what numbers scaled to 15 bits have in common.
struct Bits {
  lanes::Words lost = hwy::HWY_NAMESPACE::Zero(lanes::U());    ///< not 0: no integer
  lanes::Integers all = hwy::HWY_NAMESPACE::Zero(lanes::I());  ///< every bit that is somewhere 1

  HWY_INLINE lanes::Integers to_integer(lanes::Floats scaled) {
    namespace hn = hwy::HWY_NAMESPACE;
    const auto integer = truncate_to_integer(scaled);
    const auto back = hn::ConvertTo(lanes::F(), integer);
    // A zero that lost its sign is no loss.
    const auto differs = hn::Xor(hn::BitCast(lanes::U(), back), hn::BitCast(lanes::U(), scaled));
    lost = hn::Or(lost, hn::Add(differs, differs));
    all = hn::Or(all, integer);
    return integer;
  }
  HWY_INLINE bool exact() const {
    namespace hn = hwy::HWY_NAMESPACE;
    return hn::AllTrue(lanes::U(), hn::Eq(lost, hn::Zero(lanes::U())));
  }
  int zeros() const {
    alignas(64) std::int32_t bits[lanes::kCount];
    hwy::HWY_NAMESPACE::Store(all, lanes::I(), bits);
    std::uint32_t any = 1u << 15;
    for (const std::int32_t lane : bits) any |= static_cast<std::uint32_t>(lane);
    return std::countr_zero(any);
  }
};

/// The largest magnitude among elements of 16 or 8 bits.
template <unsigned kBits>
HWY_INLINE std::uint32_t largest_magnitude(const std::uint32_t* registers, unsigned dwords) {
  namespace hn = hwy::HWY_NAMESPACE;
  using T = std::conditional_t<kBits == 16, std::uint16_t, std::uint8_t>;
  const hn::ScalableTag<T> d;
  const hn::Repartition<std::uint16_t, decltype(d)> d16;
  const hn::Repartition<std::uint32_t, decltype(d)> d32;
  constexpr T kMask = kBits == 16 ? 0x7fff : 0x7f;
  auto largest = hn::Zero(d);
  const auto* from = reinterpret_cast<const T*>(registers);
  for (unsigned at = 0; at < dwords * 256 / sizeof(T); at += hn::Lanes(d)) {
    largest = hn::Max(largest, hn::And(hn::LoadU(d, from + at), hn::Set(d, kMask)));
  }
  auto halves = hn::BitCast(d16, largest);
  if constexpr (kBits == 8) {
    halves = hn::Max(hn::And(halves, hn::Set(d16, 0xff)), hn::ShiftRight<8>(halves));
  }
  const auto words = hn::BitCast(d32, halves);
  const auto both = hn::Max(hn::And(words, hn::Set(d32, 0xffff)), hn::ShiftRight<16>(words));
  return hn::GetLane(hn::MaxOfLanes(d32, both));
}

/// 8-bit floats as the f16 of the same fields, whose exponent differs by a constant: those of
/// 5 exponent bits by 1, of 4 by 7.
template <MatrixElement kElement>
HWY_INLINE lanes::Words bytes_as_f16(lanes::Words upper_bytes) {
  namespace hn = hwy::HWY_NAMESPACE;
  if constexpr (kElement == MatrixElement::kBf8) return upper_bytes;
  const lanes::U u;
  const auto sign = hn::And(upper_bytes, hn::Set(u, 0x80008000));
  const auto magnitude = hn::And(upper_bytes, hn::Set(u, 0x7f007f00));
  return hn::Or(sign, hn::ShiftRight<1>(magnitude));
}
template <MatrixElement kElement>
HWY_INLINE void make_f16(const std::uint32_t* bytes, unsigned dwords, std::uint32_t* to) {
  namespace hn = hwy::HWY_NAMESPACE;
  const lanes::U u;
  for (unsigned dword = 0; dword < dwords; ++dword) {
    for (unsigned lane = 0; lane < 64; lane += lanes::kCount) {
      const auto four = hn::LoadU(u, bytes + dword * 64 + lane);
      const auto low = hn::Or(hn::And(hn::ShiftLeft<8>(four), hn::Set(u, 0xff00)),
                              hn::ShiftLeft<16>(hn::And(four, hn::Set(u, 0xff00))));
      const auto high = hn::Or(hn::And(hn::ShiftRight<8>(four), hn::Set(u, 0xff00)),
                               hn::And(four, hn::Set(u, 0xff000000)));
      hn::Store(bytes_as_f16<kElement>(low), u, to + dword * 128 + lane);
      hn::Store(bytes_as_f16<kElement>(high), u, to + dword * 128 + 64 + lane);
    }
  }
}

/// Two f16 in each dword, times scale, as integers.
HWY_INLINE bool f16_to_integers(const std::uint32_t* halves, unsigned dwords, float scale,
                                std::uint32_t* to, Bits& bits) {
  namespace hn = hwy::HWY_NAMESPACE;
  using namespace lanes;
  const hn::Rebind<hwy::float16_t, F> f16;
  const hn::Rebind<std::int16_t, F> i16;
  for (unsigned at = 0; at < dwords * 64; at += kCount / 2) {
    const auto* from = reinterpret_cast<const hwy::float16_t*>(halves + at);
    const auto number = hn::PromoteTo(F(), hn::LoadU(f16, from));
    const auto integer = bits.to_integer(hn::Mul(number, hn::Set(F(), scale)));
    hn::StoreU(hn::DemoteTo(i16, integer), i16, reinterpret_cast<std::int16_t*>(to + at));
    if (at % 64 == 64 - kCount / 2 && !bits.exact()) return false;
  }
  return true;
}

/// Two bf16 in each dword, times scale, as integers.
HWY_INLINE bool bf16_to_integers(const std::uint32_t* halves, unsigned dwords, float scale,
                                 std::uint32_t* to, Bits& bits) {
  namespace hn = hwy::HWY_NAMESPACE;
  using namespace lanes;
  const U u;
  const I i;
  const auto by = hn::Set(F(), scale);
  for (unsigned at = 0; at < dwords * 64; at += kCount) {
    const auto both = hn::LoadU(u, halves + at);
    const auto first = hn::BitCast(F(), hn::ShiftLeft<16>(both));
    const auto second = hn::BitCast(F(), hn::And(both, hn::Set(u, 0xffff0000)));
    const auto low = hn::And(bits.to_integer(hn::Mul(first, by)), hn::Set(i, 0xffff));
    const auto high = hn::ShiftLeft<16>(bits.to_integer(hn::Mul(second, by)));
    hn::Store(hn::BitCast(u, hn::Or(low, high)), u, to + at);
    if (at % 64 == 64 - kCount && !bits.exact()) return false;
  }
  return true;
}

}  // namespace detail

/// Makes integers of the elements if each is one of 15 bits.
template <unsigned kPerLane>
HWY_INLINE bool make_fixed_point(const Numbers<kPerLane>& from, FixedPoint<kPerLane>& to) {
  namespace hn = hwy::HWY_NAMESPACE;
  using namespace lanes;
  to.largest_exponent = from.largest_exponent;
  if (to.largest_exponent < -60 || to.largest_exponent > 60) return false;
  const auto scale = hn::Set(F(), power_of_two(14 - from.largest_exponent));
  detail::Bits bits;
  for (unsigned at = 0; at < kPerLane / 2 * 64; at += kCount) {
    const float* pair = from.at + at / 64 * 128 + at % 64;
    const auto low = bits.to_integer(hn::Mul(hn::Load(F(), pair), scale));
    const auto high = bits.to_integer(hn::Mul(hn::Load(F(), pair + 64), scale));
    const auto both = hn::Or(hn::And(low, hn::Set(I(), 0xffff)), hn::ShiftLeft<16>(high));
    hn::Store(hn::BitCast(U(), both), U(), to.at + at);
    if (!bits.exact()) return false;
  }
  to.zeros = bits.zeros();
  return true;
}

/// Makes integers of the elements if each is one of 15 bits for a common unit, and none is an
/// infinity or a NaN.
template <MatrixElement kElement, unsigned kPerLane>
HWY_INLINE bool read_fixed_point(const std::uint32_t* registers, FixedPoint<kPerLane>& to) {
  constexpr number::FactorFormat kFormat = kFormatOf<kElement>;
  constexpr unsigned kBits = isa::bits_of(kElement), kDwords = kPerLane * kBits / 32;
  if constexpr (kBits == 32) {
    Numbers<kPerLane> numbers;
    read_numbers<kElement>(registers, numbers);
    return numbers.plain && make_fixed_point(numbers, to);
  } else {
    const std::uint32_t largest = detail::largest_magnitude<kBits>(registers, kDwords);
    const auto field = static_cast<int>(largest >> kFormat.mantissa_bits);
    // f16, through which 5-bit exponents go, has infinities and NaNs in the last.
    constexpr int kMostField = kFormat.exponent_bits == 8   ? 254
                               : kFormat.exponent_bits == 5 ? 30
                                                            : 15;
    if (largest == 0 || field > kMostField) return false;
    to.largest_exponent = std::max(field, 1) - kFormat.bias;
    if (to.largest_exponent < -60 || to.largest_exponent > 60) return false;
    detail::Bits bits;
    bool exact;
    if constexpr (kElement == MatrixElement::kBf16) {
      const float scale = power_of_two(14 - to.largest_exponent);
      exact = detail::bf16_to_integers(registers, kDwords, scale, to.at, bits);
    } else {
      // Of f16's bias 15 and the format's.
      const float scale = power_of_two(14 - to.largest_exponent + 15 - kFormat.bias);
      if constexpr (kBits == 8) {
        if (detail::has_nan_byte(registers, kDwords)) return false;
        alignas(64) std::uint32_t halves[kPerLane / 2 * 64];
        detail::make_f16<kElement>(registers, kDwords, halves);
        exact = detail::f16_to_integers(halves, kPerLane / 2, scale, to.at, bits);
      } else {
        exact = detail::f16_to_integers(registers, kDwords, scale, to.at, bits);
      }
    }
    if (exact) to.zeros = bits.zeros();
    return exact;
  }
}

/// Drops zeros at the low end of every integer.
template <unsigned kPerLane>
HWY_INLINE void drop_zeros(FixedPoint<kPerLane>& numbers, int count) {
  namespace hn = hwy::HWY_NAMESPACE;
  if (count == 0) return;
  const hn::ScalableTag<std::int16_t> d;
  for (unsigned at = 0; at < kPerLane / 2 * 64; at += lanes::kCount) {
    auto* place = reinterpret_cast<std::int16_t*>(numbers.at + at);
    hn::Store(hn::ShiftRightSame(hn::Load(d, place), count), d, place);
  }
}

/// Exponents relative to the largest, element of the lane, then lane; those of zeros are -128,
/// which stays below all others in a saturating sum.
template <unsigned kPerLane>
struct RelativeExponents {
  static constexpr int kZero = -128;
  alignas(64) std::int8_t at[kPerLane * 64];
};

/// Exponent fields of f32, to be made relative when their stores are done.
template <unsigned kPerLane>
HWY_INLINE void store_fields(const Numbers<kPerLane>& from, RelativeExponents<kPerLane>& to) {
  namespace hn = hwy::HWY_NAMESPACE;
  using namespace lanes;
  const hn::Rebind<std::uint8_t, U> bytes;
  for (unsigned at = 0; at < kPerLane * 64; at += kCount) {
    const auto bits = hn::BitCast(U(), hn::Load(F(), from.at + at));
    const auto field = hn::ShiftRight<24>(hn::Add(bits, bits));
    hn::StoreU(hn::TruncateTo(bytes, field), bytes, reinterpret_cast<std::uint8_t*>(to.at) + at);
  }
}

/// `least` is the exponent of denormals.
template <unsigned kPerLane>
HWY_INLINE void make_relative(int largest, int least, RelativeExponents<kPerLane>& exponents) {
  namespace hn = hwy::HWY_NAMESPACE;
  const hn::ScalableTag<std::uint8_t> d;
  const auto lowest = hn::Set(d, static_cast<std::uint8_t>(least + 127));
  const auto highest = hn::Set(d, static_cast<std::uint8_t>(largest + 127));
  const auto of_zero = hn::Set(d, std::uint8_t{RelativeExponents<kPerLane>::kZero + 256});
  auto* bytes = reinterpret_cast<std::uint8_t*>(exponents.at);
  for (unsigned at = 0; at < kPerLane * 64; at += hn::Lanes(d)) {
    const auto field = hn::Load(d, bytes + at);
    const auto relative = hn::Sub(hn::Max(field, lowest), highest);
    hn::Store(hn::IfThenElse(hn::Eq(field, hn::Zero(d)), of_zero, relative), d, bytes + at);
  }
}

/// Exponents of the largest product for which units, sums and C in units are normal numbers.
constexpr bool is_ordinary(int top) { return top >= -60 && top <= 60; }

/// Whether exponents relative to the largest fit a byte, with room below for zeros, and products
/// in units of any sum f32.
template <class A, class B>
bool is_narrow(const A& a, const B& b) {
  const int a_range = a.largest_exponent - a.smallest_exponent;
  const int b_range = b.largest_exponent - b.smallest_exponent;
  return is_ordinary(a.largest_exponent) && is_ordinary(b.largest_exponent) &&
         is_ordinary(a.largest_exponent + b.largest_exponent) && a_range <= 60 && b_range <= 60 &&
         a_range + b_range <= 90 && a.smallest_exponent + b.smallest_exponent >= -90;
}

}  // namespace wavetank::execute::WAVETANK_HOST
