// Launches of one's own kernels: what they get, and what is refused.
#include <wavetank/array/create.hpp>
#include <wavetank/array/launch.hpp>
#include <wavetank/array/operators.hpp>
#include <wavetank/array/slice.hpp>

#include "judge.hpp"

using judge::check;
using judge::same;
using judge::throws;

__global__ void add_one(wt::device_view<int, 2> a) {
  const auto y = wt::grid_index(1), x = wt::grid_index(0);
  if (y < a.extent(0) && x < a.extent(1)) a(y, x) += 1;
}
__global__ void __launch_bounds__(128) first_of(int* a, const int* b, int n) {
  for (auto i : wt::grid_stride(n)) a[i] = b[n - 1 - i];
}

static void launches() {
  wt::array m{{1, 2, 3}, {4, 5, 6}};
  wt::launch(add_one, m.shape(), m);
  same("a kernel takes a view", m, {2, 3, 4, 5, 6, 7});
  wt::launch(add_one, wt::extents{3, 2}, wt::transpose(m));
  same("also a transposed one", m, {3, 4, 5, 6, 7, 8});
  const auto from = wt::iota<int>(1000);
  auto to = wt::similar(from);
  wt::launch({.block = dim3(64)}, first_of, wt::extents{256}, to, from, 1000);
  same("a kernel takes pointers, and a grid-stride loop covers all", to + from,
       wt::full(wt::extents{1000}, 999).to_vector());
  wt::launch([](auto a, int by) { a[wt::grid_index()] *= by; }, wt::extents{1}, to, 7);
  wt::allow_scalar here;
  check(to[0] == 6993, "a function object is a kernel");
  throws<wt::launch_error>("too many work-items", "1025 work-items: AMD Instinct MI",
                           [&] { wt::launch({.block = dim3(1025)}, add_one, m.shape(), m); });
  throws<wt::launch_error>("more than the kernel's bounds", "compiled for at most 128", [&] {
    wt::launch({.block = dim3(256)}, first_of, wt::extents{256}, to, from, 1000);
  });
  throws<wt::launch_error>("too much LDS", "65540 bytes of LDS", [&] {
    wt::launch({.block = dim3(64), .lds_bytes = 65540}, add_one, m.shape(), m);
  });
  throws<wt::shape_error>("a pointer has no gaps", "cannot have a view with gaps", [&] {
    wt::launch(first_of, wt::extents{2}, wt::column(m, 0), wt::column(m, 1), 2);
  });
}

int main() {
  launches();
  return judge::verdict();
}
