// Reciprocals, roots and divisions of lanes, drawn: alone, and as the last of the steps that
// compilers write for them, which is then one operation of the host (docs/decisions/0036).
#pragma once

#include <array>
#include <optional>

#include "execute/jit/drawn_float.hpp"

namespace wavetank::execute::jit {

/// Magnitudes in [2^-exponent, 2^exponent).
template <class T>
Graph::Words moderate(unsigned exponent) {
  constexpr unsigned kShift = kUpperMantissaBits<T>;
  return {(FormatOf<T>::kBias - exponent) << kShift, (2 * exponent) << kShift};
}
template <class T>
DrawnMask is_moderate(Drawn<T> a, unsigned exponent) {
  return is_among(magnitude(a), moderate<T>(exponent));
}
/// Leaves strips with others.
template <class T>
void require_moderate(Drawn<T> a, unsigned exponent) {
  graph().require_among(magnitude(a).id, moderate<T>(exponent));
}
/// Positive numbers that are no denormals.
template <class T>
inline constexpr Graph::Words kPositiveNormals{1u << kUpperMantissaBits<T>,
                                               static_cast<unsigned>(FormatOf<T>::kMaxExponent - 1)
                                                   << kUpperMantissaBits<T>};
/// Exponents of operands whose quotient needs no scaling (number::DivideLimits), and whose
/// reciprocal is an ordinary number.
template <class T>
inline constexpr unsigned kDivisible = std::is_same_v<T, F32> ? 47 : 383;
template <class T>
inline constexpr unsigned kInvertible = std::is_same_v<T, F32> ? 125 : 1021;

/// Zeros and infinities, of which reciprocals and quotients are not rounded; and NaNs, whose
/// quotients are looked for anyway.
inline DrawnMask is_zero_or_infinite(Drawn<F32> a) {
  return Drawn<U32>(kInfinity<F32> - 1) <= magnitude(a) - Drawn<U32>(1u);
}
inline DrawnMask is_zero_or_infinite(Drawn<F64> a) {
  return (a == Drawn<F64>(std::int64_t{0})) | (Drawn<U32>(kInfinity<F64>) <= magnitude(a));
}
/// Numbers whose reciprocals are neither denormal nor too large, zeros and infinities.
template <class T>
DrawnMask is_invertible(Drawn<T> a) {
  const Graph::Words words = moderate<T>(kInvertible<T>);
  const Drawn<U32> size = magnitude(a);
  if (graph().is_among(size.id, words)) return {graph().leaf(Do::kAll, Kind::kMask)};
  if constexpr (std::is_same_v<T, F64>) {
    return is_among(size, words) | is_zero_or_infinite(a);
  } else {
    // The distance from the least one, from infinity or downwards from 0, whichever is less: of all
    // others these are more than the range. One comparison leaves masks' registers to others.
    const auto less = [](Drawn<U32> x, Drawn<U32> y) {
      return Drawn<U32>(word_of(Do::kMinU, x.id, y.id));
    };
    const Drawn<U32> distance = less(size - Drawn<U32>(words.low), Drawn<U32>(0u) - size);
    return less(distance, size - Drawn<U32>(kInfinity<F32>)) < Drawn<U32>(words.count);
  }
}
/// What a kGiven gives.
template <class T>
Drawn<T> without_condition(Drawn<T> a) {
  const Node& node = graph()[a.id];
  return node.what == Do::kGiven ? Drawn<T>(node.in[0]) : a;
}
template <class T>
  requires kIsHostFloat<T>
Drawn<T> each(decltype(isa::rcp), Drawn<T> a) {
  const Drawn<T> one(static_cast<std::int64_t>(FormatOf<T>::kOne));
  const Drawn<T> result = float_of(Do::kFDiv, one, a, {}, 2);
  graph().require_for(result.id, is_invertible(without_condition(a)).id);
  return result;
}
/// f32 has more than twice the digits, so that the quotient and the root are rounded to f16 as if
/// at once (Figueroa, "When is double rounding innocuous?").
inline Drawn<F16> each(decltype(isa::rcp), Drawn<F16> a) {
  const Drawn<F32> one(std::int64_t{FormatOf<F32>::kOne});
  return narrowed(float_of(Do::kFDiv, one, widened(a), {}, 2));
}
inline Drawn<F16> each(decltype(isa::sqrt), Drawn<F16> a) {
  return narrowed(float_of(Do::kFSqrt, widened(a)));
}
/// Of zeros and numbers so large that the root's error, which hosts may have to look at, is a
/// normal number too. Those of negative numbers are NaNs.
inline Drawn<F32> each(decltype(isa::sqrt), Drawn<F32> a) {
  constexpr unsigned kLeast = 37u << kUpperMantissaBits<F32>;
  graph().require_among(a.id, {kLeast, 1 - kLeast});
  if (graph().spells_nans()) {
    // Denormals count as zeros, whose roots are no NaNs.
    const Drawn<U32> above(0x80000001u), denormals(FormatOf<F32>::kHidden - 1);
    require(!(as<U32>(a) - above < denormals));
  }
  return float_of(Do::kFSqrt, a);
}
/// Of positive normal numbers, if NaNs are not spelled.
inline Drawn<F64> each(decltype(isa::sqrt), Drawn<F64> a) {
  if (!graph().spells_nans()) graph().require_among(upper_word(a).id, kPositiveNormals<F64>);
  return float_of(Do::kFSqrt, a);
}
/// Positive numbers of which no step to the root leaves the normal numbers.
inline DrawnMask has_exact_root_steps(Drawn<F64> a) {
  return is_among(upper_word(a), moderate<F64>(900));
}
/// The estimate that is rounded twice, corrected by its error. Right where the correction is sure
/// to be in one half between two numbers: it is off by less than 2^-100 of them.
struct Correction {
  Drawn<F64> estimate, down, up;  ///< corrected by less and by more than the error
};
inline Correction corrected_rsq(Drawn<F64> a) {
  const PlainArithmetic plain(graph());
  const Drawn<F64> one(static_cast<std::int64_t>(FormatOf<F64>::kOne));
  const Drawn<F64> half(std::int64_t{0x3fe0000000000000}), margin(std::int64_t{0x39b0000000000000});
  const Drawn<F64> y = float_of(Do::kFDiv, one, float_of(Do::kFSqrt, a), {}, 2);
  const Drawn<F64> square = y * y;
  const Drawn<F64> square_error = float_of(Do::kFma, y, y, square, 3, kSubtractsAddend);
  const Drawn<F64> residual =
      float_of(Do::kFma, a, square, one, 3, kNegatesProduct) - a * square_error;
  const Drawn<F64> change = y * (residual * half), unsure = y * margin;
  return {y, y + (change - unsure), y + (change + unsure)};
}
inline Drawn<F64> each(decltype(isa::rsq), Drawn<F64> a) {
  const auto [estimate, down, up] = corrected_rsq(a);
  if (!graph().spells_nans()) return given(down, has_exact_root_steps(a) & (down == up));
  // Zero, infinite or a NaN: others have an upper word of their own.
  const DrawnMask unrounded =
      Drawn<U32>(kInfinity<F64> - 1) <= magnitude(estimate) - Drawn<U32>(1u);
  const Drawn<F64> result = select(unrounded, spelled_invalid(estimate, a), down);
  const DrawnMask agree = down == up;  // first: it takes two masks' registers
  return given(result, unrounded | (agree & has_exact_root_steps(a)));
}
/// The last step of a root gives the root.
inline Drawn<F64> each(decltype(isa::fma), Drawn<F64> a, Drawn<F64> b, Drawn<F64> c) {
  const auto root = graph().root(a.id, b.id, c.id);
  if (!root || isa::rsq(Drawn<F64>(root->operand)).id != root->reciprocal) {
    return float_of(Do::kFma, a, b, c, 3);
  }
  const Drawn<F64> operand(root->operand);
  return given(float_of(Do::kFSqrt, operand), has_exact_root_steps(operand));
}

/// Do div_scale's operands stay as they are?
template <class T>
DrawnMask need_no_scaling(Drawn<T> denominator, Drawn<T> numerator) {
  return is_moderate(denominator, kDivisible<T>) & is_moderate(numerator, kDivisible<T>);
}
/// What v_div_scale gives.
template <class T>
struct Scaled {
  Drawn<T> value;
  DrawnMask vcc;
};
/// As number::div_scale, of all operands.
template <class T>
Scaled<T> scaled_by_rule(Drawn<T> a, Drawn<T> denominator, Drawn<T> numerator) {
  using I = Drawn<I32>;
  using Limits = number::DivideLimits<isa::Scalar<T>>;
  constexpr int kMax = FormatOf<T>::kMaxExponent, kBias = FormatOf<T>::kBias;
  const PlainArithmetic plain(graph());
  const I none(0), up(Limits::kScale), down(-Limits::kScale);
  const I n = exponent_field(numerator), d = exponent_field(denominator);
  // That of a denormal as if exponents had no end.
  const auto endless = [&](Drawn<T> x, I field) {
    return select(field == I(0), exponent_field(x * power_of_two<T>(up)) - up, field);
  };
  const auto tiny = [&] { return endless(numerator, n) - endless(denominator, d) < I(2 - kBias); };
  const auto where_it_is = [&](Drawn<T> other, I power) { return select(a == other, power, none); };
  const I of_tiny =
      select(tiny(), where_it_is(numerator, up), select(n < I(Limits::kTiny + 1), up, none));
  const I of_huge = select(tiny(), where_it_is(denominator, down), down);
  const I small = select(is_among(as<U32>(d), {kMax - 2, 2}), of_huge, of_tiny);
  const I large = select(d == I(0), up, small);
  const I power = select(n - d < I(Limits::kNearOverflow), large, where_it_is(denominator, up));
  const Drawn<T> zero(std::int64_t{0}), nan(std::int64_t{FormatOf<T>::kDefaultNan});
  const DrawnMask no_number = (numerator == zero) | (denominator == zero);
  const Drawn<T> product = nan_of(a, a * power_of_two<T>(power));
  const Drawn<T> value = select(no_number, nan, select(power == none, a, product));
  return {value, no_number | !(n - d < I(Limits::kNearOverflow)) | (tiny() & !(d == I(0)))};
}
/// Spelled NaNs go with all operands; otherwise strips that are scaled are left, if something but a
/// quotient asks for what this gives.
template <class T>
Scaled<T> scaled(Drawn<T> a, Drawn<T> denominator, Drawn<T> numerator) {
  if (graph().spells_nans()) return scaled_by_rule(a, denominator, numerator);
  const DrawnMask stays = need_no_scaling(denominator, numerator);
  return {given(a, stays), !stays};
}
template <class T>
  requires kIsHostFloat<T>
auto each(decltype(isa::div_scale), Drawn<T> a, Drawn<T> denominator, Drawn<T> numerator) {
  const auto [value, vcc] = scaled(a, denominator, numerator);
  if (!graph().spells_nans()) {
    const DrawnMask stays = !vcc;
    if (graph()[stays.id].what == Do::kNone) require(stays);
    graph().require_for(vcc.id, stays.id);
  }
  return isa::with_mask(value, vcc);
}

/// What a value is that scaled() gave; others are something, too.
template <class T>
Drawn<T> unscaled(Drawn<T> a) {
  const Node& choice = graph()[a.id];
  if (choice.what != Do::kSelect) return without_condition(a);
  const Node& number = graph()[choice.in[1]];
  return Drawn<T>(number.what == Do::kSelect ? number.in[0] : choice.in[1]);
}
/// n and d where a, b and c are what the steps of n / d come to, and `vcc` is a div_scale's of
/// these. Nothing if they are not.
template <class T>
std::optional<std::array<Drawn<T>, 2>> quotient_of(Drawn<T> a, Drawn<T> b, Drawn<T> c,
                                                   DrawnMask vcc) {
  const auto found = graph().quotient(a.id, b.id, c.id);
  if (!found) return std::nullopt;
  const Drawn<T> n = unscaled(Drawn<T>(found->numerator));
  const Drawn<T> d = unscaled(Drawn<T>(found->denominator));
  const auto [of_n, scales] = scaled(n, d, n);
  const DrawnMask active{graph().leaf(Do::kActive, Kind::kMask)};
  const bool fits = of_n.id == found->numerator && scaled(d, d, n).value.id == found->denominator &&
                    (scales & active).id == vcc.id;
  return fits ? std::optional(std::array{n, d}) : std::nullopt;
}
/// The exponent field of numerators that v_div_scale leaves as they are although the errors of
/// estimates may be too small for a number.
template <class T>
inline constexpr unsigned kLostField = number::DivideLimits<isa::Scalar<T>>::kTiny + 1;
/// n / d, rounded to nearest. Leaves strips where its steps may give something else.
template <class T>
Drawn<T> divided(Drawn<T> n, Drawn<T> d) {
  const PlainArithmetic plain(graph());
  constexpr unsigned kField = 1u << kUpperMantissaBits<T>;
  const Drawn<T> result = float_of(Do::kFDiv, n, d, {}, 2);
  // Of 1 the host may estimate it.
  const bool is_reciprocal = n.id == Drawn<T>(static_cast<std::int64_t>(FormatOf<T>::kOne)).id;
  if (is_reciprocal) require(is_invertible(d));
  require(Drawn<U32>(kField) <= magnitude(n) - Drawn<U32>(kLostField<T> * kField));
  if constexpr (std::is_same_v<T, F64>) {
    // Next to the middle of two denormals one correction is not enough.
    if (!is_reciprocal) {
      require(is_zero_or_infinite(n) | is_zero_or_infinite(d) |
              (Drawn<U32>(2 * kField) <= magnitude(result)));
    }
  }
  return result;
}
/// `sum` scaled back where vcc is set, as number::div_fmas does with the addend c. Leaves strips
/// where both are rounded.
template <class T>
Drawn<T> scaled_back(Drawn<T> sum, Drawn<T> c, DrawnMask vcc) {
  using I = Drawn<I32>;
  constexpr int kScale = number::DivideLimits<isa::Scalar<T>>::kScale;
  const I power = select(exponent_field(c) < I(FormatOf<T>::kBias + 1), I(-kScale), I(kScale));
  const auto product = [&] {
    const PlainArithmetic plain(graph());
    return sum * power_of_two<T>(power);
  }();
  constexpr unsigned kLeast = (kScale + 1u) << kUpperMantissaBits<T>;
  const DrawnMask once = is_among(magnitude(sum), {kLeast, kInfinity<T> - kLeast});
  return given(select(vcc, nan_of(sum, product), sum), !vcc | once | isa::unordered(sum, sum));
}
template <class T>
  requires kIsHostFloat<T>
Drawn<T> each(decltype(isa::div_fmas), Drawn<T> a, Drawn<T> b, Drawn<T> c, DrawnMask vcc) {
  if (const auto quotient = quotient_of(a, b, c, vcc)) {
    const Drawn<T> result = divided((*quotient)[0], (*quotient)[1]);
    // Only v_div_fixup knows its NaNs.
    return graph().spells_nans() ? given(result, !isa::unordered(result, result)) : result;
  }
  const Drawn<T> sum = isa::fma(a, b, c);
  if (graph().spells_nans()) return scaled_back(sum, c, vcc);
  require(!vcc);
  return sum;
}
/// As number::div_fixup, of all operands.
template <class T>
Drawn<T> fixed_by_rule(Drawn<T> quotient, Drawn<T> denominator, Drawn<T> numerator) {
  using U = Drawn<U32>;
  const Drawn<T> zero(std::int64_t{0});
  const Drawn<T> number =
      select(isa::unordered(quotient, quotient), infinity_of<T>(false), quotient);
  const Drawn<I32> lost(-number::DivideLimits<isa::Scalar<T>>::kUnderflow);
  const auto exponent = exponent_field(numerator) - exponent_field(denominator);
  const Drawn<T> size = select(exponent < lost, zero, number);
  const U sign = (upper_word(denominator) ^ upper_word(numerator)) & U(~kSize);
  const Drawn<T> rounded = with_upper(size, magnitude(size) | sign);
  // Quotients that are not rounded are the host's; so are its NaNs, spelled.
  const DrawnMask others = is_zero_or_infinite(numerator) | is_zero_or_infinite(denominator);
  const Drawn<T> other = [&] {
    const PlainArithmetic plain(graph());
    return float_of(Do::kFDiv, numerator, denominator, {}, 2);
  }();
  const Id spelled = graph().spelled(other.id, {numerator.id, denominator.id}, true);
  return select(others, Drawn<T>(spelled), rounded);
}
/// The quotient's magnitude with the sign of denominator and numerator.
template <class T>
  requires kIsHostFloat<T>
Drawn<T> each(decltype(isa::div_fixup), Drawn<T> quotient, Drawn<T> denominator,
              Drawn<T> numerator) {
  using U = Drawn<U32>;
  const Drawn<T> computed = without_condition(quotient);
  const Node& known = graph()[computed.id];
  const bool divides =
      known.what == Do::kFDiv && known.in[0] == numerator.id && known.in[1] == denominator.id;
  if (divides) {
    return Drawn<T>(graph().spelled(computed.id, {numerator.id, denominator.id}, true));
  }
  if (graph().spells_nans()) return fixed_by_rule(quotient, denominator, numerator);
  require_moderate(denominator, kDivisible<T>);
  require_moderate(numerator, kDivisible<T>);
  require_ordered(quotient, quotient);
  const U sign = (upper_word(denominator) ^ upper_word(numerator)) & U(~kSize);
  return with_upper(quotient, (upper_word(quotient) & U(kSize)) | sign);
}

}  // namespace wavetank::execute::jit
