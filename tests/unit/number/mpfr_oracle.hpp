// Reference results from MPFR: an operation computed to unlimited precision and rounded once to a
// format with its own exponent range. Nothing here uses src/number beyond the type definitions.
#pragma once

#include <mpfr.h>

#include <cmath>
#include <algorithm>
#include <cstring>
#include <vector>

#include "number/types.hpp"

namespace wavetank::number::test {

inline mpfr_rnd_t mpfr_rounding(Round round) {
  constexpr mpfr_rnd_t kModes[] = {MPFR_RNDN, MPFR_RNDU, MPFR_RNDD, MPFR_RNDZ};
  return kModes[static_cast<int>(round)];
}

inline constexpr Round kRounds[] = {Round::kNearestEven, Round::kUp, Round::kDown, Round::kZero};

/// An MPFR variable of 300 bits, enough to hold any operand or product of the formats.
struct Real {
  mpfr_t v;
  explicit Real(mpfr_prec_t precision = 300) { mpfr_init2(v, precision); }
  ~Real() { mpfr_clear(v); }
  Real(const Real&) = delete;
  Real& operator=(const Real&) = delete;
};

template <Float T>
double exact_double(T a) {  // any non-NaN value of the formats is a double
  using F = Format<T>;
  const auto size = static_cast<std::uint64_t>(a.bits & ~F::kSign);
  const bool negative = (a.bits & F::kSign) != 0;
  double value = 0;
  if (size == F::kInfinity) {
    value = HUGE_VAL;
  } else {
    const int field = static_cast<int>(size >> F::kMantissaBits);
    const auto fraction = static_cast<double>(size & F::kMantissaMask);
    const double hidden = field == 0 ? 0 : static_cast<double>(F::kHidden);
    value = std::ldexp(hidden + fraction,
                       (field == 0 ? 1 : field) - F::kBias - F::kMantissaBits);
  }
  return negative ? -value : value;
}

/// Bits of a value that is known to be one of T.
template <Float T>
T from_exact_double(double value) {
  using F = Format<T>;
  const std::uint64_t sign = std::signbit(value) ? F::kSign : 0;
  const double size = std::fabs(value);
  if (std::isinf(size)) return T{static_cast<typename F::Bits>(sign | F::kInfinity)};
  if (size == 0) return T{static_cast<typename F::Bits>(sign)};
  int exponent = 0;
  std::frexp(size, &exponent);
  const int first = 1 - F::kBias;
  const int e = exponent - 1 < first ? first : exponent - 1;
  const auto scaled = static_cast<std::uint64_t>(std::ldexp(size, F::kMantissaBits - e));
  const std::uint64_t bits =
      (static_cast<std::uint64_t>(e - first) << F::kMantissaBits) + scaled;
  return T{static_cast<typename F::Bits>(sign | bits)};
}

/// Sets MPFR's exponent range to T's while it lives.
template <Float T>
class RangeOf {
 public:
  RangeOf() : low_(mpfr_get_emin()), high_(mpfr_get_emax()) {
    mpfr_set_emin(2 - Format<T>::kBias - Format<T>::kMantissaBits);
    mpfr_set_emax(Format<T>::kBias + 1);
  }
  ~RangeOf() {
    mpfr_set_emin(low_);
    mpfr_set_emax(high_);
  }
  RangeOf(const RangeOf&) = delete;
  RangeOf& operator=(const RangeOf&) = delete;

 private:
  mpfr_exp_t low_, high_;
};

/// The result of `operation(destination, rounding) -> ternary` rounded to T. NaN is the caller's.
template <Float T, class Operation>
T rounded(Round round, Operation operation) {
  static Real result(Format<T>::kMantissaBits + 1);
  const RangeOf<T> range;
  const mpfr_rnd_t mode = mpfr_rounding(round);
  const int ternary = operation(result.v, mode);
  mpfr_subnormalize(result.v, mpfr_check_range(result.v, ternary, mode), mode);
  if (mpfr_nan_p(result.v)) return T{Format<T>::kDefaultNan};
  return from_exact_double<T>(mpfr_get_d(result.v, MPFR_RNDN));
}

template <Float T>
void assign(Real& to, T a) {
  mpfr_set_d(to.v, exact_double(a), MPFR_RNDN);
}

/// The reference of one-rounding operations on operands that hold no NaN.
template <Float T>
T reference_add(T a, T b, Round round) {
  static Real x, y;
  assign(x, a), assign(y, b);
  return rounded<T>(round, [](mpfr_t r, mpfr_rnd_t m) { return mpfr_add(r, x.v, y.v, m); });
}
template <Float T>
T reference_mul(T a, T b, Round round) {
  static Real x, y;
  assign(x, a), assign(y, b);
  return rounded<T>(round, [](mpfr_t r, mpfr_rnd_t m) { return mpfr_mul(r, x.v, y.v, m); });
}
template <Float T>
T reference_div(T a, T b, Round round) {
  static Real x, y;
  assign(x, a), assign(y, b);
  return rounded<T>(round, [](mpfr_t r, mpfr_rnd_t m) { return mpfr_div(r, x.v, y.v, m); });
}
template <Float T>
T reference_fma(T a, T b, T c, Round round) {
  static Real x, y, z;
  assign(x, a), assign(y, b), assign(z, c);
  return rounded<T>(round,
                    [](mpfr_t r, mpfr_rnd_t m) { return mpfr_fma(r, x.v, y.v, z.v, m); });
}
template <Float To, Float From>
To reference_convert(From a, Round round) {
  static Real x;
  assign(x, a);
  return rounded<To>(round, [](mpfr_t r, mpfr_rnd_t m) { return mpfr_set(r, x.v, m); });
}

/// splitmix64: the same numbers on every machine.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

 private:
  std::uint64_t state_;
};

/// Zeros, denormals, neighbours of powers of two, extremes, infinities, both kinds of NaN, a few
/// constants, and `random_count` random patterns; each in both signs.
template <Float T>
std::vector<T> value_grid(int random_count, bool with_nan = true) {
  using F = Format<T>;
  std::vector<std::uint64_t> bits = {
      0, 1, 2, 3, F::kHidden / 2u, F::kHidden - 1u, F::kHidden, F::kHidden + 1u,
      F::kHidden * 2u, F::kOne - 1u, F::kOne, F::kOne + 1u, F::kOne + F::kHidden / 2u,
      F::kOne + F::kHidden, F::kOne - F::kHidden, F::kInfinity - 1u, F::kInfinity - 2u,
      F::kInfinity - F::kHidden, F::kInfinity,
      from_exact_double<T>(std::ldexp(std::floor(std::ldexp(M_PI, F::kMantissaBits - 1)),
                                      1 - F::kMantissaBits)).bits};
  if (with_nan) {
    bits.push_back(F::kInfinity | F::kQuietBit | 5u);
    bits.push_back(F::kInfinity | 9u);
  }
  Random random(F::kMantissaBits);
  for (int i = 0; i < random_count; ++i) {
    const std::uint64_t pattern = random.next() & (F::kSign - 1u);
    if (with_nan || pattern <= F::kInfinity) bits.push_back(pattern);
  }
  // Magnitudes that cancel or tie with 1 and with each other.
  bits.push_back(F::kOne - F::kHidden * std::uint64_t{F::kMantissaBits + 1});
  bits.push_back(F::kOne - F::kHidden * std::uint64_t{F::kMantissaBits + 2} + 1);
  std::vector<T> grid;
  for (const std::uint64_t pattern : bits) {
    grid.push_back(T{static_cast<typename F::Bits>(pattern & ~std::uint64_t{F::kSign})});
    grid.push_back(T{static_cast<typename F::Bits>(pattern | F::kSign)});
  }
  return grid;
}

}  // namespace wavetank::number::test
