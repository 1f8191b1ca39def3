// Float functions of lanes, drawn. Where a host operation equals the GPU's for ordinary operands
// only, strips with others are left to the handlers.
#pragma once

#include "execute/jit/drawn_integer.hpp"

namespace wavetank::execute::jit {

/// f32 and f64, which hosts have.
template <class T>
inline constexpr bool kIsHostFloat = std::is_same_v<T, F32> || std::is_same_v<T, F64>;

template <class T>
Drawn<T> float_of(Do what, Drawn<T> a, Drawn<T> b = {}, Drawn<T> c = {}, unsigned operands = 1,
                  std::uint8_t variant = 0) {
  return Drawn<T>(graph().make(what, Drawn<T>::kKind, a.id, operands > 1 ? b.id : kNoValue,
                               operands > 2 ? c.id : kNoValue, variant));
}
inline Drawn<F32> widened(Drawn<F16> a) { return Drawn<F32>(word_of(Do::kFloatOfHalf, a.id)); }
inline Drawn<F16> narrowed(Drawn<F32> a) { return Drawn<F16>(word_of(Do::kHalfOfFloat, a.id)); }

/// The word with sign and exponent.
template <class T>
Drawn<U32> upper_word(Drawn<T> a) {
  if constexpr (std::is_same_v<T, F64>) return Drawn<U32>(word_of(Do::kHigh, a.id));
  return Drawn<U32>(a.id);
}
/// The same value with another such word.
template <class T>
Drawn<T> with_upper(Drawn<T> a, Drawn<U32> upper) {
  if constexpr (std::is_same_v<T, F64>) {
    return Drawn<T>(graph().make(Do::kJoin, Kind::kDouble, word_of(Do::kLow, a.id), upper.id));
  }
  return Drawn<T>(upper.id);
}
template <class T>
using FormatOf = number::Format<isa::Scalar<T>>;
/// Bits of the exponent's unit in the upper word.
template <class T>
inline constexpr unsigned kUpperMantissaBits = FormatOf<T>::kMantissaBits % 32;
inline constexpr std::uint32_t kSize = 0x7fffffff;
/// The upper word of infinity.
template <class T>
inline constexpr unsigned kInfinity =
    static_cast<unsigned>(FormatOf<T>::kMaxExponent) << kUpperMantissaBits<T>;

/// The word with the exponent, without the sign.
template <class T>
Drawn<U32> magnitude(Drawn<T> a) {
  return upper_word(a) & Drawn<U32>(kSize);
}
/// The exponent's field.
template <class T>
Drawn<I32> exponent_field(Drawn<T> a) {
  return as<I32>(magnitude(a) >> Drawn<U32>(kUpperMantissaBits<T>));
}
/// 2^n, of an n that normal numbers have.
template <class T>
Drawn<T> power_of_two(Drawn<I32> n) {
  const Drawn<I32> field = n + Drawn<I32>(FormatOf<T>::kBias);
  return with_upper(Drawn<T>(std::int64_t{0}), as<U32>(field) << Drawn<U32>(kUpperMantissaBits<T>));
}
/// Leaves strips where the mask is clear in an active lane.
inline void require(DrawnMask mask) { graph().require(Do::kRequire, mask.id); }
/// Are words among these? Decided where that has been required.
inline DrawnMask is_among(Drawn<U32> a, const Graph::Words& words) {
  if (graph().is_among(a.id, words)) return {graph().leaf(Do::kAll, Kind::kMask)};
  return a - Drawn<U32>(words.low) < Drawn<U32>(words.count);
}
/// As Graph::given.
template <class T>
Drawn<T> given(Drawn<T> a, DrawnMask mask) {
  return Drawn<T>(graph().given(a.id, mask.id));
}
/// Leaves strips with a NaN.
template <class T>
void require_ordered(Drawn<T> a, Drawn<T> b) {
  if constexpr (std::is_same_v<T, F16>) {
    require_ordered(widened(a), widened(b));
  } else {
    graph().require(Do::kOrdered, a.id, b.id);
  }
}

/// As Graph::spelled.
template <class T, class... Operands>
Drawn<T> spelled(Drawn<T> result, Operands... operands) {
  return Drawn<T>(graph().spelled(result.id, {operands.id...}));
}
/// Of functions that have no number for some operands: their NaN is the negative one.
template <class T>
Drawn<T> spelled_invalid(Drawn<T> result, Drawn<T> operand) {
  return Drawn<T>(graph().spelled(result.id, {operand.id}, true));
}
/// a, quieted, where it is a NaN, otherwise b.
template <class T>
Drawn<T> nan_of(Drawn<T> a, Drawn<T> b) {
  return float_of(Do::kNanOf, a, b, {}, 2);
}
template <class T>
Drawn<T> infinity_of(bool negative) {
  const auto sign = negative ? FormatOf<T>::kSign : typename FormatOf<T>::Bits{0};
  return Drawn<T>(static_cast<std::int64_t>(FormatOf<T>::kInfinity | sign));
}
template <class T>
Drawn<T> invalid_nan() {
  return Drawn<T>(static_cast<std::int64_t>(FormatOf<T>::kDefaultNan | FormatOf<T>::kSign));
}

/// That of f64 may be a step of a root (drawn_division.hpp).
inline Drawn<F32> each(decltype(isa::fma), Drawn<F32> a, Drawn<F32> b, Drawn<F32> c) {
  return float_of(Do::kFma, a, b, c, 3);
}
/// f16 product and addend as f32, rounded to odd: so the rounding to f16 that follows is the one of
/// the exact sum (Boldo and Melquiond, "Emulation of FMA").
inline Drawn<F32> fma_for_half(Drawn<F32> a, Drawn<F32> b, Drawn<F32> c) {
  return float_of(Do::kFmaToOdd, a, b, c, 3);
}
inline Drawn<F16> each(decltype(isa::fma), Drawn<F16> a, Drawn<F16> b, Drawn<F16> c) {
  return narrowed(fma_for_half(widened(a), widened(b), widened(c)));
}
/// Denormals to zero of their sign.
inline Drawn<F32> flushed(Drawn<F32> a) { return Drawn<F32>(word_of(Do::kFlush, a.id)); }
/// Product and sum rounded one after the other.
inline Drawn<F32> each(decltype(isa::mad), Drawn<F32> a, Drawn<F32> b, Drawn<F32> c) {
  const auto computed = [&] {
    const PlainArithmetic plain(graph());
    return flushed(flushed(flushed(a) * flushed(b)) + flushed(c));
  };
  return spelled(computed(), a, b, c);
}
inline Drawn<F16> each(decltype(isa::mad), Drawn<F16> a, Drawn<F16> b, Drawn<F16> c) {
  const Drawn<F32> x = widened(a), y = widened(b), z = widened(c);
  const auto computed = [&] {
    const PlainArithmetic plain(graph());
    return widened(narrowed(x * y)) + z;
  };
  return narrowed(spelled(computed(), x, y, z));
}
/// Products of halves are exact, and no denormals.
inline Drawn<F32> each(decltype(isa::dot2_f32_f16), Drawn<isa::PkF16> a, Drawn<isa::PkF16> b,
                       Drawn<F32> c) {
  const auto upper = [](Drawn<isa::PkF16> x) {
    return Drawn<F16>(word_of(Do::kShr, x.id, word(16)));
  };
  const Drawn<F32> low = isa::fma(widened(Drawn<F16>(a.id)), widened(Drawn<F16>(b.id)), flushed(c));
  return flushed(isa::fma(widened(upper(a)), widened(upper(b)), flushed(low)));
}

template <class T>
  requires kIsFloat<T>
DrawnMask each(decltype(isa::unordered), Drawn<T> a, Drawn<T> b) {
  if constexpr (std::is_same_v<T, F16>) {
    return isa::unordered(widened(a), widened(b));
  } else {
    return {graph().compare(Do::kFCompare, Predicate::kUnordered, a.id, b.id)};
  }
}
/// A float as the host computes with it, and back.
template <class T>
auto as_host_float(Drawn<T> a) {
  if constexpr (std::is_same_v<T, F16>) {
    return widened(a);
  } else {
    return a;
  }
}
template <class T, class V>
Drawn<T> from_host_float(V a) {
  if constexpr (std::is_same_v<T, F16>) {
    return narrowed(a);
  } else {
    return a;
  }
}
template <class T>
DrawnMask is_signalling(Drawn<T> a) {
  const Drawn<U32> quiet(1u << (kUpperMantissaBits<T> - 1));
  return isa::unordered(a, a) & ((upper_word(a) & quiet) == Drawn<U32>(0u));
}
/// As number::detail::extremum, of what the host gives for numbers.
template <class T>
Drawn<T> extremum(Do what, Drawn<T> a, Drawn<T> b) {
  const auto x = as_host_float(a), y = as_host_float(b);
  if (!graph().spells_nans()) require_ordered(x, y);
  const auto of_numbers = float_of(what, x, y, {}, 2);
  if (!graph().spells_nans()) return from_host_float<T>(of_numbers);
  if (!pen.ieee && std::is_same_v<T, F16>) pen.declined = true;  // its conversion quiets
  if (a.id == b.id) return pen.ieee ? from_host_float<T>(nan_of(x, x)) : a;
  const auto of_one = select(isa::unordered(y, y), x, of_numbers);
  const auto of_quiet = select(isa::unordered(x, x), y, of_one);
  if (!pen.ieee) return from_host_float<T>(of_quiet);
  const auto of_second = select(is_signalling(b), nan_of(y, y), of_quiet);
  return from_host_float<T>(select(is_signalling(a), nan_of(x, x), of_second));
}
template <class T>
  requires kIsFloat<T>
Drawn<T> each(decltype(isa::min), Drawn<T> a, Drawn<T> b) {
  return extremum(Do::kFMin, a, b);
}
template <class T>
  requires kIsFloat<T>
Drawn<T> each(decltype(isa::max), Drawn<T> a, Drawn<T> b) {
  return extremum(Do::kFMax, a, b);
}
/// As number::med3: the operand that equals the largest leaves, the larger of the others stays.
template <class T>
  requires kIsFloat<T>
Drawn<T> each(decltype(isa::med3), Drawn<T> a, Drawn<T> b, Drawn<T> c) {
  const auto x = as_host_float(a), y = as_host_float(b), z = as_host_float(c);
  if (!graph().spells_nans()) {
    require_ordered(x, y);
    require_ordered(z, z);
  }
  const auto larger = [](auto v, auto w) { return float_of(Do::kFMax, v, w, {}, 2); };
  const auto xy = larger(x, y), yz = larger(y, z), xz = larger(x, z), largest = larger(xy, z);
  const auto of_numbers =
      from_host_float<T>(select(largest == x, yz, select(largest == y, xz, xy)));
  if (!graph().spells_nans()) return of_numbers;
  const auto of_nans = isa::min(isa::min(a, b), c);
  return select(isa::unordered(x, y) | isa::unordered(z, z), of_nans, of_numbers);
}

template <class T>
Drawn<T> rounded(Drawn<T> a, Rounding rounding) {
  return float_of(Do::kFRound, a, {}, {}, 1, static_cast<std::uint8_t>(rounding));
}
template <class T>
  requires kIsHostFloat<T>
Drawn<T> each(decltype(isa::trunc), Drawn<T> a) {
  return rounded(a, Rounding::kTowardsZero);
}
template <class T>
  requires kIsHostFloat<T>
Drawn<T> each(decltype(isa::ceil), Drawn<T> a) {
  return rounded(a, Rounding::kUp);
}
template <class T>
  requires kIsHostFloat<T>
Drawn<T> each(decltype(isa::floor), Drawn<T> a) {
  return rounded(a, Rounding::kDown);
}
template <class T>
  requires kIsHostFloat<T>
Drawn<T> each(decltype(isa::rndne), Drawn<T> a) {
  return rounded(a, Rounding::kNearest);
}
/// a - floor(a) is the exact fraction rounded once; it may round up to 1, which is not allowed.
template <class T>
  requires kIsHostFloat<T>
Drawn<T> each(decltype(isa::fract), Drawn<T> a) {
  const Drawn<T> part = a - rounded(a, Rounding::kDown);
  const Drawn<T> below_one(static_cast<std::int64_t>(FormatOf<T>::kOne - 1));
  return select(part > below_one, below_one, part);
}

/// Zeros, which no power of two changes; infinities and NaNs, too, where NaNs are spelled.
inline DrawnMask keeps_exponent(Drawn<F64> a) {
  const DrawnMask zero = a == Drawn<F64>(std::int64_t{0});
  if (!graph().spells_nans()) return zero;
  return zero | (Drawn<U32>(kInfinity<F64>) <= magnitude(a));
}
/// a * 2^n of all operands: the mantissa by two powers, of which the first product is exact.
inline Drawn<F64> scaled_twice(Drawn<F64> a, Drawn<I32> exponent) {
  using I = Drawn<I32>;
  using U = Drawn<U32>;
  constexpr int kBias = FormatOf<F64>::kBias, kMantissa = kUpperMantissaBits<F64>;
  const PlainArithmetic plain(graph());
  const auto stopped = [](I n, int least, int most) {
    return isa::min(isa::max(n, I(least)), I(most));
  };
  constexpr unsigned kField = static_cast<unsigned>(FormatOf<F64>::kMaxExponent) << kMantissa;
  const DrawnMask denormal = exponent_field(a) == I(0);
  const Drawn<F64> normal = select(denormal, a * power_of_two<F64>(I(64)), a);
  const I own = exponent_field(normal) - select(denormal, I(64), I(0));
  const I n = stopped(exponent, -8192, 8192) + own - I(kBias);
  const Drawn<F64> mantissa =
      with_upper(normal, (upper_word(normal) & U(~kField)) | U(unsigned{kBias} << kMantissa));
  const I first = stopped(n, -1000, kBias);
  return mantissa * power_of_two<F64>(first) * power_of_two<F64>(stopped(n - first, -1000, 1));
}
/// a * 2^n by the exponent field, while it stays that of a normal number; zeros stay zeros. Where
/// NaNs are spelled, of all operands.
inline Drawn<F64> each(decltype(isa::ldexp), Drawn<F64> a, Drawn<I32> exponent) {
  using U = Drawn<U32>;
  if (const Node from = graph()[a.id]; from.what == Do::kGiven) {
    return given(isa::ldexp(Drawn<F64>(from.in[0]), exponent), DrawnMask{from.in[1]});
  }
  const DrawnMask keeps = keeps_exponent(a);
  if (graph().spells_nans()) return select(keeps, nan_of(a, a), scaled_twice(a, exponent));
  constexpr unsigned kShift = kUpperMantissaBits<F64>;
  const U upper = upper_word(a), change = as<U32>(exponent);
  const U normal(FormatOf<F64>::kMaxExponent - 1);
  const U field = as<U32>(exponent_field(a));
  require((field - U(1u) < normal) | keeps);
  require((field + change - U(1u) < normal) | keeps);
  // A change that wraps the sum around cannot bring it back into the normal range.
  require(change + U(4096u) < U(8192u));
  return select(keeps, a, with_upper(a, upper + (change << U(kShift))));
}
/// Lanes whose exponent is that of a normal number. Strips with others are left, unless NaNs are
/// spelled: then strips with denormals are.
template <class T>
DrawnMask has_fraction(Drawn<T> a) {
  const auto field = as<U32>(exponent_field(a));
  const DrawnMask normal = field - Drawn<U32>(1u) < Drawn<U32>(FormatOf<T>::kMaxExponent - 1);
  const DrawnMask zero = a == Drawn<T>(std::int64_t{0});
  require(graph().spells_nans() ? zero | !(field == Drawn<U32>(0u)) : normal);
  return normal;
}
template <class T>
  requires kIsHostFloat<T>
Drawn<T> each(decltype(isa::frexp_mant), Drawn<T> a) {
  using U = Drawn<U32>;
  constexpr unsigned kShift = kUpperMantissaBits<T>;
  constexpr unsigned kField = static_cast<unsigned>(FormatOf<T>::kMaxExponent) << kShift;
  const DrawnMask normal = has_fraction(a);
  const Drawn<T> fraction = with_upper(
      a, (upper_word(a) & U(~kField)) | U(static_cast<unsigned>(FormatOf<T>::kBias - 1) << kShift));
  return graph().spells_nans() ? select(normal, fraction, nan_of(a, a)) : fraction;
}
template <class T>
  requires kIsHostFloat<T>
Drawn<I32> each(decltype(isa::frexp_exp<I32>), Drawn<T> a) {
  const DrawnMask normal = has_fraction(a);
  const Drawn<I32> exponent = exponent_field(a) - Drawn<I32>(FormatOf<T>::kBias - 1);
  return graph().spells_nans() ? select(normal, exponent, Drawn<I32>(0)) : exponent;
}

/// The upper word without its sign, in which bit 0 is set, too, if the lower word of an f64 is not
/// zero: the number's class is that of this word.
template <class T>
Drawn<U32> word_of_size(Drawn<T> a) {
  constexpr unsigned kSizeBits = std::is_same_v<T, F16> ? 0x7fff : kSize;
  const Drawn<U32> size = upper_word(a) & Drawn<U32>(kSizeBits);
  if constexpr (!std::is_same_v<T, F64>) return size;
  return size | isa::min(Drawn<U32>(word_of(Do::kLow, a.id)), Drawn<U32>(1u));
}
template <class T>
DrawnMask is_negative(Drawn<T> a) {
  return Drawn<U32>(std::is_same_v<T, F16> ? 0x7fffu : kSize) < upper_word(a);
}
/// v_cmp_class of normal numbers and zeros, of all but denormals where NaNs are spelled: the bit of
/// their class, tested against the mask.
template <class T>
DrawnMask is_class_of_mask(Drawn<T> a, Drawn<U32> mask) {
  using U = Drawn<U32>;
  constexpr unsigned kLeast = 1u << kUpperMantissaBits<T>;
  const U size = word_of_size(a);
  const DrawnMask zero = size == U(0u), negative = is_negative(a);
  const bool any = graph().spells_nans();
  require(is_among(size, {kLeast, any ? 0u - kLeast : kInfinity<T> - kLeast}) | zero);
  const auto of_sign = [&](unsigned below, unsigned above) {
    return select(negative, U(below), U(above));
  };
  U bit = select(zero, of_sign(0x20, 0x40), of_sign(0x8, 0x100));
  if (any) {
    bit = select(size == U(kInfinity<T>), of_sign(0x4, 0x200), bit);
    const U of_nan = select((upper_word(a) & U(kLeast >> 1)) == U(0u), U(1u), U(2u));
    bit = select(U(kInfinity<T>) < size, of_nan, bit);
  }
  return !((bit & mask) == U(0u));
}
/// v_cmp_class, whose mask is known mostly: sizes named with both signs, then those of either.
/// Masks are made when they are asked for: the host has few registers for them.
template <class T>
  requires kIsFloat<T>
DrawnMask each(decltype(isa::is_class), Drawn<T> a, Drawn<U32> mask) {
  using U = Drawn<U32>;
  if (!graph().is_constant(mask.id)) return is_class_of_mask(a, mask);
  constexpr unsigned kLeast = 1u << kUpperMantissaBits<T>;
  const unsigned classes = graph().constant(mask.id);
  const U size = word_of_size(a);
  const DrawnMask none{graph().leaf(Do::kNone, Kind::kMask)};
  const auto of_sizes = [&](bool of_negative, bool of_positive) {
    const auto named = [&](unsigned negative, unsigned positive) {
      return ((classes & negative) != 0) == of_negative &&
             ((classes & positive) != 0) == of_positive;
    };
    DrawnMask found = none;
    if (named(0x20, 0x40)) found = found | (size == U(0u));
    if (named(0x10, 0x80)) found = found | (size - U(1u) < U(kLeast - 1));
    if (named(0x8, 0x100)) found = found | is_among(size, {kLeast, kInfinity<T> - kLeast});
    if (named(0x4, 0x200)) found = found | (size == U(kInfinity<T>));
    return found;
  };
  DrawnMask found = of_sizes(true, true);
  if (const auto sizes = of_sizes(true, false); sizes.id != none.id) {
    found = found | (sizes & is_negative(a));
  }
  if (const auto sizes = of_sizes(false, true); sizes.id != none.id) {
    found = found | (sizes & !is_negative(a));
  }
  const bool signalling = (classes & 0x1) != 0, quiet = (classes & 0x2) != 0;
  if (!signalling && !quiet) return found;
  const DrawnMask nan = U(kInfinity<T>) < size;
  if (signalling && quiet) return found | nan;
  const DrawnMask of_signalling = (upper_word(a) & U(kLeast >> 1)) == U(0u);
  return found | (nan & (signalling ? of_signalling : !of_signalling));
}

// ---- conversions

inline Drawn<F32> each(decltype(isa::convert<F32>), Drawn<F16> a) { return widened(a); }
inline Drawn<F16> each(decltype(isa::convert<F16>), Drawn<F32> a) { return narrowed(a); }
inline Drawn<F64> each(decltype(isa::convert<F64>), Drawn<F32> a) {
  return Drawn<F64>(graph().make(Do::kDoubleOfFloat, Kind::kDouble, a.id));
}
inline Drawn<F32> each(decltype(isa::convert<F32>), Drawn<F64> a) {
  return Drawn<F32>(word_of(Do::kFloatOfDouble, a.id));
}
inline Drawn<F32> each(decltype(isa::convert<F32>), Drawn<I32> a) {
  return Drawn<F32>(word_of(Do::kFloatOfInt, a.id));
}
inline Drawn<F32> each(decltype(isa::convert<F32>), Drawn<U32> a) {
  return Drawn<F32>(word_of(Do::kFloatOfUint, a.id));
}
inline Drawn<F64> each(decltype(isa::convert<F64>), Drawn<I32> a) {
  return Drawn<F64>(graph().make(Do::kDoubleOfInt, Kind::kDouble, a.id));
}
inline Drawn<F64> each(decltype(isa::convert<F64>), Drawn<U32> a) {
  const Drawn<F64> centred(
      graph().make(Do::kDoubleOfInt, Kind::kDouble, word_of(Do::kXor, a.id, word(0x80000000u))));
  return centred + Drawn<F64>(std::int64_t{0x41e0000000000000});
}
/// Truncated and saturated; NaN gives 0.
inline Drawn<U32> each(decltype(isa::convert<U32>), Drawn<F32> a) {
  const Drawn<F32> zero(0u);
  const Drawn<F32> positive = select(zero < a, a, zero);
  return Drawn<U32>(word_of(Do::kUintOfFloat, positive.id));
}
inline Drawn<I32> each(decltype(isa::convert<I32>), Drawn<F32> a) {
  const Drawn<I32> inside(word_of(Do::kIntOfFloat, a.id));
  const Drawn<I32> stopped = select(Drawn<F32>(0x4f000000u) <= a, Drawn<I32>(0x7fffffff), inside);
  return select(isa::unordered(a, a), Drawn<I32>(0), stopped);
}
/// f64 to i32, after stopping at the ends, where the conversion is exact.
inline Drawn<I32> each(decltype(isa::convert<I32>), Drawn<F64> a) {
  const Drawn<F64> least(static_cast<std::int64_t>(0xc1e0000000000000)),
      most(std::int64_t{0x41dfffffffc00000}), zero(0);
  const Drawn<F64> above = select(least < a, a, select(a <= least, least, zero));
  const Drawn<F64> inside = select(above < most, above, most);
  return Drawn<I32>(word_of(Do::kIntOfDouble, inside.id));
}
inline Drawn<U32> each(decltype(isa::convert<U32>), Drawn<F64> a) {
  const Drawn<F64> most(std::int64_t{0x41efffffffe00000}), zero(0);
  const Drawn<F64> positive = select(zero < a, a, zero);
  const Drawn<F64> whole = rounded(select(positive < most, positive, most), Rounding::kTowardsZero);
  const Drawn<F64> centred = whole - Drawn<F64>(std::int64_t{0x41e0000000000000});
  return Drawn<U32>(word_of(Do::kXor, word_of(Do::kIntOfDouble, centred.id), word(0x80000000u)));
}

/// a * 2^n: a double holds it exactly.
inline Drawn<F32> each(decltype(isa::ldexp), Drawn<F32> a, Drawn<I32> exponent) {
  using I = Drawn<I32>;
  if (const Node from = graph()[a.id]; from.what == Do::kGiven) {
    return given(isa::ldexp(Drawn<F32>(from.in[0]), exponent), DrawnMask{from.in[1]});
  }
  // Beyond these every number becomes zero or infinite.
  const I stopped = isa::min(isa::max(exponent, I(-300)), I(300));
  return isa::convert<F32>(isa::convert<F64>(a) * power_of_two<F64>(stopped));
}

/// Integers to wider and narrower integers. 16-bit ones stand extended in their words already.
inline Drawn<U64> each(decltype(isa::convert<U64>), Drawn<U32> a) { return {a.id, word(0)}; }
inline Drawn<I64> each(decltype(isa::convert<I64>), Drawn<I32> a) {
  return {a.id, word_of(Do::kSar, a.id, word(31))};
}
inline Drawn<U32> each(decltype(isa::convert<U32>), Drawn<U64> a) { return Drawn<U32>(a.id); }
inline Drawn<U32> each(decltype(isa::convert<U32>), Drawn<U16> a) { return Drawn<U32>(a.id); }
inline Drawn<U16> each(decltype(isa::convert<U16>), Drawn<U32> a) { return Drawn<U16>::wrap(a.id); }
inline Drawn<I16> each(decltype(isa::convert<I16>), Drawn<I32> a) { return Drawn<I16>::wrap(a.id); }
inline Drawn<I32> each(decltype(isa::convert<I32>), Drawn<I16> a) { return Drawn<I32>(a.id); }

inline Drawn<U32> each(decltype(isa::cvt_pkrtz_f16_f32), Drawn<F32> a, Drawn<F32> b) {
  const auto half = [](Id value) {
    return graph().make(Do::kHalfOfFloat, Kind::kWord, value, kNoValue, kNoValue,
                        static_cast<std::uint8_t>(Rounding::kTowardsZero));
  };
  return isa::halves_of(Drawn<U32>(half(a.id)), Drawn<U32>(half(b.id)));
}

}  // namespace wavetank::execute::jit
