// k-means in two dimensions: distances by broadcasting, the nearest centre by argmin along a dimension, new
// centres by a matrix product.
#include <wavetank/array/matmul.hpp>
#include <wavetank/array/print.hpp>
#include <wavetank/array/random.hpp>
#include <wavetank/array/reduce_axis.hpp>

#include <iostream>

namespace wt = wavetank;

int main() {
  constexpr int points = 3000, clusters = 3;
  // Three clouds of a thousand points each.
  const wt::array true_centres{{0.f, 0.f}, {10.f, 0.f}, {0.f, 10.f}};
  wt::array<float, 2> p = wt::randn<float>(points, 2);
  for (int c = 0; c < clusters; ++c)
    wt::slice(p, wt::range{1000 * c, 1000 * (c + 1)}, wt::full_extent) += wt::row(true_centres, c);

  const auto x = wt::slice(p, wt::full_extent, wt::range{0, 1});  // a column each, [points, 1]
  const auto y = wt::slice(p, wt::full_extent, wt::range{1, 2});
  wt::array centres{{1.f, 1.f}, {6.f, 2.f}, {3.f, 7.f}};
  const auto names = wt::iota<std::int64_t>(clusters);
  wt::array<std::int64_t, 2> nearest;
  for (int round = 0; round < 10; ++round) {
    const auto dx = x - wt::column(centres, 0), dy = y - wt::column(centres, 1);
    nearest = wt::argmin(dx * dx + dy * dy, 1, wt::keep_dimension);
    const wt::array<float, 2> member = wt::cast<float>(nearest == names);  // [points, clusters]
    const auto count = wt::sum(member, 0);
    centres = wt::matmul(wt::transpose(member), p) / wt::reshape(count, wt::extents{clusters, 1});
  }
  std::cout << centres << "\n";
  // The mean of a thousand normal numbers is within five of its deviations, 1 / sqrt(1000).
  bool right = wt::maximum(wt::abs(centres - true_centres)) < 0.16f;
  for (int c = 0; c < clusters; ++c)
    right = right && wt::mean(wt::slice(nearest, wt::range{1000 * c, 1000 * (c + 1)}, 0) == c) > 0.99;
  std::cout << (right ? "PASS" : "FAIL") << "\n";
  return right ? 0 : 1;
}
