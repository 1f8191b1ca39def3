// Strips: L lanes of one operand in a host vector register, with the GPU's arithmetic in default
// MODE (nearest-even, denormals kept, IEEE and DX10_CLAMP on). The bodies of isa/ tables run on
// strips in the fast path; what a strip cannot do natively goes lane by lane through `each`.
//
// Compiled once for each host target (WAVETANK_HOST names the namespace): AVX-512, AVX2, SSE4.
#pragma once

#include <hwy/highway.h>

#include <bit>
#include <cstdint>
#include <cstring>
#include <tuple>
#include <type_traits>

#include "isa/type.hpp"
#include "number/arithmetic.hpp"
#include "number/compare.hpp"
#include "number/convert.hpp"
#include "number/types.hpp"

namespace wavetank::execute::WAVETANK_HOST {

namespace hn = hwy::HWY_NAMESPACE;
using isa::F16, isa::F32, isa::F64, isa::I16, isa::I32, isa::I64, isa::U16, isa::U32, isa::U64;

/// The vector element that carries a type, and the scalar that `each` hands out.
template <class T> struct Carrier;
template <> struct Carrier<U16> { using Lane = std::uint32_t; using Scalar = std::uint16_t; };
template <> struct Carrier<I16> { using Lane = std::int32_t; using Scalar = std::int16_t; };
template <> struct Carrier<F16> { using Lane = std::uint32_t; using Scalar = number::f16; };
template <> struct Carrier<U32> { using Lane = std::uint32_t; using Scalar = std::uint32_t; };
template <> struct Carrier<I32> { using Lane = std::int32_t; using Scalar = std::int32_t; };
template <> struct Carrier<F32> { using Lane = float; using Scalar = number::f32; };
template <> struct Carrier<U64> { using Lane = std::uint64_t; using Scalar = std::uint64_t; };
template <> struct Carrier<I64> { using Lane = std::int64_t; using Scalar = std::int64_t; };
template <> struct Carrier<F64> { using Lane = double; using Scalar = number::f64; };

template <class T>
inline constexpr bool kIs16 = std::is_same_v<T, U16> || std::is_same_v<T, I16> ||
                              std::is_same_v<T, F16>;
template <class T>
inline constexpr bool kIs64 = sizeof(typename Carrier<T>::Lane) == 8;
template <class T>
inline constexpr bool kIsFloat = isa::is_float(T::type);

/// A lane mask over L lanes of 32 or 64 bits (Bits is uint32_t or uint64_t).
template <class Bits, std::size_t L>
struct StripMask {
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
  using F = number::Format<typename Carrier<typename S::Type>::Scalar>;
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
    requires std::is_integral_v<I>
  HWY_INLINE Strip(I value)  // NOLINT: bodies write b & 31u
      : v(hn::BitCast(D(), hn::Set(DBits(), static_cast<Bits>(value)))) {}

  /// Brings a 16-bit integer result back into range.
  static HWY_INLINE Strip wrap(V vector) {
    if constexpr (std::is_same_v<T, U16>) return {hn::And(vector, hn::Set(D(), 0xffffu))};
    else if constexpr (std::is_same_v<T, I16>) return {hn::ShiftRight<16>(hn::ShiftLeft<16>(vector))};
    else return {vector};
  }
  static HWY_INLINE M mask(hn::Mask<D> m) { return {hn::RebindMask(DBits(), m)}; }

  friend HWY_INLINE Strip operator+(Strip a, Strip b) {
    if constexpr (kHalf) return narrow(widen(a) + widen(b));
    else if constexpr (kIsFloat<T>) return with_nan_rule(Strip{hn::Add(a.v, b.v)}, a, b);
    else return wrap(hn::Add(a.v, b.v));
  }
  friend HWY_INLINE Strip operator-(Strip a, Strip b) {
    if constexpr (kHalf) return narrow(widen(a) - widen(b));
    else if constexpr (kIsFloat<T>) return with_nan_rule(Strip{hn::Sub(a.v, b.v)}, a, b);
    else return wrap(hn::Sub(a.v, b.v));
  }
  friend HWY_INLINE Strip operator*(Strip a, Strip b) {
    if constexpr (kHalf) return narrow(widen(a) * widen(b));
    else if constexpr (kIsFloat<T>) return with_nan_rule(Strip{hn::Mul(a.v, b.v)}, a, b);
    else return wrap(hn::Mul(a.v, b.v));
  }
  friend HWY_INLINE Strip operator&(Strip a, Strip b) { return {hn::And(a.v, b.v)}; }
  friend HWY_INLINE Strip operator|(Strip a, Strip b) { return {hn::Or(a.v, b.v)}; }
  friend HWY_INLINE Strip operator^(Strip a, Strip b) { return {hn::Xor(a.v, b.v)}; }
  friend HWY_INLINE Strip operator~(Strip a) { return wrap(hn::Not(a.v)); }
  /// Shifts by each lane's amount, which must be below the width.
  friend HWY_INLINE Strip operator<<(Strip a, Strip amount) { return wrap(hn::Shl(a.v, amount.v)); }
  friend HWY_INLINE Strip operator>>(Strip a, Strip amount) {
    if constexpr (std::is_same_v<T, I64>) return shift_right_i64(a, amount);
    else return {hn::Shr(a.v, amount.v)};
  }
  friend HWY_INLINE M operator==(Strip a, Strip b) {
    if constexpr (kHalf) return widen(a) == widen(b);
    else return mask(hn::Eq(a.v, b.v));
  }
  friend HWY_INLINE M operator!=(Strip a, Strip b) { return !(a == b); }
  friend HWY_INLINE M operator<(Strip a, Strip b) {
    if constexpr (kHalf) return widen(a) < widen(b);
    else return mask(hn::Lt(a.v, b.v));
  }
  friend HWY_INLINE M operator>(Strip a, Strip b) { return b < a; }
  friend HWY_INLINE M operator<=(Strip a, Strip b) {
    if constexpr (kHalf) return widen(a) <= widen(b);
    else if constexpr (kIsFloat<T>) return mask(hn::Le(a.v, b.v));
    else return !(b < a);
  }
  friend HWY_INLINE M operator>=(Strip a, Strip b) { return b <= a; }

  /// Where the mask is set a, elsewhere b; bit-exact, NaNs included.
  friend HWY_INLINE Strip select(M m, Strip a, Strip b) {
    return {hn::IfThenElse(hn::RebindMask(D(), m.m), a.v, b.v)};
  }
  /// a * b + c, rounded once.
  friend HWY_INLINE Strip fma(Strip a, Strip b, Strip c) {
    if constexpr (kHalf || !HWY_NATIVE_FMA) {
      return each([](auto x, auto y, auto z, const auto& modes) {
        return number::fma(x, y, z, modes.template of<decltype(x)>());
      }, a, b, c);
    } else {
      return with_nan_rule(Strip{hn::MulAdd(a.v, b.v, c.v)}, a, b, c);
    }
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

/// The two float modes of a wave, as lane functions take them.
struct DefaultModes {
  number::FloatMode f32 = {};
  number::FloatMode f64_f16 = {};
  template <class Scalar>
  constexpr const number::FloatMode& of() const {
    if constexpr (std::is_same_v<Scalar, number::f32>) return f32;
    else return f64_f16;
  }
};

template <class Scalar>
struct TypeOf;
template <> struct TypeOf<std::uint16_t> { using Tag = U16; };
template <> struct TypeOf<std::int16_t> { using Tag = I16; };
template <> struct TypeOf<number::f16> { using Tag = F16; };
template <> struct TypeOf<std::uint32_t> { using Tag = U32; };
template <> struct TypeOf<std::int32_t> { using Tag = I32; };
template <> struct TypeOf<number::f32> { using Tag = F32; };
template <> struct TypeOf<std::uint64_t> { using Tag = U64; };
template <> struct TypeOf<std::int64_t> { using Tag = I64; };
template <> struct TypeOf<number::f64> { using Tag = F64; };

/// The scalar of one lane from the carrier's element, and back.
template <class T>
typename Carrier<T>::Scalar to_scalar(typename Carrier<T>::Lane lane) {
  if constexpr (kIsFloat<T>) {
    using S = typename Carrier<T>::Scalar;
    using B = hwy::MakeUnsigned<typename Carrier<T>::Lane>;
    return S{static_cast<decltype(S::bits)>(std::bit_cast<B>(lane))};
  } else {
    return static_cast<typename Carrier<T>::Scalar>(lane);
  }
}
template <class T>
typename Carrier<T>::Lane to_lane(typename Carrier<T>::Scalar scalar) {
  if constexpr (kIsFloat<T>) {
    using B = hwy::MakeUnsigned<typename Carrier<T>::Lane>;
    return std::bit_cast<typename Carrier<T>::Lane>(static_cast<B>(scalar.bits));
  } else {
    return static_cast<typename Carrier<T>::Lane>(scalar);
  }
}

template <class T, std::size_t L>
struct LaneBuffer {
  HWY_ALIGN typename Carrier<T>::Lane lanes[L];
};

/// Calls f(lane values...) or f(lane values..., modes) for each lane: how strips reach number/.
/// f's return type (a scalar, or bool for a mask) decides the result. Lanes are independent.
template <class F, class... T, std::size_t L>
HWY_NOINLINE auto each(F f, Strip<T, L>... strips) {
  const auto call = [&](auto... lanes) {
    if constexpr (std::is_invocable_v<F, decltype(lanes)..., const DefaultModes&>) {
      return f(lanes..., DefaultModes{});
    } else {
      return f(lanes...);
    }
  };
  using R = decltype(call(typename Carrier<T>::Scalar{}...));
  std::tuple<LaneBuffer<T, L>...> inputs;
  std::apply([&](auto&... buffer) { (hn::Store(strips.v, typename Strip<T, L>::D(), buffer.lanes), ...); },
             inputs);
  const auto lane_of = [&](std::size_t i) {
    return std::apply([&](auto&... buffer) { return call(to_scalar<T>(buffer.lanes[i])...); }, inputs);
  };
  if constexpr (std::is_same_v<R, bool>) {
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < L; ++i) bits |= std::uint64_t{lane_of(i)} << i;
    using First = std::tuple_element_t<0, std::tuple<Strip<T, L>...>>;
    return First::M::from_bits(bits);
  } else {
    using Tag = typename TypeOf<R>::Tag;
    LaneBuffer<Tag, L> out;
    for (std::size_t i = 0; i < L; ++i) out.lanes[i] = to_lane<Tag>(lane_of(i));
    return Strip<Tag, L>{hn::Load(typename Strip<Tag, L>::D(), out.lanes)};
  }
}

/// The same bits as another type of the same width.
template <class To, class T, std::size_t L>
HWY_INLINE Strip<To, L> as(Strip<T, L> a) {
  return {hn::BitCast(typename Strip<To, L>::D(), a.v)};
}

template <std::size_t L>
HWY_INLINE Strip<F32, L> widen(Strip<F16, L> a) {
  const hn::Rebind<hwy::float16_t, typename Strip<F32, L>::D> dh;
  const hn::RebindToUnsigned<decltype(dh)> du;
  return {hn::PromoteTo(typename Strip<F32, L>::D(), hn::BitCast(dh, hn::TruncateTo(du, a.v)))};
}
template <std::size_t L>
HWY_INLINE Strip<F16, L> narrow(Strip<F32, L> a) {
  const hn::Rebind<hwy::float16_t, typename Strip<F32, L>::D> dh;
  const hn::RebindToUnsigned<decltype(dh)> du;
  return {hn::PromoteTo(typename Strip<F16, L>::D(), hn::BitCast(du, hn::DemoteTo(dh, a.v)))};
}

/// Numeric conversions that hosts do natively; rounding is nearest-even.
template <class To, class T, std::size_t L>
HWY_INLINE Strip<To, L> convert(Strip<T, L> a) {
  if constexpr (std::is_same_v<To, F32> && std::is_same_v<T, I32>) {
    return {hn::ConvertTo(typename Strip<F32, L>::D(), a.v)};
  } else {
    return each([](auto x, const auto& modes) { return number_convert<To>(x, modes); }, a);
  }
}

}  // namespace wavetank::execute::WAVETANK_HOST
