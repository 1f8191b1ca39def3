// How far a result is from the exact value, in units of the last place (ulp). Needs only MPFR: it
// serves the host's sweeps of src/number and programs that ran on the virtual device.
//
// An ulp is the distance of the two numbers of the format around the exact value (OpenCL SPIR-V
// Environment Specification, "Relative Error as ULPs"); infinity counts as the next power of two.
// A fast reference in a wider host format looks at every result, MPFR at those that may be the
// worst.
#pragma once

#include <mpfr.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <string>
#include <tuple>

namespace wavetank::numbers {

/// A binary format; every number of it is a double.
struct Format {
  int mantissa_bits;  ///< below the point
  int least_exponent, greatest_exponent;
};
inline constexpr Format kHalf{10, -14, 15}, kSingle{23, -126, 127}, kDouble{52, -1022, 1023};

inline constexpr double kFar = std::numeric_limits<double>::infinity();

/// A number whose precision is enough for any error measured here.
struct Real {
  mpfr_t v;
  Real() { mpfr_init2(v, 240); }
  ~Real() { mpfr_clear(v); }
  Real(const Real&) = delete;
  Real& operator=(const Real&) = delete;
};

/// 2^exponent, and the exponent of a number that is not zero: quick ones for normal doubles.
template <class Wide>
Wide power_of_two(int exponent) {
  if constexpr (sizeof(Wide) == 8) {
    return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52);
  }
  return std::ldexp(Wide(1), exponent);
}
template <class Wide>
int exponent_of(Wide value) {
  if constexpr (sizeof(Wide) == 8) {
    return static_cast<int>(std::bit_cast<std::uint64_t>(value) >> 52 & 2047) - 1023;
  }
  return std::ilogb(value);
}

/// The error of `result`, or kFar if it is of the wrong kind: NaN for a number, a finite number for
/// infinity, the wrong infinity. f16 and f32 in double, f64 in long double.
template <class Wide>
double error_ulps(double result, Wide exact, const Format& format) {
  if (std::isnan(exact)) return std::isnan(result) ? 0 : kFar;
  if (std::isnan(result)) return kFar;
  if (std::isinf(exact)) {
    return std::isinf(result) && std::signbit(result) == std::signbit(exact) ? 0 : kFar;
  }
  const Wide beyond = power_of_two<Wide>(format.greatest_exponent + 1);
  if (std::fabs(exact) > beyond) exact = std::copysign(beyond, exact);
  const Wide value = std::isinf(result) ? std::copysign(beyond, Wide(result)) : Wide(result);
  const int exponent =
      exact == 0 ? format.least_exponent : std::max(exponent_of(exact), format.least_exponent);
  const Wide scale = power_of_two<Wide>(format.mantissa_bits - exponent);
  return static_cast<double>(std::fabs(value - exact) * scale);
}

/// The same with an exact value of 240 bits.
inline double error_ulps(double result, const Real& exact, const Format& format) {
  if (mpfr_nan_p(exact.v) || mpfr_inf_p(exact.v) || std::isnan(result)) {
    return error_ulps(result, mpfr_get_d(exact.v, MPFR_RNDN), format);
  }
  static thread_local Real difference, value;
  if (mpfr_cmpabs_ui(exact.v, 0) != 0 && mpfr_get_exp(exact.v) > format.greatest_exponent + 1) {
    return error_ulps(result, static_cast<long double>(mpfr_sgn(exact.v)) *
                                  std::ldexp(1.0L, format.greatest_exponent + 1), format);
  }
  mpfr_set_d(value.v, std::isinf(result) ? std::copysign(1.0, result) : result, MPFR_RNDN);
  if (std::isinf(result)) mpfr_mul_2si(value.v, value.v, format.greatest_exponent + 1, MPFR_RNDN);
  mpfr_sub(difference.v, value.v, exact.v, MPFR_RNDN);
  long exponent = format.least_exponent;
  if (!mpfr_zero_p(exact.v)) {
    exponent = std::max<long>(mpfr_get_exp(exact.v) - 1, format.least_exponent);
  }
  mpfr_mul_2si(difference.v, difference.v, format.mantissa_bits - exponent, MPFR_RNDN);
  return std::fabs(mpfr_get_d(difference.v, MPFR_RNDN));
}

/// The worst result of a sweep.
class Worst {
 public:
  Worst() = default;
  Worst(double error, double at_x, double at_y, double value)
      : ulps(error), x(at_x), y(at_y), result(value) {}

  double ulps = 0;
  double x = 0, y = 0, result = 0;
  std::uint64_t inputs = 0;

  /// Takes a result whose error is about `rough`; `precise` gives the exact one. `slack` is the
  /// most that `rough` may be wrong by.
  template <class Precise>
  void add(double rough, double slack, double at_x, double at_y, double value, Precise precise) {
    ++inputs;
    if (rough <= ulps - slack) return;
    const double exact = precise();
    replace(Worst(exact, at_x, at_y, value));
  }
  void merge(const Worst& other) {
    inputs += other.inputs;
    replace(other);
  }

 private:
  /// Of equally bad results the one of the smallest operands stays, in whatever order they come.
  void replace(const Worst& other) {
    const std::uint64_t count = inputs;
    const auto key = [](const Worst& w) {
      return std::tuple(-w.ulps, std::fabs(w.x), std::fabs(w.y), std::signbit(w.x),
                        std::signbit(w.y));
    };
    if (other.ulps != 0 && (ulps == 0 || key(other) < key(*this))) *this = other;
    inputs = count;
  }
};

/// 12345678 as "12,345,678".
inline std::string with_commas(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (int at = static_cast<int>(text.size()) - 3; at > 0; at -= 3) text.insert(at, ",");
  return text;
}

/// One line of docs/numbers.md on stdout. Returns whether the bound holds. A bound below 0 means
/// that no source states one.
inline bool print_row(const std::string& name, const Worst& worst, int operands, double bound,
                      const std::string& source) {
  char place[120] = "", limit[32] = "none";
  if (worst.ulps != 0 && operands == 2) {
    std::snprintf(place, sizeof place, " at %.13a, %.13a", worst.x, worst.y);
  } else if (worst.ulps != 0) {
    std::snprintf(place, sizeof place, " at %.13a", worst.x);
  }
  if (bound >= 0) std::snprintf(limit, sizeof limit, "%.10g", bound);
  const bool holds = bound < 0 ? worst.ulps < kFar : worst.ulps <= bound;
  std::printf("| %s | %s | %.7f%s | %s | %s |%s\n", name.c_str(),
              with_commas(worst.inputs).c_str(), worst.ulps, place, limit, source.c_str(),
              holds ? "" : " BEYOND");
  std::fflush(stdout);
  return holds;
}

}  // namespace wavetank::numbers
