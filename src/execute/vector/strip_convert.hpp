// Conversions on strips: what the host does natively, with the GPU's saturation.
#pragma once

#include "execute/vector/strip.hpp"

namespace wavetank::execute::WAVETANK_HOST {

template <std::size_t L>
HWY_INLINE Strip<F32, L> native(decltype(isa::convert<F32>), Strip<F16, L> a) {
  return widen(a);
}
template <std::size_t L>
HWY_INLINE Strip<F16, L> native(decltype(isa::convert<F16>), Strip<F32, L> a) {
  return narrow(a);
}
template <std::size_t L>
HWY_INLINE Strip<F64, L> native(decltype(isa::convert<F64>), Strip<F32, L> a) {
  return {hn::PromoteTo(typename Strip<F64, L>::D(), a.v)};
}
template <std::size_t L>
HWY_INLINE Strip<F32, L> native(decltype(isa::convert<F32>), Strip<F64, L> a) {
  return {hn::DemoteTo(typename Strip<F32, L>::D(), a.v)};
}
template <std::size_t L>
HWY_INLINE Strip<F32, L> native(decltype(isa::convert<F32>), Strip<I32, L> a) {
  return {hn::ConvertTo(typename Strip<F32, L>::D(), a.v)};
}
/// Both halves are exact in f32, so the sum is the only rounding.
template <std::size_t L>
HWY_INLINE Strip<F32, L> native(decltype(isa::convert<F32>), Strip<U32, L> a) {
  const typename Strip<F32, L>::D df;
  const typename Strip<I32, L>::D di;
  const auto high = hn::ConvertTo(df, hn::BitCast(di, hn::ShiftRight<16>(a.v)));
  const auto low = hn::ConvertTo(df, hn::BitCast(di, (a & Strip<U32, L>(0xffffu)).v));
  return {hn::Add(hn::Mul(high, hn::Set(df, 65536.0f)), low)};
}
template <std::size_t L>
HWY_INLINE Strip<F64, L> native(decltype(isa::convert<F64>), Strip<I32, L> a) {
  return {hn::PromoteTo(typename Strip<F64, L>::D(), a.v)};
}
template <std::size_t L>
HWY_INLINE Strip<F64, L> native(decltype(isa::convert<F64>), Strip<U32, L> a) {
  const typename Strip<F64, L>::D df;
  const typename Strip<I32, L>::D di;
  const auto centred = hn::BitCast(di, (a ^ Strip<U32, L>(0x80000000u)).v);
  return {hn::Add(hn::PromoteTo(df, centred), hn::Set(df, 2147483648.0))};
}

/// f32 to i32: out of range stops at the ends, NaN gives 0.
template <std::size_t L>
HWY_INLINE Strip<I32, L> native(decltype(isa::convert<I32>), Strip<F32, L> a) {
  const typename Strip<I32, L>::D di;
  const typename Strip<F32, L>::D df;
  const auto inside = hn::ConvertTo(di, a.v);  // the host gives INT_MIN or saturates outside
  const auto high = hn::RebindMask(di, hn::Ge(a.v, hn::Set(df, 2147483648.0f)));
  const auto nan = hn::RebindMask(di, hn::IsNaN(a.v));
  const auto stopped = hn::IfThenElse(high, hn::Set(di, 0x7fffffff), inside);
  return {hn::IfThenZeroElse(nan, stopped)};
}
/// f32 to u32: the range is converted as a signed number moved down by 2^31 where necessary.
template <std::size_t L>
HWY_INLINE Strip<U32, L> native(decltype(isa::convert<U32>), Strip<F32, L> a) {
  const typename Strip<U32, L>::D du;
  const typename Strip<I32, L>::D di;
  const typename Strip<F32, L>::D df;
  const auto half = hn::Set(df, 2147483648.0f);
  const auto positive = hn::Gt(a.v, hn::Zero(df));  // false for NaN
  const auto kept = hn::IfThenElseZero(positive, a.v);
  const auto upper = hn::Ge(kept, half);
  const auto low = hn::ConvertTo(di, hn::IfThenElse(upper, hn::Sub(kept, half), kept));
  const auto bits = hn::BitCast(du, low);
  const auto moved =
      hn::IfThenElse(hn::RebindMask(du, upper), hn::Xor(bits, hn::Set(du, 0x80000000u)), bits);
  const auto beyond = hn::RebindMask(du, hn::Ge(kept, hn::Set(df, 4294967296.0f)));
  return {hn::IfThenElse(beyond, hn::Set(du, 0xffffffffu), moved)};
}
/// f64 to i32, after stopping at the ends, where the conversion is exact.
template <std::size_t L>
HWY_INLINE Strip<I32, L> native(decltype(isa::convert<I32>), Strip<F64, L> a) {
  const typename Strip<F64, L>::D df;
  const auto known = hn::IfThenZeroElse(hn::IsNaN(a.v), a.v);
  const auto low = hn::Max(known, hn::Set(df, -2147483648.0));
  const auto bounded = hn::Min(low, hn::Set(df, 2147483647.0));
  return {hn::DemoteTo(typename Strip<I32, L>::D(), bounded)};
}
template <std::size_t L>
HWY_INLINE Strip<U32, L> native(decltype(isa::convert<U32>), Strip<F64, L> a) {
  const typename Strip<F64, L>::D df;
  const typename Strip<U32, L>::D du;
  const auto known = hn::IfThenElseZero(hn::Gt(a.v, hn::Zero(df)), a.v);
  const auto whole = hn::Trunc(hn::Min(known, hn::Set(df, 4294967295.0)));
  const auto centred = hn::Sub(whole, hn::Set(df, 2147483648.0));
  const auto bits = hn::BitCast(du, hn::DemoteTo(typename Strip<I32, L>::D(), centred));
  return {hn::Xor(bits, hn::Set(du, 0x80000000u))};
}

/// Integers to wider and narrower integers.
template <std::size_t L>
HWY_INLINE Strip<U64, L> native(decltype(isa::convert<U64>), Strip<U32, L> a) {
  return {hn::PromoteTo(typename Strip<U64, L>::D(), a.v)};
}
template <std::size_t L>
HWY_INLINE Strip<I64, L> native(decltype(isa::convert<I64>), Strip<I32, L> a) {
  return {hn::PromoteTo(typename Strip<I64, L>::D(), a.v)};
}
template <std::size_t L>
HWY_INLINE Strip<U32, L> native(decltype(isa::convert<U32>), Strip<U64, L> a) {
  return {hn::TruncateTo(typename Strip<U32, L>::D(), a.v)};
}
/// 16-bit integers stand extended in their lanes already.
template <std::size_t L>
HWY_INLINE Strip<U32, L> native(decltype(isa::convert<U32>), Strip<U16, L> a) {
  return {a.v};
}
template <std::size_t L>
HWY_INLINE Strip<I32, L> native(decltype(isa::convert<I32>), Strip<I16, L> a) {
  return {a.v};
}
template <std::size_t L>
HWY_INLINE Strip<U16, L> native(decltype(isa::convert<U16>), Strip<U32, L> a) {
  return Strip<U16, L>::wrap(a.v);
}
template <std::size_t L>
HWY_INLINE Strip<I16, L> native(decltype(isa::convert<I16>), Strip<I32, L> a) {
  return Strip<I16, L>::wrap(a.v);
}

}  // namespace wavetank::execute::WAVETANK_HOST
