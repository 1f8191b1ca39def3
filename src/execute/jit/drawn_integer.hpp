// Integer functions of lanes, drawn.
#pragma once

#include "execute/jit/drawn.hpp"

namespace wavetank::execute::jit {

template <class T>
  requires(!kIsFloat<T>)
Drawn<T> each(decltype(isa::min), Drawn<T> a, Drawn<T> b) {
  return Drawn<T>(word_of(kIsSigned<T> ? Do::kMin : Do::kMinU, a.id, b.id));
}
template <class T>
  requires(!kIsFloat<T>)
Drawn<T> each(decltype(isa::max), Drawn<T> a, Drawn<T> b) {
  return Drawn<T>(word_of(kIsSigned<T> ? Do::kMax : Do::kMaxU, a.id, b.id));
}

template <class T>
  requires(std::is_same_v<T, U32> || std::is_same_v<T, I32>)
auto each(decltype(isa::mul_wide), Drawn<T> a, Drawn<T> b) {
  using Wide = std::conditional_t<kIsSigned<T>, I64, U64>;
  const auto product = [](Id x, Id y) {
    return word_of(kIsSigned<T> ? Do::kMulEven : Do::kMulEvenU, x, y);
  };
  return Drawn<Wide>::of_pairs(
      {product(a.id, b.id), product(word_of(Do::kOddFirst, a.id), word_of(Do::kOddFirst, b.id))});
}
template <class T>
  requires(std::is_same_v<T, U32> || std::is_same_v<T, I32>)
Drawn<T> each(decltype(isa::mul_hi), Drawn<T> a, Drawn<T> b) {
  return Drawn<T>(isa::mul_wide(a, b).high);
}

/// Widths of 0 give 0; a field may reach beyond the word.
template <class T>
  requires(std::is_same_v<T, U32> || std::is_same_v<T, I32>)
Drawn<T> each(decltype(isa::bfe), Drawn<T> a, Drawn<U32> offset, Drawn<U32> width) {
  using U = Drawn<U32>;
  offset = offset & U(31u);
  width = width & U(31u);
  if (graph().is_constant(offset.id) && graph().is_constant(width.id)) {
    const unsigned down = 32 - graph().constant(width.id);
    const unsigned up = down - graph().constant(offset.id);
    const bool inside = down < 32 && graph().constant(offset.id) <= down;
    if (kIsSigned<T> && inside) return (a << Drawn<T>(up)) >> Drawn<T>(down);
  }
  const U mask = (U(1u) << width) - U(1u);
  const U field = as<U32>(a >> as<T>(offset)) & mask;
  if constexpr (std::is_same_v<T, U32>) {
    return field;
  } else {
    const U sign = (mask + U(1u)) >> U(1u);
    return as<T>((field ^ sign) - sign);
  }
}
inline Drawn<U32> each(decltype(isa::alignbit), Drawn<U32> a, Drawn<U32> b, Drawn<U32> shift) {
  using U = Drawn<U32>;
  const U low = shift & U(31u);
  // By 32 the upper part is shifted out, as it should be.
  return (b >> low) | U(word_of(Do::kShl, a.id, word_of(Do::kSub, word(32), low.id)));
}
/// Bytes that selectors 0 to 7 choose; strips with others, which name constants, are left.
inline Drawn<U32> permuted(Drawn<U32> a, Drawn<U32> b, Drawn<U32> selector) {
  using U = Drawn<U32>;
  graph().require(Do::kRequire, ((selector & U(0xf8f8f8f8u)) == U(0u)).id);
  U result(0u);
  for (unsigned shift = 0; shift < 32; shift += 8) {
    const U index = selector >> U(shift);
    const U from = select((index & U(4u)) == U(0u), b, a);
    const U byte = (from >> ((index & U(3u)) << U(3u))) & U(0xffu);
    result = result | (byte << U(shift));
  }
  return result;
}
/// Of constant selectors all: bytes of the operands, sign bytes, 0 and 255.
inline Drawn<U32> each(decltype(isa::perm), Drawn<U32> a, Drawn<U32> b, Drawn<U32> selector) {
  using U = Drawn<U32>;
  if (!graph().is_constant(selector.id)) return permuted(a, b, selector);
  const std::uint32_t chosen = graph().constant(selector.id);
  U result(0u);
  for (unsigned i = 0; i < 4; ++i) {
    const unsigned index = (chosen >> (8 * i)) & 0xff;
    if (index >= 13) {
      result = result | U(0xffu << (8 * i));
    } else if (index >= 8 && index < 12) {
      const U from = index < 10 ? b : a;
      const unsigned bit = index % 2 == 0 ? 15 : 31;
      const U sign(word_of(Do::kSar, word_of(Do::kShl, from.id, word(31 - bit)), word(31)));
      result = result | (sign & U(0xffu << (8 * i)));
    } else if (index < 8) {
      const U from = index < 4 ? b : a;
      const int places = 8 * (static_cast<int>(i) - static_cast<int>(index % 4));
      const U moved = places >= 0 ? from << U(static_cast<unsigned>(places))
                                  : from >> U(static_cast<unsigned>(-places));
      result = result | (moved & U(0xffu << (8 * i)));
    }
  }
  return result;
}
/// The highest one's place is the exponent of the value as a float. Without adjacent ones, rounding
/// cannot carry past it.
inline Drawn<U32> each(decltype(isa::ffbh), Drawn<U32> a) {
  using U = Drawn<U32>;
  const U kept = a & ~(a >> U(1u));
  const U exponent = U(word_of(Do::kFloatOfUint, kept.id)) >> U(23u);
  return select(a == U(0u), U(~0u), U(158u) - exponent);
}
/// Sums of products of fields of `bits` bits, a pair of them at a time: at `shift` of both halves.
template <bool kSignedFields>
Id drawn_dot(Id a, Id b, Id c, unsigned bits) {
  const auto field = [&](Id word_id, unsigned shift) {
    if (!kSignedFields) {
      const Id down = word_of(Do::kShr, word_id, word(shift));
      return word_of(Do::kAnd, down, word(((1u << bits) - 1) * 0x10001u));
    }
    const auto moved = [](Do what, Id value, unsigned amount) {
      return amount == 0 ? value
                         : graph().make(what, Kind::kHalves, value, word(amount * 0x10001u));
    };
    return moved(Do::kSar, moved(Do::kShl, word_id, 16 - bits - shift), 16 - bits);
  };
  for (unsigned shift = 0; shift < 16; shift += bits) {
    c = word_of(Do::kAdd, c, word_of(Do::kSumHalves, field(a, shift), field(b, shift)));
  }
  return c;
}
inline Drawn<I32> each(decltype(isa::dot2_i32_i16), Drawn<isa::PkI16> a, Drawn<isa::PkI16> b,
                       Drawn<I32> c) {
  return Drawn<I32>(word_of(Do::kAdd, c.id, word_of(Do::kSumHalves, a.id, b.id)));
}
inline Drawn<U32> each(decltype(isa::dot2_u32_u16), Drawn<isa::PkU16> a, Drawn<isa::PkU16> b,
                       Drawn<U32> c) {
  const auto product = [&](auto half) { return half(a.id) * half(b.id); };
  const auto low = [](Id x) { return Drawn<U32>(x) & Drawn<U32>(0xffffu); };
  const auto high = [](Id x) { return Drawn<U32>(word_of(Do::kShr, x, word(16))); };
  return c + product(low) + product(high);
}
inline Drawn<I32> each(decltype(isa::dot4_i32_i8), Drawn<U32> a, Drawn<U32> b, Drawn<I32> c) {
  return Drawn<I32>(drawn_dot<true>(a.id, b.id, c.id, 8));
}
inline Drawn<U32> each(decltype(isa::dot4_u32_u8), Drawn<U32> a, Drawn<U32> b, Drawn<U32> c) {
  return Drawn<U32>(drawn_dot<false>(a.id, b.id, c.id, 8));
}
inline Drawn<I32> each(decltype(isa::dot8_i32_i4), Drawn<U32> a, Drawn<U32> b, Drawn<I32> c) {
  return Drawn<I32>(drawn_dot<true>(a.id, b.id, c.id, 4));
}
inline Drawn<U32> each(decltype(isa::dot8_u32_u4), Drawn<U32> a, Drawn<U32> b, Drawn<U32> c) {
  return Drawn<U32>(drawn_dot<false>(a.id, b.id, c.id, 4));
}

}  // namespace wavetank::execute::jit
