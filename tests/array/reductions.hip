// Reductions, scans, sorting and filters by rocPRIM, fused with the maps that feed them.
#include <wavetank/array/create.hpp>
#include <wavetank/array/filter.hpp>
#include <wavetank/array/reduce_axis.hpp>
#include <wavetank/array/scan.hpp>
#include <wavetank/array/sort.hpp>

#include <cmath>

#include "judge.hpp"

using judge::check;
using judge::same;
using judge::throws;

static void whole() {
  const auto a = wt::iota<int>(100000, 1);
  check(wt::sum(a) == 5000050000, "sums of int are 64 bits wide");
  check(wt::sum(a > 99990) == 10, "bool are counted");
  check(wt::mean(a) == 50000.5, "the mean of integers is a fraction");
  check(wt::dot(a, wt::cast<double>(a)) == 333338333350000.0, "an inner product");
  check(wt::map_reduce([](int x) { return std::int64_t{x} * x; },
                       rocprim::plus<std::int64_t>(), std::int64_t{1}, a) == 333338333350001,
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

static void along() {
  const wt::array m{{1, 2, 3}, {4, 5, 6}};
  same("rows are added", wt::sum(m, 0), {5, 7, 9});
  same("columns are added", wt::sum(m, 1), {6, 15});
  same("means", wt::mean(m, 1), {2, 5});
  same("a kept dimension stretches", m - wt::mean(m, 1, wt::keep_dimension), {-1, 0, 1, -1, 0, 1});
  const auto c = wt::reshape(wt::iota<int>(24), wt::extents{2, 3, 4});
  same("the middle of three dimensions", wt::sum(c, 1), {12, 15, 18, 21, 48, 51, 54, 57});
  throws<wt::shape_error>("a dimension that is not there", "[2, 3] has no dimension 2",
                          [&] { wt::sum(m, 2); });
}

static void scans() {
  const wt::array a{3, 1, 4, 1, 5};
  same("running sums", wt::cumulative_sum(a * 2), {6, 8, 16, 18, 28});
  same("running maxima", wt::accumulate(rocprim::maximum<int>(), a), {3, 3, 4, 4, 5});
  same("sorted", wt::sort(a), {1, 1, 3, 4, 5});
  same("sorted down, of an expression", wt::sort(-a, wt::order::descending), {-1, -1, -3, -4, -5});
  same("places in order", wt::argsort(a), {1, 3, 0, 2, 4});
  same("filtered", wt::filter(a * 10, a > 2), {30, 40, 50});
  same("found", wt::find(a == 1), {1, 3});
  same("nothing found", wt::find(a == 9), {});
  same("a histogram", wt::histogram(wt::cast<float>(a), 3, 0.f, 6.f), {2, 1, 2});
}

int main() {
  whole();
  along();
  scans();
  return judge::verdict();
}
