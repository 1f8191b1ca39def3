// The device library's mathematical functions, run on the device, against MPFR and OpenCL's bounds.
// `quick` takes some twenty thousand operands for each, `long` millions. Prints the lines of
// docs/numbers.md, and PASS if every one is within its bound.
#include <hip/hip_fp16.h>

#include <cstdlib>
#include <cstring>
#include <vector>

#include "bounds.hpp"
#include "functions.hpp"
#include "measure.hpp"

#include "common/check.hpp"

namespace wavetank::numbers {

template <class F, class T>
__global__ void unary_kernel(const T* x, T* result, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) result[i] = F::device(x[i]);
}
template <class F, class T>
__global__ void binary_kernel(const T* x, const T* y, T* result, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) result[i] = F::device(x[i], y[i]);
}

/// splitmix64: the same operands on every machine.
class Random {
 public:
  uint64_t next() {
    uint64_t z = (state_ += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  double between(double low, double high) {
    return low + (high - low) * (static_cast<double>(next() >> 11) * 0x1p-53);
  }

 private:
  uint64_t state_ = 7;
};

/// Special values, every exponent in both signs, and the ranges where most functions are curved.
template <class T>
std::vector<T> operands(int count) {
  using Limits = std::numeric_limits<T>;
  std::vector<T> values;
  for (double special : {0.0, 0.5, 1.0, 2.0, 3.0, 88.0, 709.0, 171.0, 35.0, 0.70710678118654752}) {
    values.push_back(static_cast<T>(special));
    values.push_back(std::nextafter(static_cast<T>(special), Limits::infinity()));
    values.push_back(std::nextafter(static_cast<T>(special), -Limits::infinity()));
  }
  for (T special : {Limits::infinity(), Limits::quiet_NaN(), Limits::max(), Limits::min(),
                    Limits::denorm_min()}) {
    values.push_back(special);
  }
  Random random;
  while (values.size() < static_cast<size_t>(count)) {
    const uint64_t bits = random.next();
    T value;
    std::memcpy(&value, &bits, sizeof value);  // any bits: every exponent alike
    values.push_back(value);
    values.push_back(static_cast<T>(random.between(0, 1)));
    values.push_back(static_cast<T>(random.between(0, 20)));
    values.push_back(static_cast<T>(random.between(0, sizeof(T) == 4 ? 120 : 1100)));
    values.push_back(static_cast<T>(1 + std::ldexp(random.between(-1, 1), -(bits & 31))));
  }
  const size_t half = values.size();
  for (size_t i = 0; i < half; ++i) values.push_back(-values[i]);
  return values;
}

template <class T>
constexpr Format kFormatOf = sizeof(T) == 4 ? kSingle : kDouble;
template <class T>
using WideOf = std::conditional_t<sizeof(T) == 4, double, long double>;
/// The most that the host's wider functions err by, in ulps of T.
template <class T>
constexpr double kSlack = sizeof(T) == 4 ? 1e-5 : 2e-2;

class Table {
 public:
  explicit Table(bool is_long) : long_(is_long) {}
  bool all_hold() const { return all_hold_; }

  template <class F>
  void unary() {
    unary_in<F, float>(long_ ? 4000000 : 12000);
    unary_in<F, double>(long_ ? 400000 : 4000);
  }
  template <class F>
  void binary() {
    binary_in<F, float>(long_ ? 4000000 : 12000);
    binary_in<F, double>(long_ ? 400000 : 4000);
  }
  void half(const char* name, const Worst& worst, int operand_count = 1) {
    print(name, "f16", worst, operand_count);
  }

 private:
  template <class F, class T>
  void unary_in(int count) {
    const std::vector<T> x = operands<T>(count);
    const example::DeviceArray<T> in(x), out(x.size());
    unary_kernel<F, T><<<(x.size() + 255) / 256, 256>>>(in.data(), out.data(), x.size());
    const std::vector<T> results = out.read();
    Worst worst;
    Real a, exact;
    for (size_t i = 0; i < x.size(); ++i) {
      if (!is_asked<F>(x[i])) continue;
      const double rough =
          error_ulps(results[i], F::template host<WideOf<T>>(x[i]), kFormatOf<T>);
      worst.add(rough, kSlack<T>, x[i], 0, results[i], [&] {
        if (rough == 0 || !std::isfinite(x[i])) return rough;
        mpfr_set_d(a.v, x[i], MPFR_RNDN);
        F::exact(exact.v, a.v);
        return error_ulps(results[i], exact, kFormatOf<T>);
      });
    }
    print(F::name, sizeof(T) == 4 ? "f32" : "f64", worst, 1, kRestriction<F, T>);
  }

  template <class F, class T>
  void binary_in(int count) {
    const std::vector<T> x = operands<T>(count);
    std::vector<T> y(x.size());
    Random random;
    // Any operand with any; every fourth is near the first, where quotients and differences are.
    for (size_t i = 0; i < x.size(); ++i) {
      const T near = static_cast<T>(x[i] * random.between(-4, 4));
      y[i] = i % 4 == 0 ? near : x[random.next() % x.size()];
    }
    const example::DeviceArray<T> in(x), other(y), out(x.size());
    binary_kernel<F, T>
        <<<(x.size() + 255) / 256, 256>>>(in.data(), other.data(), out.data(), x.size());
    const std::vector<T> results = out.read();
    Worst worst;
    Real a, b, exact;
    for (size_t i = 0; i < x.size(); ++i) {
      const double rough = error_ulps(
          results[i], F::template host<WideOf<T>>(x[i], y[i]), kFormatOf<T>);
      worst.add(rough, kSlack<T>, x[i], y[i], results[i], [&] {
        if (rough == 0 || !std::isfinite(x[i]) || !std::isfinite(y[i])) return rough;
        mpfr_set_d(a.v, x[i], MPFR_RNDN);
        mpfr_set_d(b.v, y[i], MPFR_RNDN);
        F::exact(exact.v, a.v, b.v);
        return error_ulps(results[i], exact, kFormatOf<T>);
      });
    }
    print(F::name, sizeof(T) == 4 ? "f32" : "f64", worst, 2);
  }

  void print(const char* name, const char* type, const Worst& worst, int operand_count,
             const char* restriction = "") {
    const FunctionBound& bound = bound_of(kFunctionBounds, name);
    const double limit = type[1] == '1' ? bound.in_f16 : type[1] == '3' ? bound.in_f32
                                                                        : bound.in_f64;
    const std::string row = std::string(name) + " " + type + restriction;
    all_hold_ &= print_row(row, worst, operand_count, limit, std::string(kFunctionSource));
  }

  bool long_;
  bool all_hold_ = true;
};

template <class... F>
void run_unary(Table& table) {
  (table.unary<F>(), ...);
}
template <class... F>
void run_binary(Table& table) {
  (table.binary<F>(), ...);
}

/// Every f16 operand of the functions of hip_fp16.h.
enum HalfFunction { kCosine, kSine, kExp, kExp2, kExp10, kLog, kLog2, kLog10, kRoot, kInverseRoot,
                    kCeil, kFloor, kRint, kTrunc, kHalfFunctions };
__global__ void half_kernel(uint16_t* results) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const __half x = __ushort_as_half(static_cast<unsigned short>(i));
  const auto put = [&](int function, __half value) {
    results[function * 65536 + i] = __half_as_ushort(value);
  };
  put(kCosine, hcos(x));
  put(kSine, hsin(x));
  put(kExp, hexp(x));
  put(kExp2, hexp2(x));
  put(kExp10, hexp10(x));
  put(kLog, hlog(x));
  put(kLog2, hlog2(x));
  put(kLog10, hlog10(x));
  put(kRoot, hsqrt(x));
  put(kInverseRoot, hrsqrt(x));
  put(kCeil, hceil(x));
  put(kFloor, hfloor(x));
  put(kRint, hrint(x));
  put(kTrunc, htrunc(x));
}

/// The number of an f16 pattern.
double half_value(uint16_t bits) {
  const int exponent = bits >> 10 & 31, mantissa = bits & 1023;
  const double size = exponent == 31 ? (mantissa != 0 ? NAN : INFINITY)
                      : exponent == 0 ? std::ldexp(mantissa, -24)
                                      : std::ldexp(1024 + mantissa, exponent - 25);
  return (bits & 0x8000) != 0 ? -size : size;
}

template <class F>
void check_half(Table& table, const std::vector<uint16_t>& results, HalfFunction function) {
  Worst worst;
  Real a, exact;
  for (unsigned i = 0; i < 65536; ++i) {
    const double x = half_value(static_cast<uint16_t>(i));
    const double result = half_value(results[function * 65536 + i]);
    const double rough = error_ulps(result, F::template host<double>(x), kHalf);
    worst.add(rough, 1e-6, x, 0, result, [&] {
      if (rough == 0 || !std::isfinite(x)) return rough;
      mpfr_set_d(a.v, x, MPFR_RNDN);
      F::exact(exact.v, a.v);
      return error_ulps(result, exact, kHalf);
    });
  }
  table.half(F::name, worst);
}

/// Quotients of every f16 by `rounds` of them each.
__global__ void half_divide_kernel(const uint16_t* x, const uint16_t* y, uint16_t* results) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  results[i] = __half_as_ushort(__hdiv(__ushort_as_half(x[i]), __ushort_as_half(y[i])));
}
void divide_halves(Table& table, unsigned rounds) {
  std::vector<uint16_t> x(65536), y(65536);
  Random random;
  Worst worst;
  Real a, b, exact;
  for (unsigned round = 0; round < rounds; ++round) {
    for (unsigned i = 0; i < 65536; ++i) {
      x[i] = static_cast<uint16_t>(i);
      y[i] = static_cast<uint16_t>(random.next());
    }
    const example::DeviceArray<uint16_t> in(x), by(y), out(x.size());
    half_divide_kernel<<<256, 256>>>(in.data(), by.data(), out.data());
    const std::vector<uint16_t> results = out.read();
    for (unsigned i = 0; i < 65536; ++i) {
      const double p = half_value(x[i]), q = half_value(y[i]), result = half_value(results[i]);
      const double rough = error_ulps(result, p / q, kHalf);
      worst.add(rough, 1e-6, p, q, result, [&] {
        if (rough == 0 || !std::isfinite(p) || !std::isfinite(q)) return rough;
        mpfr_set_d(a.v, p, MPFR_RNDN);
        mpfr_set_d(b.v, q, MPFR_RNDN);
        divide_function::exact(exact.v, a.v, b.v);
        return error_ulps(result, exact, kHalf);
      });
    }
  }
  table.half("divide", worst, 2);
}

void run_halves(Table& table) {
  const example::DeviceArray<uint16_t> out(65536 * kHalfFunctions);
  half_kernel<<<256, 256>>>(out.data());
  const std::vector<uint16_t> results = out.read();
  check_half<cos_function>(table, results, kCosine);
  if (!std::isnan(half_value(results[kSine * 65536]))) {  // see functions.hpp
    check_half<sin_function>(table, results, kSine);
  }
  check_half<exp_function>(table, results, kExp);
  check_half<exp2_function>(table, results, kExp2);
  check_half<exp10_function>(table, results, kExp10);
  check_half<log_function>(table, results, kLog);
  check_half<log2_function>(table, results, kLog2);
  check_half<log10_function>(table, results, kLog10);
  check_half<sqrt_function>(table, results, kRoot);
  check_half<rsqrt_function>(table, results, kInverseRoot);
  check_half<ceil_function>(table, results, kCeil);
  check_half<floor_function>(table, results, kFloor);
  check_half<rint_function>(table, results, kRint);
  check_half<trunc_function>(table, results, kTrunc);
}

}  // namespace wavetank::numbers

int main(int count, char** words) {
  using namespace wavetank::numbers;
  const bool is_long = count > 1 && std::strcmp(words[1], "long") == 0;
  Table table(is_long);
  run_unary<acos_function, acosh_function, asin_function, asinh_function, atan_function,
            atanh_function, cbrt_function, ceil_function, cos_function, cosh_function,
            cospi_function, erf_function, erfc_function, exp_function, exp10_function,
            exp2_function, expm1_function, floor_function, lgamma_function, log_function,
            log10_function, log1p_function, log2_function, rint_function, round_function,
            rsqrt_function, sin_function, sinh_function, sinpi_function, sqrt_function,
            tan_function, tanh_function, tgamma_function, trunc_function>(table);
  run_binary<atan2_function, divide_function, fdim_function, fmod_function, hypot_function,
             pow_function, remainder_function>(table);
  run_halves(table);
  divide_halves(table, is_long ? 64 : 4);
  std::puts(table.all_hold() ? "PASS" : "FAIL: beyond its bound");
  return table.all_hold() ? 0 : 1;
}
