// Float lane functions on strips. Where a host operation equals the GPU's for ordinary operands
// only, a strip with any other operand goes lane by lane.
#pragma once

#include "execute/vector/strip.hpp"

namespace wavetank::execute::WAVETANK_HOST {

/// The format constants of a strip's type.
template <class T>
using FormatOf = number::Format<isa::Scalar<T>>;

template <class T, std::size_t L>
HWY_INLINE auto bits_of(Strip<T, L> a) {
  return hn::BitCast(typename Strip<T, L>::DBits(), a.v);
}
template <class T, std::size_t L>
HWY_INLINE Strip<T, L> from_bits(hn::Vec<typename Strip<T, L>::DBits> bits) {
  return {hn::BitCast(typename Strip<T, L>::D(), bits)};
}
/// The exponent field, biased, as an unsigned number.
template <class T, std::size_t L>
HWY_INLINE auto exponent_of(Strip<T, L> a) {
  return hn::ShiftRight<FormatOf<T>::kMantissaBits>(bits_of(magnitude(a)));
}
/// True if the field is that of a normal number.
template <class T, std::size_t L>
HWY_INLINE auto is_normal_field(hn::Vec<typename Strip<T, L>::DBits> field) {
  const typename Strip<T, L>::DBits d;
  using B = typename Strip<T, L>::Bits;
  return hn::Lt(hn::Sub(field, hn::Set(d, B{1})), hn::Set(d, B{FormatOf<T>::kMaxExponent - 1}));
}
template <class T, std::size_t L>
HWY_INLINE bool any_nan(Strip<T, L> a, Strip<T, L> b) {
  return !hn::AllFalse(typename Strip<T, L>::D(), hn::IsNaN(hn::Add(a.v, b.v))) &&
         !hn::AllFalse(typename Strip<T, L>::D(), hn::Or(hn::IsNaN(a.v), hn::IsNaN(b.v)));
}

template <class T, std::size_t L>
  requires kIsFloat<T>
HWY_INLINE auto native(decltype(isa::unordered), Strip<T, L> a, Strip<T, L> b) {
  if constexpr (std::is_same_v<T, F16>)
    return native(isa::unordered, widen(a), widen(b));
  else
    return Strip<T, L>::mask(hn::Or(hn::IsNaN(a.v), hn::IsNaN(b.v)));
}

template <class T, std::size_t L>
  requires(kIsFloat<T> && (kNativeHalf || !std::is_same_v<T, F16>))
HWY_INLINE Strip<T, L> native(decltype(isa::fma), Strip<T, L> a, Strip<T, L> b, Strip<T, L> c) {
  if constexpr (std::is_same_v<T, F16>) {
    return fma_half(a, b, c);
  } else if constexpr (HWY_NATIVE_FMA) {
    return with_nan_rule(Strip<T, L>{hn::MulAdd(a.v, b.v, c.v)}, a, b, c);
  } else {
    return each_lane(isa::fma, a, b, c);
  }
}
/// The product of two f16 is exact in f32. If the f32 sum is not, it is rounded to odd, so that the
/// rounding to f16 decides as the exact sum would (Boldo and Melquiond, "Emulation of FMA").
template <std::size_t L>
HWY_INLINE Strip<F16, L> fma_half(Strip<F16, L> a, Strip<F16, L> b, Strip<F16, L> c) {
  using S = Strip<F32, L>;
  const typename S::D d;
  const typename S::DBits du;
  const S x = widen(a), y = widen(b), z = widen(c);
  const auto product = hn::Mul(x.v, y.v);
  const auto sum = hn::Add(product, z.v);
  const auto part = hn::Sub(sum, product);
  const auto error = hn::Add(hn::Sub(product, hn::Sub(sum, part)), hn::Sub(z.v, part));
  const auto bits = hn::BitCast(du, sum);
  const auto inexact = hn::Or(hn::Lt(error, hn::Zero(d)), hn::Gt(error, hn::Zero(d)));
  const auto even = hn::Eq(hn::And(bits, hn::Set(du, 1u)), hn::Zero(du));
  const auto inward = hn::Xor(bits, hn::BitCast(du, error));  // top bit: towards zero
  const auto step =
      hn::Or(hn::BitCast(
                 du, hn::BroadcastSignBit(hn::BitCast(hn::RebindToSigned<decltype(du)>(), inward))),
             hn::Set(du, 1u));
  const auto odd =
      hn::IfThenElse(hn::And(hn::RebindMask(du, inexact), even), hn::Add(bits, step), bits);
  return narrow(with_nan_rule(S{hn::BitCast(d, odd)}, x, y, z));
}

/// Denormals to zero of their sign: what v_mad_f32 and the transcendental f32 instructions do on
/// both sides.
template <std::size_t L>
HWY_INLINE Strip<F32, L> flush(Strip<F32, L> a) {
  const typename Strip<F32, L>::D d;
  const auto tiny = hn::Lt(magnitude(a).v, hn::Set(d, 0x1p-126f));
  const auto sign = hn::And(a.v, hn::SignBit(d));
  return {hn::IfThenElse(tiny, sign, a.v)};
}
/// Product and sum rounded one after the other.
template <std::size_t L>
HWY_INLINE Strip<F32, L> native(decltype(isa::mad), Strip<F32, L> a, Strip<F32, L> b,
                                Strip<F32, L> c) {
  using S = Strip<F32, L>;
  const S product = flush(S{hn::Mul(flush(a).v, flush(b).v)});
  return with_nan_rule(flush(S{hn::Add(product.v, flush(c).v)}), a, b, c);
}

/// Products of halves are exact, and no denormals.
template <std::size_t L>
HWY_INLINE Strip<F32, L> native(decltype(isa::dot2_f32_f16), Strip<isa::PkF16, L> a,
                                Strip<isa::PkF16, L> b, Strip<F32, L> c) {
  const typename Strip<U32, L>::D d;
  const auto low = [&](Strip<isa::PkF16, L> x) {
    return widen(Strip<F16, L>{hn::And(x.v, hn::Set(d, 0xffffu))});
  };
  const auto high = [&](Strip<isa::PkF16, L> x) {
    return widen(Strip<F16, L>{hn::ShiftRight<16>(x.v)});
  };
  const auto sum = native(isa::fma, low(a), low(b), flush(c));
  return flush(native(isa::fma, high(a), high(b), flush(sum)));
}

/// Hosts return the second operand when both are zeros or one is a NaN; both orders together give
/// the sign that -0 < +0 asks for.
template <class T, std::size_t L>
  requires(kIsFloat<T> && (kNativeHalf || !std::is_same_v<T, F16>))
HWY_INLINE Strip<T, L> native(decltype(isa::min), Strip<T, L> a, Strip<T, L> b) {
  if constexpr (std::is_same_v<T, F16>) {
    const auto x = widen(a), y = widen(b);
    if (HWY_UNLIKELY(any_nan(x, y))) return each_lane(isa::min, a, b);
    return narrow(native(isa::min, x, y));
  } else {
    if (HWY_UNLIKELY(any_nan(a, b))) return each_lane(isa::min, a, b);
    return {hn::Or(hn::Min(a.v, b.v), hn::Min(b.v, a.v))};
  }
}
template <class T, std::size_t L>
  requires(kIsFloat<T> && (kNativeHalf || !std::is_same_v<T, F16>))
HWY_INLINE Strip<T, L> native(decltype(isa::max), Strip<T, L> a, Strip<T, L> b) {
  if constexpr (std::is_same_v<T, F16>) {
    const auto x = widen(a), y = widen(b);
    if (HWY_UNLIKELY(any_nan(x, y))) return each_lane(isa::max, a, b);
    return narrow(native(isa::max, x, y));
  } else {
    if (HWY_UNLIKELY(any_nan(a, b))) return each_lane(isa::max, a, b);
    return {hn::And(hn::Max(a.v, b.v), hn::Max(b.v, a.v))};
  }
}
/// As number::med3: the operand that equals the largest leaves, the larger of the others stays.
template <std::size_t L>
HWY_INLINE Strip<F32, L> native(decltype(isa::med3), Strip<F32, L> a, Strip<F32, L> b,
                                Strip<F32, L> c) {
  if (HWY_UNLIKELY(any_nan(a, b) || any_nan(c, c))) return each_lane(isa::med3, a, b, c);
  const auto larger = [](auto x, auto y) { return native(isa::max, x, y); };
  const auto ab = larger(a, b), bc = larger(b, c), ac = larger(a, c);
  const auto largest = larger(ab, c);
  return select(largest == a, bc, select(largest == b, ac, ab));
}

/// v_cmp_class: the class's bit number, then that bit of the mask.
template <class T, std::size_t L>
  requires kIsFloat<T>
HWY_INLINE auto native(decltype(isa::is_class), Strip<T, L> a, Strip<U32, L> mask) {
  using S = Strip<T, L>;
  using F = FormatOf<T>;
  using B = typename S::Bits;
  const typename S::DBits d;
  const auto size = bits_of(magnitude(a));
  const auto set = [&](unsigned value) { return hn::Set(d, B{value}); };
  auto index = hn::IfThenElse(hn::Lt(size, hn::Set(d, B{F::kHidden})), set(4), set(3));
  index = hn::IfThenElse(hn::Eq(size, hn::Zero(d)), set(5), index);
  index = hn::IfThenElse(hn::Eq(size, hn::Set(d, B{F::kInfinity})), set(2), index);
  const auto negative = hn::Ne(hn::And(bits_of(a), hn::Set(d, S::sign_bit())), hn::Zero(d));
  index = hn::IfThenElse(negative, index, hn::Sub(set(11), index));
  const auto quiet = hn::Ne(hn::And(size, hn::Set(d, B{F::kQuietBit})), hn::Zero(d));
  const auto nan_index = hn::IfThenElse(quiet, set(1), set(0));
  index = hn::IfThenElse(hn::Gt(size, hn::Set(d, B{F::kInfinity})), nan_index, index);
  const auto chosen = [&] {
    if constexpr (kIs64<T>)
      return hn::Shr(hn::PromoteTo(d, mask.v), index);
    else
      return hn::Shr(mask.v, index);
  }();
  return typename S::M{hn::Ne(hn::And(chosen, set(1)), hn::Zero(d))};
}

template <class T, std::size_t L>
  requires std::is_same_v<T, F32> || std::is_same_v<T, F64>
HWY_INLINE Strip<T, L> native(decltype(isa::trunc), Strip<T, L> a) {
  return with_nan_rule(Strip<T, L>{hn::Trunc(a.v)}, a);
}
template <class T, std::size_t L>
  requires std::is_same_v<T, F32> || std::is_same_v<T, F64>
HWY_INLINE Strip<T, L> native(decltype(isa::ceil), Strip<T, L> a) {
  return with_nan_rule(Strip<T, L>{hn::Ceil(a.v)}, a);
}
template <class T, std::size_t L>
  requires std::is_same_v<T, F32> || std::is_same_v<T, F64>
HWY_INLINE Strip<T, L> native(decltype(isa::floor), Strip<T, L> a) {
  return with_nan_rule(Strip<T, L>{hn::Floor(a.v)}, a);
}
template <class T, std::size_t L>
  requires std::is_same_v<T, F32> || std::is_same_v<T, F64>
HWY_INLINE Strip<T, L> native(decltype(isa::rndne), Strip<T, L> a) {
  return with_nan_rule(Strip<T, L>{hn::Round(a.v)}, a);
}
/// a - floor(a) is the exact fraction rounded once; it may round up to 1, which is not allowed.
template <class T, std::size_t L>
  requires std::is_same_v<T, F32> || std::is_same_v<T, F64>
HWY_INLINE Strip<T, L> native(decltype(isa::fract), Strip<T, L> a) {
  using S = Strip<T, L>;
  const auto below_one =
      from_bits<T, L>(hn::Set(typename S::DBits(), typename S::Bits{FormatOf<T>::kOne - 1}));
  const S part{hn::Sub(a.v, hn::Floor(a.v))};
  return with_nan_rule(select(part > below_one, below_one, part), a);
}

/// a * 2^n by the exponent field, while it stays normal; zeros keep.
template <class T, std::size_t L>
  requires std::is_same_v<T, F32> || std::is_same_v<T, F64>
HWY_INLINE Strip<T, L> native(decltype(isa::ldexp), Strip<T, L> a, Strip<I32, L> exponent) {
  using S = Strip<T, L>;
  const typename S::DBits d;
  const hn::RebindToSigned<decltype(d)> di;
  const auto change = [&] {
    if constexpr (kIs64<T>)
      return hn::BitCast(d, hn::PromoteTo(di, exponent.v));
    else
      return hn::BitCast(d, exponent.v);
  }();
  const auto field = exponent_of(a);
  // A change that wraps the sum around cannot bring it back into the normal range.
  const auto stays =
      hn::And(is_normal_field<T, L>(field), is_normal_field<T, L>(hn::Add(field, change)));
  const auto small = hn::Lt(hn::Add(change, hn::Set(d, typename S::Bits{4096})),
                            hn::Set(d, typename S::Bits{8192}));
  const auto zero = hn::Eq(bits_of(magnitude(a)), hn::Zero(d));
  if (HWY_UNLIKELY(!hn::AllTrue(d, hn::Or(hn::And(stays, small), zero)))) {
    return each_lane(isa::ldexp, a, exponent);
  }
  const auto moved = hn::Add(bits_of(a), hn::ShiftLeft<FormatOf<T>::kMantissaBits>(change));
  return from_bits<T, L>(hn::IfThenElse(zero, bits_of(a), moved));
}
template <class T, std::size_t L>
  requires std::is_same_v<T, F32> || std::is_same_v<T, F64>
HWY_INLINE Strip<T, L> native(decltype(isa::frexp_mant), Strip<T, L> a) {
  using F = FormatOf<T>;
  const typename Strip<T, L>::DBits d;
  using B = typename Strip<T, L>::Bits;
  const auto zero = hn::Eq(bits_of(magnitude(a)), hn::Zero(d));
  const auto normal = is_normal_field<T, L>(exponent_of(a));
  if (HWY_UNLIKELY(!hn::AllTrue(d, hn::Or(normal, zero)))) return each_lane(isa::frexp_mant, a);
  const auto half = hn::Set(d, static_cast<B>(B{F::kBias - 1} << F::kMantissaBits));
  const auto moved = hn::Or(hn::AndNot(hn::Set(d, B{F::kInfinity}), bits_of(a)), half);
  return from_bits<T, L>(hn::IfThenElse(zero, bits_of(a), moved));
}
template <class T, std::size_t L>
  requires std::is_same_v<T, F32> || std::is_same_v<T, F64>
HWY_INLINE Strip<I32, L> native(decltype(isa::frexp_exp<I32>), Strip<T, L> a) {
  const typename Strip<T, L>::DBits d;
  using B = typename Strip<T, L>::Bits;
  const auto zero = hn::Eq(bits_of(magnitude(a)), hn::Zero(d));
  const auto field = exponent_of(a);
  if (HWY_UNLIKELY(!hn::AllTrue(d, hn::Or(is_normal_field<T, L>(field), zero)))) {
    return each_lane(isa::frexp_exp<I32>, a);
  }
  const auto exponent = hn::Sub(field, hn::Set(d, B{FormatOf<T>::kBias - 1}));
  const auto result = hn::IfThenZeroElse(zero, exponent);
  if constexpr (kIs64<T>) {
    return as<I32>(Strip<U32, L>{hn::TruncateTo(typename Strip<U32, L>::D(), result)});
  } else {
    return {hn::BitCast(typename Strip<I32, L>::D(), result)};
  }
}

}  // namespace wavetank::execute::WAVETANK_HOST
