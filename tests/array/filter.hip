// Elements that fulfil a condition, and histograms.
#include <wavetank/array/create.hpp>
#include <wavetank/array/filter.hpp>
#include <wavetank/array/map.hpp>
#include <wavetank/array/operators.hpp>
#include <wavetank/array/slice.hpp>

#include "judge.hpp"

using judge::check;
using judge::same;

static void filters() {
  const wt::array a{3, 1, 4, 1, 5};
  same("filtered", wt::filter(a * 10, a > 2), {30, 40, 50});
  same("found", wt::find(a == 1), {1, 3});
  same("nothing found", wt::find(a == 9), {});
  same("a histogram", wt::histogram(wt::cast<float>(a), 3, 0.f, 6.f), {2, 1, 2});
}

// More elements than one workgroup has, in two dimensions.
static void long_ones() {
  const int n = 100'000;
  const auto numbers = wt::iota<int>(n);
  const auto m = wt::reshape(numbers, wt::extents{100, 1000});
  check(wt::filter(m, m % 5 == 0).to_vector() == wt::iota<int>(n / 5, 0, 5).to_vector(),
        "every fifth of a hundred thousand");
  const auto turned = wt::transpose(m);
  const auto first = wt::filter(turned, turned % 1000 == 0).to_vector();
  check(first == wt::iota<int>(100, 0, 1000).to_vector(), "of a view, in its own order");
}

int main() {
  filters();
  long_ones();
  return judge::verdict();
}
