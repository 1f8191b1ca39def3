// The heat equation on a plate whose upper edge is hot: each step is one kernel on views of the array.
#include <wavetank/array/create.hpp>
#include <wavetank/array/operators.hpp>
#include <wavetank/array/print.hpp>
#include <wavetank/array/slice.hpp>

#include <iostream>

namespace wt = wavetank;

int main() {
  constexpr int n = 128, steps = 100;
  constexpr float rate = 0.2f;
  wt::array<float, 2> now = wt::zeros<float>(n, n);
  wt::row(now, 0) = 100.f;
  wt::array<float, 2> next = now;

  // The plate without its edges, moved by so many rows and columns.
  const auto inner = [](const wt::view<float, 2>& a, int down, int right) {
    return wt::slice(a, wt::range{1 + down, n - 1 + down}, wt::range{1 + right, n - 1 + right});
  };
  for (int step = 0; step < steps; ++step) {
    const auto here = inner(now, 0, 0);
    inner(next, 0, 0) = here + rate * (inner(now, -1, 0) + inner(now, 1, 0) + inner(now, 0, -1) +
                                       inner(now, 0, 1) - 4 * here);
    std::swap(now, next);
  }

  std::vector<float> t(n * n, 0.f), u;
  for (int j = 0; j < n; ++j) t[j] = 100.f;
  for (int step = 0; step < steps; ++step) {
    u = t;
    for (int i = 1; i < n - 1; ++i)
      for (int j = 1; j < n - 1; ++j) {
        const float* at = &t[i * n + j];
        u[i * n + j] = at[0] + rate * (at[-n] + at[n] + at[-1] + at[1] - 4 * at[0]);
      }
    std::swap(t, u);
  }
  float farthest = 0;
  const std::vector<float> found = now.to_vector();
  for (int i = 0; i < n * n; ++i) farthest = std::max(farthest, std::abs(found[i] - t[i]));
  std::cout << wt::slice(now, wt::range{0, 5}, wt::range{0, n, 32}) << "\n";
  // A step rounds numbers up to 100 seven times, and forgets what came in: 100 steps stay below this.
  const bool right = farthest < 1e-3f;
  std::cout << (right ? "PASS" : "FAIL") << "\n";
  return right ? 0 : 1;
}
