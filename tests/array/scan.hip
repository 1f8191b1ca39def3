// Running sums and the like.
#include <wavetank/array/create.hpp>
#include <wavetank/array/map.hpp>
#include <wavetank/array/operators.hpp>
#include <wavetank/array/scan.hpp>

#include "judge.hpp"

using judge::check;
using judge::same;

static void scans() {
  const wt::array a{3, 1, 4, 1, 5};
  same("running sums", wt::cumulative_sum(a * 2), {6, 8, 16, 18, 28});
  same("running maxima", wt::accumulate(rocprim::maximum<int>(), a), {3, 3, 4, 4, 5});
}

// More elements than one workgroup has.
static void long_ones() {
  const int n = 100'000;
  const auto sums = wt::cumulative_sum(wt::cast<std::int64_t>(wt::iota<int>(n, 1))).to_vector();
  bool right = true;
  for (std::int64_t i = 0; i < n; ++i) right = right && sums[i] == (i + 1) * (i + 2) / 2;
  check(right, "a hundred thousand running sums");
}

int main() {
  scans();
  long_ones();
  return judge::verdict();
}
