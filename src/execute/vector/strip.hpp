// Strips: L lanes of one operand in a host vector register, with the GPU's arithmetic in default
// MODE (nearest-even, denormals kept, IEEE and DX10_CLAMP on). The bodies of isa/ tables run on
// strips in the fast path; what a strip cannot do natively goes lane by lane (each.hpp).
//
// Compiled once for each host target (WAVETANK_HOST names the namespace): AVX-512, AVX2, SSE4.
#pragma once

#include <hwy/highway.h>

#include <bit>
#include <cstdint>
#include <cstring>
#include <tuple>
#include <type_traits>

#include "isa/define.hpp"
#include "isa/lane_functions.hpp"
#include "isa/type.hpp"

namespace wavetank::execute::WAVETANK_HOST {

namespace hn = hwy::HWY_NAMESPACE;
using isa::F16, isa::F32, isa::F64, isa::I16, isa::I32, isa::I64, isa::U16, isa::U32, isa::U64;

// Older units lack rounding instructions, and Highway's replacements lose the sign of zero. It
// takes such a unit if it misses an extension: HWY_DISABLE_PCLMUL_AES keeps the ciphers out of it.
static_assert(HWY_TARGET <= HWY_SSE4, "compile for SSE4 or better, without PCLMUL and AES");

/// Whether the host converts between f16 and f32.
inline constexpr bool kNativeHalf = HWY_TARGET <= HWY_AVX2;

/// The vector element that carries a type; isa::Scalar is what `each` hands out.
template <class T>
struct Carrier {
  using Lane = std::uint32_t;
};
template <>
struct Carrier<I16> {
  using Lane = std::int32_t;
};
template <>
struct Carrier<I32> {
  using Lane = std::int32_t;
};
template <>
struct Carrier<F32> {
  using Lane = float;
};
template <>
struct Carrier<U64> {
  using Lane = std::uint64_t;
};
template <>
struct Carrier<I64> {
  using Lane = std::int64_t;
};
template <>
struct Carrier<F64> {
  using Lane = double;
};

template <class T>
inline constexpr bool kIs16 =
    std::is_same_v<T, U16> || std::is_same_v<T, I16> || std::is_same_v<T, F16>;
template <class T>
inline constexpr bool kIs64 = sizeof(typename Carrier<T>::Lane) == 8;
template <class T>
inline constexpr bool kIsFloat = number::Float<isa::Scalar<T>>;
template <class T>
inline constexpr bool kIsPair =
    std::is_same_v<T, isa::PkF16> || std::is_same_v<T, isa::PkI16> || std::is_same_v<T, isa::PkU16>;

/// A lane mask over L lanes of 32 or 64 bits (Bits is uint32_t or uint64_t).
template <class BitsType, std::size_t L>
struct StripMask {
  using Bits = BitsType;
  using D = hn::CappedTag<Bits, L>;
  hn::Mask<D> m;
  /// Lanes from the low L bits of a wave mask.
  static StripMask from_bits(std::uint64_t bits) {
    return {hn::LoadMaskBits(D(), reinterpret_cast<const std::uint8_t*>(&bits))};
  }
  /// The low L bits.
  std::uint64_t to_bits() const {
    std::uint8_t bytes[8] = {};
    hn::StoreMaskBits(D(), m, bytes);
    std::uint64_t bits;
    std::memcpy(&bits, bytes, 8);
    return bits;
  }
  friend StripMask operator&(StripMask a, StripMask b) { return {hn::And(a.m, b.m)}; }
  friend StripMask operator|(StripMask a, StripMask b) { return {hn::Or(a.m, b.m)}; }
  friend StripMask operator^(StripMask a, StripMask b) { return {hn::Xor(a.m, b.m)}; }
  friend StripMask operator!(StripMask a) { return {hn::Not(a.m)}; }
};

template <class T, std::size_t L>
struct Strip;

/// Replaces a NaN result by the first NaN operand, quieted, or the default NaN: hosts differ in
/// which NaN they return, the GPU's choice is fixed (see number/arithmetic.hpp).
template <class S, class... Operands>
HWY_INLINE S with_nan_rule(S result, Operands... operands) {
  using B = typename S::Bits;
  const auto nan = hn::IsNaN(result.v);
  if (HWY_LIKELY(hn::AllFalse(typename S::D(), nan))) return result;
  using F = number::Format<isa::Scalar<typename S::Type>>;
  const typename S::D d;
  const auto quiet = hn::BitCast(d, hn::Set(typename S::DBits(), B{F::kQuietBit}));
  auto chosen = hn::BitCast(d, hn::Set(typename S::DBits(), B{F::kDefaultNan}));
  const typename S::V list[] = {operands.v...};
  for (std::size_t i = sizeof...(Operands); i-- > 0;) {
    chosen = hn::IfThenElse(hn::IsNaN(list[i]), hn::Or(list[i], quiet), chosen);
  }
  return {hn::IfThenElse(nan, chosen, result.v)};
}

/// f16 lanes as exact f32 (a NaN keeps its payload), and back with one rounding.
template <std::size_t L>
HWY_INLINE Strip<F32, L> widen(Strip<F16, L> a);
template <std::size_t L>
HWY_INLINE Strip<F16, L> narrow(Strip<F32, L> a);

/// L lanes of type T. 16-bit types stand zero-extended (I16: sign-extended) in 32-bit lanes.
template <class T, std::size_t L>
struct Strip {
  using Type = T;
  using Lane = typename Carrier<T>::Lane;
  using D = hn::CappedTag<Lane, L>;
  using Bits = hwy::MakeUnsigned<Lane>;
  using DBits = hn::CappedTag<Bits, L>;
  using V = hn::Vec<D>;
  using M = StripMask<Bits, L>;
  static constexpr std::size_t kLaneCount = L;
  static constexpr bool kHalf = std::is_same_v<T, F16>;
  V v;

  Strip() = default;
  HWY_INLINE Strip(V vector) : v(vector) {}  // NOLINT: results of hn:: functions are strips
  /// A constant: an integer's value, a float's bits.
  template <class I>
  requires std::is_integral_v<I> HWY_INLINE Strip(I value)  // NOLINT: bodies write b & 31u
      : v(hn::BitCast(D(), hn::Set(DBits(), static_cast<Bits>(value)))) {}

  /// Brings a 16-bit integer result back into range.
  static HWY_INLINE Strip wrap(V vector) {
    if constexpr (std::is_same_v<T, U16>)
      return {hn::And(vector, hn::Set(D(), 0xffffu))};
    else if constexpr (std::is_same_v<T, I16>)
      return {hn::ShiftRight<16>(hn::ShiftLeft<16>(vector))};
    else
      return {vector};
  }
  static HWY_INLINE M mask(hn::Mask<D> m) { return {hn::RebindMask(DBits(), m)}; }

  friend HWY_INLINE Strip operator+(Strip a, Strip b) {
    if constexpr (kHalf)
      return narrow(widen(a) + widen(b));
    else if constexpr (kIsFloat<T>)
      return with_nan_rule(Strip{hn::Add(a.v, b.v)}, a, b);
    else
      return wrap(hn::Add(a.v, b.v));
  }
  friend HWY_INLINE Strip operator-(Strip a, Strip b) {
    if constexpr (kHalf)
      return narrow(widen(a) - widen(b));
    else if constexpr (kIsFloat<T>)
      return with_nan_rule(Strip{hn::Sub(a.v, b.v)}, a, b);
    else
      return wrap(hn::Sub(a.v, b.v));
  }
  friend HWY_INLINE Strip operator*(Strip a, Strip b) {
    if constexpr (kHalf)
      return narrow(widen(a) * widen(b));
    else if constexpr (kIsFloat<T>)
      return with_nan_rule(Strip{hn::Mul(a.v, b.v)}, a, b);
    else
      return wrap(hn::Mul(a.v, b.v));
  }
  friend HWY_INLINE Strip operator&(Strip a, Strip b) { return {hn::And(a.v, b.v)}; }
  friend HWY_INLINE Strip operator|(Strip a, Strip b) { return {hn::Or(a.v, b.v)}; }
  friend HWY_INLINE Strip operator^(Strip a, Strip b) { return {hn::Xor(a.v, b.v)}; }
  friend HWY_INLINE Strip operator~(Strip a) { return wrap(hn::Not(a.v)); }
  /// Shifts by each lane's amount, which must be below the width.
  friend HWY_INLINE Strip operator<<(Strip a, Strip amount) { return wrap(hn::Shl(a.v, amount.v)); }
  friend HWY_INLINE Strip operator>>(Strip a, Strip amount) {
    if constexpr (std::is_same_v<T, I64>)
      return shift_right_i64(a, amount);
    else
      return {hn::Shr(a.v, amount.v)};
  }
  friend HWY_INLINE M operator==(Strip a, Strip b) {
    if constexpr (kHalf)
      return widen(a) == widen(b);
    else
      return mask(hn::Eq(a.v, b.v));
  }
  friend HWY_INLINE M operator!=(Strip a, Strip b) { return !(a == b); }
  friend HWY_INLINE M operator<(Strip a, Strip b) {
    if constexpr (kHalf)
      return widen(a) < widen(b);
    else
      return mask(hn::Lt(a.v, b.v));
  }
  friend HWY_INLINE M operator>(Strip a, Strip b) { return b < a; }
  friend HWY_INLINE M operator<=(Strip a, Strip b) {
    if constexpr (kHalf)
      return widen(a) <= widen(b);
    else if constexpr (kIsFloat<T>)
      return mask(hn::Le(a.v, b.v));
    else
      return !(b < a);
  }
  friend HWY_INLINE M operator>=(Strip a, Strip b) { return b <= a; }

  /// Where the mask is set a, elsewhere b; bit-exact, NaNs included.
  friend HWY_INLINE Strip select(M m, Strip a, Strip b) {
    return {hn::IfThenElse(hn::RebindMask(D(), m.m), a.v, b.v)};
  }
  /// Flips or clears the sign bit (the neg and abs modifiers).
  friend HWY_INLINE Strip negate(Strip a) {
    return {hn::BitCast(D(), hn::Xor(hn::BitCast(DBits(), a.v), hn::Set(DBits(), sign_bit())))};
  }
  friend HWY_INLINE Strip magnitude(Strip a) {
    return {hn::BitCast(D(), hn::AndNot(hn::Set(DBits(), sign_bit()), hn::BitCast(DBits(), a.v)))};
  }
  static constexpr Bits sign_bit() {
    return kIs16<T> ? Bits{0x8000} : static_cast<Bits>(Bits{1} << (8 * sizeof(Bits) - 1));
  }

 private:
  static HWY_INLINE Strip shift_right_i64(Strip a, Strip amount) {
    const DBits d;
    const auto bits = hn::BitCast(d, a.v), n = hn::BitCast(d, amount.v);
    const auto sign = hn::Shr(hn::Set(d, Bits{1} << 63), n);
    return {hn::BitCast(D(), hn::Sub(hn::Xor(hn::Shr(bits, n), sign), sign))};
  }
};

/// The scalar of one lane from the carrier's element, and back.
template <class T>
isa::Scalar<T> to_scalar(typename Carrier<T>::Lane lane) {
  if constexpr (kIsFloat<T>) {
    using S = isa::Scalar<T>;
    using B = hwy::MakeUnsigned<typename Carrier<T>::Lane>;
    return S{static_cast<decltype(S::bits)>(std::bit_cast<B>(lane))};
  } else {
    return static_cast<isa::Scalar<T>>(lane);
  }
}
template <class T>
typename Carrier<T>::Lane to_lane(isa::Scalar<T> scalar) {
  if constexpr (kIsFloat<T>) {
    using B = hwy::MakeUnsigned<typename Carrier<T>::Lane>;
    return std::bit_cast<typename Carrier<T>::Lane>(static_cast<B>(scalar.bits));
  } else {
    return static_cast<typename Carrier<T>::Lane>(scalar);
  }
}

/// Strips and strip masks in memory, lane by lane: how `each` takes them apart.
template <class S>
struct LaneBuffer;
template <class T, std::size_t L>
struct LaneBuffer<Strip<T, L>> {
  HWY_ALIGN typename Carrier<T>::Lane lanes[L];
  explicit LaneBuffer(Strip<T, L> strip) { hn::Store(strip.v, typename Strip<T, L>::D(), lanes); }
  isa::Scalar<T> operator[](std::size_t i) const { return to_scalar<T>(lanes[i]); }
};
template <class Bits, std::size_t L>
struct LaneBuffer<StripMask<Bits, L>> {
  std::uint64_t bits;
  explicit LaneBuffer(StripMask<Bits, L> mask) : bits(mask.to_bits()) {}
  bool operator[](std::size_t i) const { return ((bits >> i) & 1) != 0; }
};

/// What `each` makes of the scalars that a lane function returns: a strip, a mask, or both.
template <class Scalar, std::size_t L, class Mask>
struct Collected {
  using Tag = typename isa::TypeOf<Scalar>::Tag;
  HWY_ALIGN typename Carrier<Tag>::Lane lanes[L];
  void put(std::size_t i, Scalar scalar) { lanes[i] = to_lane<Tag>(scalar); }
  Strip<Tag, L> finish() const { return {hn::Load(typename Strip<Tag, L>::D(), lanes)}; }
};
template <std::size_t L, class Mask>
struct Collected<bool, L, Mask> {
  std::uint64_t bits = 0;
  void put(std::size_t i, bool bit) { bits |= std::uint64_t{bit} << i; }
  Mask finish() const { return Mask::from_bits(bits); }
};
template <class Scalar, std::size_t L, class Mask>
struct Collected<isa::Masked<Scalar, bool>, L, Mask> {
  Collected<Scalar, L, Mask> values;
  Collected<bool, L, Mask> bits;
  void put(std::size_t i, isa::Masked<Scalar, bool> both) {
    values.put(i, both.value);
    bits.put(i, both.mask);
  }
  auto finish() const { return isa::with_mask(values.finish(), bits.finish()); }
};

/// The mask type of a row: of 64-bit lanes if any operand has them.
template <std::size_t L, class... S>
struct RowMask {
  static constexpr bool kWide = ((sizeof(typename S::Bits) == 8) || ...);
  using Type = StripMask<std::conditional_t<kWide, std::uint64_t, std::uint32_t>, L>;
};

/// A lane function on every lane, one after the other, in default MODE.
template <class F, class First, class... S>
HWY_NOINLINE auto each_lane(isa::LaneFunction<F>, First first, S... strips) {
  constexpr std::size_t L = First::kLaneCount;
  const std::tuple<LaneBuffer<First>, LaneBuffer<S>...> inputs{LaneBuffer<First>(first),
                                                               LaneBuffer<S>(strips)...};
  const auto lane = [&](std::size_t i) {
    return std::apply(
        [&](const auto&... buffer) {
          return isa::LaneFunction<F>::on_lane(isa::Modes{}, buffer[i]...);
        },
        inputs);
  };
  Collected<decltype(lane(0)), L, typename RowMask<L, First, S...>::Type> results;
  for (std::size_t i = 0; i < L; ++i) results.put(i, lane(i));
  return results.finish();
}

/// A mask with no lane set, for strips like this one.
template <class T, std::size_t L>
HWY_INLINE auto as_false(Strip<T, L>) {
  return Strip<T, L>::M::from_bits(0);
}

/// The same bits as another type of the same width.
template <class To, class T, std::size_t L>
HWY_INLINE Strip<To, L> as(Strip<T, L> a) {
  return {hn::BitCast(typename Strip<To, L>::D(), a.v)};
}

template <std::size_t L>
HWY_INLINE Strip<F32, L> widen(Strip<F16, L> a) {
  if constexpr (kNativeHalf) {
    const hn::Rebind<hwy::float16_t, typename Strip<F32, L>::D> dh;
    const hn::RebindToUnsigned<decltype(dh)> du;
    return {hn::PromoteTo(typename Strip<F32, L>::D(), hn::BitCast(dh, hn::TruncateTo(du, a.v)))};
  } else {
    return each_lane(isa::convert<F32>, a);
  }
}
template <std::size_t L>
HWY_INLINE Strip<F16, L> narrow(Strip<F32, L> a) {
  if constexpr (kNativeHalf) {
    const hn::Rebind<hwy::float16_t, typename Strip<F32, L>::D> dh;
    const hn::RebindToUnsigned<decltype(dh)> du;
    return {hn::PromoteTo(typename Strip<F16, L>::D(), hn::BitCast(du, hn::DemoteTo(dh, a.v)))};
  } else {
    return each_lane(isa::convert<F16>, a);
  }
}

}  // namespace wavetank::execute::WAVETANK_HOST
