// Sorting.
#include <wavetank/array/create.hpp>
#include <wavetank/array/map.hpp>
#include <wavetank/array/operators.hpp>
#include <wavetank/array/sort.hpp>

#include "judge.hpp"

using judge::check;
using judge::same;

static void sorts() {
  const wt::array a{3, 1, 4, 1, 5};
  same("sorted", wt::sort(a), {1, 1, 3, 4, 5});
  same("sorted down, of an expression", wt::sort(-a, wt::order::descending), {-1, -1, -3, -4, -5});
  same("places in order", wt::argsort(a), {1, 3, 0, 2, 4});
}

// More elements than one workgroup sorts; 7919 is prime to their number, so that all differ.
static void long_ones() {
  const int n = 100'000;
  const auto mixed = wt::cast<int>(wt::iota<std::int64_t>(n) * 7919 % n);
  check(wt::sort(mixed).to_vector() == wt::iota<int>(n).to_vector(),
        "a hundred thousand are sorted");
}

int main() {
  sorts();
  long_ones();
  return judge::verdict();
}
