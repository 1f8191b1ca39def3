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
  int smallest_exponent = 0;  ///< of elements that are not zero
  bool plain = true;          ///< no infinity and no NaN, not all zero, no denormal of f32
};

namespace detail {

/// The magnitude of an element in the upper bits of a dword as bits of f32. Infinities and NaNs of
/// IEEE formats become what lies beyond the largest number.
template <MatrixElement kElement>
HWY_INLINE lanes::Words magnitude_of(lanes::Words upper) {
  namespace hn = hwy::HWY_NAMESPACE;
  using namespace lanes;
  constexpr number::FactorFormat kFormat = kFormatOf<kElement>;
  constexpr unsigned kBits = isa::bits_of(kElement);
  constexpr std::uint32_t kMask = (0x7fffffffu >> (32 - kBits + kFormat.dropped_bits))
                                  << (32 - kBits + kFormat.dropped_bits);
  const U u;
  const Words bits = hn::And(upper, hn::Set(u, kMask));
  if constexpr (kFormat.exponent_bits == 8) {
    return bits;
  } else {
    constexpr auto kFirst = static_cast<std::uint32_t>(127 - kFormat.bias + 1);
    const Words narrow = hn::ShiftRight<8 - kFormat.exponent_bits>(bits);
    const Words normal = hn::Add(narrow, hn::Set(u, (kFirst - 1) << 23));
    const auto least = hn::BitCast(F(), hn::Set(u, kFirst << 23));
    const auto raised = hn::BitCast(F(), hn::Add(narrow, hn::Set(u, kFirst << 23)));
    const Words denormal = hn::BitCast(u, hn::Sub(raised, least));
    return hn::IfThenElse(hn::Lt(narrow, hn::Set(u, 1u << 23)), denormal, normal);
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
  const U u;
  Words largest = hn::Zero(u), smallest = hn::Set(u, ~0u);
  for (unsigned dword = 0; dword < kPerLane / kPerDword; ++dword) {
    for (unsigned lane = 0; lane < 64; lane += kCount) {
      Words upper = hn::LoadU(u, registers + dword * 64 + lane);
      for (unsigned element = kPerDword; element-- > 0;) {
        const Words magnitude = detail::magnitude_of<kElement>(upper);
        largest = hn::Max(largest, magnitude);
        smallest = hn::Min(smallest, hn::Sub(magnitude, hn::Set(u, 1)));
        const Words sign = hn::And(upper, hn::Set(u, 0x80000000));
        const auto number = hn::BitCast(F(), hn::Or(magnitude, sign));
        hn::Store(number, F(), to.at + (dword * kPerDword + element) * 64 + lane);
        upper = hn::ShiftLeft<kBits % 32>(upper);
      }
    }
  }
  const auto most = static_cast<int>(hn::GetLane(hn::MaxOfLanes(u, largest)) >> 23);
  const auto least = static_cast<int>(hn::GetLane(hn::MinOfLanes(u, smallest)) >> 23);
  constexpr int kLeastExponent = 1 - kFormat.bias;
  to.largest_exponent = std::max(most - 127, kLeastExponent);
  to.smallest_exponent = std::max(least - 127, kLeastExponent);
  constexpr int kMostField = (1 << kFormat.exponent_bits) - (kFormat.ieee ? 2 : 1);
  to.plain = most != 0 && most - 127 <= kMostField - kFormat.bias && least > 0;
  if constexpr (!kFormat.ieee) to.plain &= !detail::has_nan_byte(registers, kPerLane / kPerDword);
}

/// Elements as 16-bit integers, pairs of neighbouring k in a dword: pair of the lane, then lane.
template <unsigned kPerLane>
struct FixedPoint {
  alignas(64) std::uint32_t at[kPerLane / 2 * 64];
  /// Every element is a multiple of 2^(largest exponent - 14 + zeros); 0 or more.
  int zeros = -1;  ///< negative: an element is not a multiple for 0
};

/// Makes integers of the elements as far as each is one of 15 bits.
template <unsigned kPerLane>
HWY_INLINE void make_fixed_point(const Numbers<kPerLane>& from, FixedPoint<kPerLane>& to) {
  namespace hn = hwy::HWY_NAMESPACE;
  using namespace lanes;
  const I i;
  const F f;
  const auto scale = hn::Set(f, power_of_two(14 - from.largest_exponent));
  Integers all = hn::Zero(i);
  for (unsigned pair = 0; pair < kPerLane / 2; ++pair) {
    for (unsigned lane = 0; lane < 64; lane += kCount) {
      Integers part[2];
      auto exact = hn::Set(f, 0.0f);
      for (unsigned half = 0; half < 2; ++half) {
        const auto scaled = hn::Mul(hn::Load(f, from.at + (pair * 2 + half) * 64 + lane), scale);
        part[half] = truncate_to_integer(scaled);
        exact = hn::Or(exact, hn::Xor(hn::ConvertTo(f, part[half]), scaled));
        all = hn::Or(all, part[half]);
      }
      // -0 is 0 here, so that the sign of an inexact zero does not count.
      if (!hn::AllTrue(i, hn::Eq(hn::ShiftLeft<1>(hn::BitCast(i, exact)), hn::Zero(i)))) {
        to.zeros = -1;
        return;
      }
      const auto packed = hn::Or(hn::And(part[0], hn::Set(i, 0xffff)), hn::ShiftLeft<16>(part[1]));
      hn::Store(hn::BitCast(U(), packed), U(), to.at + pair * 64 + lane);
    }
  }
  alignas(64) std::uint32_t bits[kCount];
  hn::Store(hn::BitCast(U(), all), U(), bits);
  std::uint32_t any = 0;
  for (const std::uint32_t lane : bits) any |= lane;
  to.zeros = std::countr_zero(any | 1u << 15);
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

/// `least` is the exponent of denormals.
template <unsigned kPerLane>
HWY_INLINE void make_exponents(const Numbers<kPerLane>& from, int least,
                               RelativeExponents<kPerLane>& to) {
  namespace hn = hwy::HWY_NAMESPACE;
  using namespace lanes;
  const I i;
  const hn::Rebind<std::int8_t, F> bytes;
  for (unsigned at = 0; at < kPerLane * 64; at += kCount) {
    const auto bits = hn::BitCast(U(), hn::Load(F(), from.at + at));
    const auto field = hn::BitCast(i, hn::ShiftRight<24>(hn::Add(bits, bits)));
    const auto zero = hn::Eq(field, hn::Zero(i));
    const auto exponent =
        hn::Sub(hn::Max(field, hn::Set(i, least + 127)), hn::Set(i, from.largest_exponent + 127));
    const auto relative =
        hn::IfThenElse(zero, hn::Set(i, RelativeExponents<kPerLane>::kZero), exponent);
    hn::StoreU(hn::DemoteTo(bytes, relative), bytes, to.at + at);
  }
}

}  // namespace wavetank::execute::WAVETANK_HOST
