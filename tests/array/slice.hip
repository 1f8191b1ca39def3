// Views without copies, and assignments whose two sides share elements.
#include <wavetank/array/create.hpp>
#include <wavetank/array/operators.hpp>
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
  auto b = wt::iota<int>(6, 1);
  wt::slice(b, range{1}) += wt::slice(b, range{0, 5});
  same("neighbours are added to neighbours", b, {1, 3, 5, 7, 9, 11});
  wt::slice(b, range{0, 5}) = wt::slice(b, range{0, 5}) + wt::slice(b, range{1});
  same("the target itself and its neighbours", b, {4, 8, 12, 16, 20, 11});
  wt::slice(b, range{0, 6, 2}) = wt::slice(b, range{1, 6, 2});
  same("even places from odd ones", b, {8, 8, 16, 16, 11, 11});
  // Larger than what one workgroup reads before another one writes.
  const int n = 1'000'000;
  auto large = wt::iota<int>(n);
  wt::slice(large, range{1}) = wt::slice(large, range{0, n - 1}) + 1;
  check(large.to_vector() == wt::iota<int>(n).to_vector(), "a million elements move up by one");
  const auto before = wt::memory_used().allocations;
  large = 2 * large + large;
  check(wt::memory_used().allocations == before, "an array in its own order is assigned in place");
  large = wt::reverse(large);
  check(wt::memory_used().allocations == before + 1, "one in another order goes through a copy");
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

int main() {
  slices();
  overlaps();
  three_dimensions();
  far_apart();
  return judge::verdict();
}
