// Functions of one's own on elements.
#include <wavetank/array/create.hpp>
#include <wavetank/array/map.hpp>
#include <wavetank/array/operators.hpp>

#include "judge.hpp"

using judge::same;
using judge::throws;

static void functions() {
  const wt::array a{0.0f, 1.0f, 4.0f};
  same("a lambda", wt::map([](float x) { return 2 * x + 1; }, a), {1, 3, 9});
  const float by = 10;
  same("a lambda that captures", wt::map([by](float x) { return by * x; }, a), {0, 10, 40});
  same("broadcast with a number", wt::broadcast([](float x, float y) { return x - y; }, a, 1.0f),
       {-1, 0, 3});
  same("select", wt::select(a > 0.5f, a, -1), {-1, 1, 4});
  same("select of numbers", wt::select(a > 0.5f, 1, 0), {0, 1, 1});
  same("cast", wt::cast<int>(a * 1.5f), {0, 1, 6});
  throws<wt::shape_error>(
      "map does not stretch", "map takes arrays of one shape, not [3] and [1]",
      [&] { wt::map([](float x, float y) { return x + y; }, a, wt::array{1.f}); });
}

int main() {
  functions();
  return judge::verdict();
}
