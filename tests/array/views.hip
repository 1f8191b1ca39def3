// Views without copies, functions on elements, and launches of one's own kernels.
#include <wavetank/array/create.hpp>
#include <wavetank/array/launch.hpp>
#include <wavetank/array/math.hpp>
#include <wavetank/array/operators.hpp>
#include <wavetank/array/print.hpp>
#include <wavetank/array/slice.hpp>

#include "judge.hpp"

using judge::check;
using judge::same;
using judge::throws;
using wt::full_extent;
using wt::range;

static void slices() {
  wt::array m{{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}};
  same("a slice of ranges", wt::slice(m, range{1, 3}, range{0, 4, 2}), {5, 7, 9, 11});
  same("an index drops its dimension", wt::slice(m, full_extent, 1), {2, 6, 10});
  same("negative indices count from the end", wt::slice(m, -1, range{-2}), {11, 12});
  same("a transpose", wt::transpose(m), {1, 5, 9, 2, 6, 10, 3, 7, 11, 4, 8, 12});
  same("a dimension reversed", wt::reverse(wt::row(m, 0)), {4, 3, 2, 1});
  same("another shape", wt::row(wt::reshape(m, wt::extents{2, 6}), 1), {7, 8, 9, 10, 11, 12});
  const auto before = wt::memory_used().allocations;
  wt::row(m, 0) = wt::row(m, 1) + wt::row(m, 2);
  wt::column(m, 3) *= 10;
  check(wt::memory_used().allocations == before, "views allocate nothing");
  same("assigning to views changes the array", m, {14, 16, 18, 200, 5, 6, 7, 80, 9, 10, 11, 120});
  throws<wt::shape_error>("a range outside", "the range 0 to 5 by 1 is not one of a dimension of 4",
                          [&] { wt::slice(m, 0, range{0, 5}); });
  throws<wt::shape_error>("an index outside", "the index 3 is outside of a dimension of 3",
                          [&] { wt::row(m, 3); });
  throws<wt::shape_error>("a view with gaps has no other shape", "copies it",
                          [&] { wt::flatten(wt::transpose(m)); });
}

// Parts of one array on both sides: the result is as if everything were read first.
static void overlaps() {
  auto a = wt::iota<int>(6);
  wt::slice(a, range{1}) = wt::slice(a, range{0, 5});
  same("elements move up by one", a, {0, 0, 1, 2, 3, 4});
  a = wt::reverse(a);
  same("an array is reversed in place", a, {4, 3, 2, 1, 0, 0});
  wt::array m{{1, 2}, {3, 4}};
  m = wt::transpose(m);
  same("a matrix is transposed in place", m, {1, 3, 2, 4});
  m += wt::row(m, 0);
  same("its own row stretches over a matrix", m, {2, 6, 3, 7});
}

static void three_dimensions() {
  auto cube = wt::iota<int>(24);
  auto c = wt::reshape(cube, wt::extents{2, 3, 4});
  const wt::array<int, 3> turned = wt::transpose(c);
  wt::allow_scalar here;
  check(turned(3, 2, 1) == 23 && turned(1, 0, 1) == 13, "three dimensions are turned");
  const wt::array<int, 3> sum = c + wt::array{{100}, {200}, {300}};
  check(sum(1, 2, 3) == 323 && sum(0, 0, 0) == 100, "a column stretches over a stack of matrices");
}

// Elements farther apart than 32 bits count; of the five billion bytes only three are touched.
static void far_apart() {
  const auto bytes = wt::empty<std::int8_t>(5'000'000'000);
  const auto few = wt::slice(bytes, range{0, wt::to_end, 2'400'000'000});
  wt::view(few).set(wt::iota<std::int8_t>(3, 1));
  same("64-bit offsets where 32 do not suffice", few * few, {1, 4, 9});
  same("also backwards", wt::reverse(few), {3, 2, 1});
}

static void functions() {
  const wt::array a{0.0f, 1.0f, 4.0f};
  same("square roots", wt::sqrt(a), {0, 1, 2});
  same("powers", wt::pow(a, 2), {0, 1, 16});
  same("a lambda", wt::map([](float x) { return 2 * x + 1; }, a), {1, 3, 9});
  const float by = 10;
  same("a lambda that captures", wt::map([by](float x) { return by * x; }, a),
       {0, 10, 40});
  same("broadcast with a number",
       wt::broadcast([](float x, float y) { return x - y; }, a, 1.0f), {-1, 0, 3});
  same("select", wt::select(a > 0.5f, a, -1), {-1, 1, 4});
  same("select of numbers", wt::select(a > 0.5f, 1, 0), {0, 1, 1});
  same("cast", wt::cast<int>(a * 1.5f), {0, 1, 6});
  same("clamp", wt::clamp(a, 0.5f, 2.0f), {0.5f, 1, 2});
  same("max", wt::max(a, 2), {2, 2, 4});
  same("isnan", wt::isnan(a / 0 * 0), {true, true, true});
  throws<wt::shape_error>("map does not stretch", "map takes arrays of one shape, not [3] and [1]", [&] {
    wt::map([](float x, float y) { return x + y; }, a, wt::array{1.f});
  });
}

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
  same("a kernel takes pointers, and a grid-stride loop covers all",
       to + from, wt::full(wt::extents{1000}, 999).to_vector());
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

static void texts() {
  check(wt::to_string(wt::array{1.5f, 10.f}) == "2-element array<float, 1>:\n  1.5\n 10.0",
        "a vector as text");
  check(wt::to_string(wt::array{{1, -2}, {30, 4}}) == "2×2 array<int, 2>:\n  1  -2\n 30   4",
        "a matrix as text");
  const std::string text = wt::to_string(wt::iota<int>(100));
  check(text.find("\n 12\n ⋮\n 88") != std::string::npos, "a long vector is shortened");
}

int main() {
  slices();
  overlaps();
  three_dimensions();
  far_apart();
  functions();
  launches();
  texts();
  return judge::verdict();
}
