// Mathematical functions of arrays.
#include <wavetank/array/create.hpp>
#include <wavetank/array/math.hpp>
#include <wavetank/array/operators.hpp>

#include <cmath>

#include "judge.hpp"

using judge::check;
using judge::same;

static void functions() {
  const wt::array a{0.0f, 1.0f, 4.0f};
  same("square roots", wt::sqrt(a), {0, 1, 2});
  same("powers", wt::pow(a, 2), {0, 1, 16});
  same("clamp", wt::clamp(a, 0.5f, 2.0f), {0.5f, 1, 2});
  same("max", wt::max(a, 2), {2, 2, 4});
  same("isnan", wt::isnan(a / 0 * 0), {true, true, true});
  same("min of two arrays stretches", wt::min(a, wt::array{2.0f}), {0, 1, 2});
  const auto smaller = wt::evaluate(wt::min(a, a / 0 * 0)).to_vector();
  check(std::isnan(smaller[0]) && std::isnan(smaller[2]),
        "min keeps a NaN, whichever operand it is");
  same("functions of integers give double", wt::sqrt(wt::array{4, 9}), {2.0, 3.0});
  same("two arguments", wt::hypot(a * 3, a * 4), {0, 5, 20});
  same("absolute values", wt::abs(wt::array{-2, 3}), {2, 3});
}

// Against the host, whose results are correctly rounded to half a unit or little more; the device's
// may be two units away (HIP's table of errors of its functions).
template <class Device, class Host>
static void close_to_host(const char* name, const Device& device, const Host& host) {
  std::vector<float> values;
  for (int i = 1; i <= 1000; ++i) values.push_back(static_cast<float>(i) / 500);
  const std::vector<float> found = wt::evaluate(device(wt::array<float>(values))).to_vector();
  bool right = true;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const float expected = host(values[i]);
    right = right && std::fabs(found[i] - expected) <= 4 * std::fabs(expected) * 0x1p-23f;
  }
  check(right, std::string(name) + " is that of the host but for rounding");
}
#define CLOSE_TO_HOST(name) \
  close_to_host(            \
      #name, [](const auto& a) { return wt::name(a); }, [](float x) { return std::name(x); })

int main() {
  functions();
  CLOSE_TO_HOST(exp);
  CLOSE_TO_HOST(log1p);
  CLOSE_TO_HOST(sin);
  CLOSE_TO_HOST(tanh);
  CLOSE_TO_HOST(cbrt);
  CLOSE_TO_HOST(erf);
  return judge::verdict();
}
