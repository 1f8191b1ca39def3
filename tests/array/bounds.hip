// A kernel that reads beyond the part of an array that it was given. The bytes are those of the
// array, so only the view can tell; it does under `wavetank check`.
#include <wavetank/array/create.hpp>
#include <wavetank/array/launch.hpp>
#include <wavetank/array/slice.hpp>

#include <cstdio>

namespace wt = wavetank;

int main() {
  const auto all = wt::iota<int>(100);
  auto sum = wt::zeros<int>(1);
  const auto part = wt::slice(all, wt::range{0, 10});
  wt::launch(
      {.block = dim3(64)}, [](auto part, auto sum) { sum[0] = part[9] + part[10]; }, wt::extents{1},
      part, sum);
  wt::synchronize();
  std::printf("%d\n", sum.to_vector()[0]);
}
