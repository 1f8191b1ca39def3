// The device library's functions against the host's in the next wider format. The bounds are those
// of the HIP math API's table of maximum ULP errors, doubled for the host's own rounding.
#include "common/check.hpp"

#include <cstdint>
#include <limits>

template <typename T, typename F>
__global__ void apply(F function, const T* x, const T* y, T* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = function(x[i], y[i]);
}

// The distance of `value` from `expected` in units of the last place of T.
template <typename T, typename Wide>
double ulps(T value, Wide expected) {
  if (std::isnan(expected)) return std::isnan(value) ? 0 : INFINITY;
  const T rounded = static_cast<T>(expected);
  if (value == rounded) return 0;
  if (std::isinf(rounded) || std::isinf(value) || std::isnan(value)) return INFINITY;
  const T next = std::nextafter(std::fabs(rounded), std::numeric_limits<T>::infinity());
  return std::fabs(static_cast<double>((value - expected) / (next - std::fabs(rounded))));
}

template <typename T>
struct Inputs {
  std::vector<T> x, y;
};

// Values over the whole range, in [low, high], and the special ones.
template <typename T>
Inputs<T> make_inputs(double low, double high) {
  Inputs<T> inputs;
  const T special[] = {T(0), T(-0.0), T(1), T(-1), T(0.5), T(2), std::numeric_limits<T>::min(),
                       std::numeric_limits<T>::denorm_min(), std::numeric_limits<T>::infinity(),
                       -std::numeric_limits<T>::infinity(), std::numeric_limits<T>::quiet_NaN()};
  for (T a : special)
    for (T b : special) {
      inputs.x.push_back(a);
      inputs.y.push_back(b);
    }
  uint64_t state = 88172645463325252ull;
  const auto uniform = [&] {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return static_cast<double>(state >> 11) / 9007199254740992.0;
  };
  for (int i = 0; i < 2000; ++i) {
    inputs.x.push_back(static_cast<T>(low + (high - low) * uniform()));
    inputs.y.push_back(static_cast<T>(low + (high - low) * uniform()));
  }
  return inputs;
}

template <typename T, typename Device, typename Host>
bool test(const char* name, double bound, double low, double high, Device device, Host host) {
  using Wide = std::conditional_t<sizeof(T) == 4, double, long double>;
  const Inputs<T> in = make_inputs<T>(low, high);
  const int n = static_cast<int>(in.x.size());
  example::DeviceArray<T> x(in.x), y(in.y), out(n);
  apply<<<example::blocks_for(n, 256), 256>>>(device, x.data(), y.data(), out.data(), n);
  example::finish_kernel();
  const std::vector<T> values = out.read();
  double worst = 0;
  int at = 0;
  for (int i = 0; i < n; ++i) {
    const double error = ulps(values[i], host(static_cast<Wide>(in.x[i]), static_cast<Wide>(in.y[i])));
    if (error > worst) {
      worst = error;
      at = i;
    }
  }
  if (worst > bound)
    std::printf("%s(%.17g, %.17g) = %.17g on %s: %.3g ulp, at most %g\n", name,
                static_cast<double>(in.x[at]), static_cast<double>(in.y[at]),
                static_cast<double>(values[at]), sizeof(T) == 4 ? "float" : "double", worst, bound);
  return worst <= bound;
}

// One function of x (and y) in both formats: the same text for the device and the wider host.
#define TEST(name, bound, low, high, text)                                                      \
  ok = test<float>(                                                                             \
           name, bound, low, high, [] __device__(float x, float y) -> float { return text; },   \
           [](double x, double y) -> double { using namespace std; return text; }) && ok;       \
  ok = test<double>(                                                                            \
           name, bound, low, high, [] __device__(double x, double y) -> double { return text; }, \
           [](long double x, long double y) -> long double { using namespace std; return text; }) && ok

int main() {
  bool ok = true;
  TEST("sin", 4, -100, 100, sin(x));
  TEST("sin large", 4, -1e9, 1e9, sin(x));
  TEST("cos", 4, -100, 100, cos(x));
  TEST("cos large", 4, -3e15, 3e15, cos(x));
  TEST("tan", 6, -10, 10, tan(x));
  TEST("asin", 4, -1, 1, asin(x));
  TEST("acos", 4, -1, 1, acos(x));
  TEST("atan", 4, -50, 50, atan(x));
  TEST("atan2", 4, -5, 5, atan2(x, y));
  TEST("exp", 4, -80, 80, exp(x));
  TEST("exp2", 4, -120, 120, exp2(x));
  TEST("expm1", 4, -3, 3, expm1(x));
  TEST("log", 4, 0, 1e6, log(x));
  TEST("log2", 4, 0, 1e6, log2(x));
  TEST("log10", 4, 0, 10, log10(x));
  TEST("log1p", 4, -1, 5, log1p(x));
  TEST("pow", 4, 0, 20, pow(x, y));
  TEST("sqrt", 0.5001, 0, 1e6, sqrt(x));
  TEST("cbrt", 4, -1e6, 1e6, cbrt(x));
  TEST("hypot", 4, -1e3, 1e3, hypot(x, y));
  TEST("sinh", 6, -10, 10, sinh(x));
  TEST("cosh", 6, -10, 10, cosh(x));
  TEST("tanh", 4, -3, 3, tanh(x));
  TEST("asinh", 6, -100, 100, asinh(x));
  TEST("acosh", 6, 1, 100, acosh(x));
  TEST("atanh", 6, -1, 1, atanh(x));
  TEST("erf", 8, -3, 3, erf(x));
  TEST("erfc", 12, -3, 3, erfc(x));
  TEST("tgamma", 16, 0.5, 20, tgamma(x));
  TEST("fmod", 0, -1e3, 1e3, fmod(x, y));
  TEST("remainder", 0, -1e3, 1e3, remainder(x, y));
  TEST("floor", 0, -1e5, 1e5, floor(x));
  TEST("round", 0, -1e5, 1e5, round(x));
  TEST("rint", 0, -1e5, 1e5, rint(x));
  TEST("fdim", 0.5001, -5, 5, fdim(x, y));
  TEST("fmax", 0, -5, 5, fmax(x, y));
  TEST("fmin", 0, -5, 5, fmin(x, y));
  TEST("division", 0.5001, -1e3, 1e3, x / y);
  TEST("product", 0.5001, -1e3, 1e3, x * y);
  TEST("ldexp", 0, -1e3, 1e3, ldexp(x, 3));
  return example::verdict(ok);
}
