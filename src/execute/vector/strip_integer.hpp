// Integer lane functions on strips.
#pragma once

#include "execute/vector/strip.hpp"

namespace wavetank::execute::WAVETANK_HOST {

template <class T, std::size_t L>
requires(!kIsFloat<T>) HWY_INLINE Strip<T, L> native(decltype(isa::min), Strip<T, L> a,
                                                     Strip<T, L> b) {
  return {hn::Min(a.v, b.v)};
}
template <class T, std::size_t L>
requires(!kIsFloat<T>) HWY_INLINE Strip<T, L> native(decltype(isa::max), Strip<T, L> a,
                                                     Strip<T, L> b) {
  return {hn::Max(a.v, b.v)};
}

/// Upper halves of the products, from the even and the odd lanes in turn.
template <class T, std::size_t L>
requires std::is_same_v<T, U32> || std::is_same_v<T, I32> HWY_INLINE Strip<T, L> native(
    decltype(isa::mul_hi), Strip<T, L> a, Strip<T, L> b) {
  const typename Strip<T, L>::D d;
  const hn::RepartitionToWide<hn::RebindToUnsigned<decltype(d)>> d64;
  const auto odd = [&](auto v) { return hn::BitCast(d, hn::ShiftRight<32>(hn::BitCast(d64, v))); };
  const auto even_product = hn::BitCast(d64, hn::MulEven(a.v, b.v));
  const auto odd_product = hn::BitCast(d64, hn::MulEven(odd(a.v), odd(b.v)));
  const auto upper = hn::And(odd_product, hn::Set(d64, 0xffffffff00000000u));
  return {hn::BitCast(d, hn::Or(upper, hn::ShiftRight<32>(even_product)))};
}
template <class T, std::size_t L>
requires(L <= hn::MaxLanes(hn::ScalableTag<std::uint64_t>())) HWY_INLINE
    auto native(decltype(isa::mul_wide), Strip<T, L> a, Strip<T, L> b) {
  using Wide = std::conditional_t<std::is_same_v<T, I32>, I64, U64>;
  const typename Strip<Wide, L>::D d64;
  const hn::RepartitionToNarrow<decltype(d64)> d32;
  const auto spread = [&](auto v) { return hn::BitCast(d32, hn::PromoteTo(d64, v)); };
  return Strip<Wide, L>{hn::MulEven(spread(a.v), spread(b.v))};
}

template <class T, std::size_t L>
HWY_INLINE Strip<T, L> native(decltype(isa::bfe), Strip<T, L> a, Strip<U32, L> offset,
                              Strip<U32, L> width) {
  using U = Strip<U32, L>;
  const U mask = (U(1u) << (width & U(31u))) - U(1u);
  const U field = as<U32>(a >> as<T>(offset & U(31u))) & mask;
  if constexpr (std::is_same_v<T, U32>) return field;
  const U sign = U{hn::ShiftRight<1>((mask + U(1u)).v)};
  return as<T>((field ^ sign) - sign);
}
template <std::size_t L>
HWY_INLINE Strip<U32, L> native(decltype(isa::alignbit), Strip<U32, L> a, Strip<U32, L> b,
                                Strip<U32, L> shift) {
  using U = Strip<U32, L>;
  const U low = shift & U(31u);
  const U high = U(31u) ^ low;  // one less than the left shift, which may be 32
  return (b >> low) | (U{hn::ShiftLeft<1>(a.v)} << high);
}
/// Bytes chosen by selectors 0 to 7; the constants that larger ones name go lane by lane.
template <std::size_t L>
HWY_INLINE Strip<U32, L> native(decltype(isa::perm), Strip<U32, L> a, Strip<U32, L> b,
                                Strip<U32, L> selector) {
  using U = Strip<U32, L>;
  const typename U::D d;
  if (!hn::AllTrue(d, ((selector & U(0xf8f8f8f8u)) == U(0u)).m)) {
    return each_lane(isa::perm, a, b, selector);
  }
  U result(0u);
  for (unsigned shift = 0; shift < 32; shift += 8) {
    const U index = selector >> U(shift);
    const U from = select((index & U(4u)) == U(0u), b, a);
    const U byte = (from >> ((index & U(3u)) << U(3u))) & U(0xffu);
    result = result | (byte << U(shift));
  }
  return result;
}
/// The highest one's place is the exponent of the value as a float. Without adjacent ones, rounding
/// cannot carry past it.
template <std::size_t L>
HWY_INLINE Strip<U32, L> native(decltype(isa::ffbh), Strip<U32, L> a) {
  using U = Strip<U32, L>;
  const hn::RebindToSigned<typename U::D> di;
  const hn::RebindToFloat<typename U::D> df;
  const U kept{hn::AndNot(hn::ShiftRight<1>(a.v), a.v)};
  const auto value = hn::ConvertTo(df, hn::BitCast(di, kept.v));
  const U exponent{hn::ShiftRight<23>(hn::BitCast(typename U::D(), value))};
  const U top_set = U{hn::BitCast(typename U::D(), hn::ShiftRight<31>(hn::BitCast(di, a.v)))};
  const U zeros = (U(158u) - exponent) & ~top_set;
  return select(a == U(0u), U(~0u), zeros);
}

}  // namespace wavetank::execute::WAVETANK_HOST
