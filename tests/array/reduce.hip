// Reductions of whole arrays.
#include <wavetank/array/create.hpp>
#include <wavetank/array/reduce.hpp>
#include <wavetank/array/slice.hpp>

#include <cmath>

#include "judge.hpp"

using judge::check;
using judge::throws;

static void whole() {
  const auto a = wt::iota<int>(100000, 1);
  check(wt::sum(a) == 5000050000, "sums of int are 64 bits wide");
  check(wt::sum(a > 99990) == 10, "bool are counted");
  check(wt::mean(a) == 50000.5, "the mean of integers is a fraction");
  check(wt::dot(a, wt::cast<double>(a)) == 333338333350000.0, "an inner product");
  check(wt::map_reduce([](int x) { return std::int64_t{x} * x; }, rocprim::plus<std::int64_t>(),
                       std::int64_t{1}, a) == 333338333350001,
        "map_reduce from an initial value");
  check(wt::reduce(a, rocprim::maximum<int>(), 7) == 100000, "reduce");
  check(wt::any(a == 77) && !wt::any(a < 1) && wt::all(a > 0) && !wt::all(a > 1), "any and all");
  const wt::array m{{3.f, 1.f}, {-2.f, 8.f}};
  check(wt::minimum(m) == -2 && wt::maximum(m) == 8, "extremes");
  check(wt::argmin(m) == 2 && wt::argmax(m) == 3, "where they are");
  check(wt::argmax(wt::array{1, 5, 5, 2}) == 1, "the first of equals");
  check(std::isnan(wt::minimum(m / (m - 1) * 0)), "a NaN stays");
  check(wt::sum(wt::transpose(m) + wt::array{10.f, 20.f}) == 70, "a sum of what is stretched");
  check(wt::sum(wt::array<int>(wt::extents{0})) == 0, "the sum of nothing");
  throws<wt::shape_error>("nothing has no minimum", "without elements has no value",
                          [] { wt::minimum(wt::array<int>(wt::extents{0})); });
}

int main() {
  whole();
  return judge::verdict();
}
