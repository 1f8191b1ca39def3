// Reductions along a dimension.
#include <wavetank/array/create.hpp>
#include <wavetank/array/reduce_axis.hpp>
#include <wavetank/array/slice.hpp>

#include <cmath>

#include "judge.hpp"

using judge::check;
using judge::same;
using judge::throws;

static void extremes() {
  const wt::array m{{3.f, 1.f, 2.f}, {-2.f, 8.f, 8.f}};
  same("smallest of each row", wt::minimum(m, 1), {1, -2});
  same("largest of each column", wt::maximum(m, 0), {3, 8, 8});
  same("where the smallest of each row is", wt::argmin(m, 1), {1, 0});
  same("where the largest is, the first of equals", wt::argmax(m, 1), {0, 1});
  same("where the largest of each column is", wt::argmax(m, 0), {0, 1, 1});
  same("with the dimension kept", m == wt::maximum(m, 1, wt::keep_dimension),
       {true, false, false, false, true, true});
  check(wt::argmin(m, 0, wt::keep_dimension).shape() == wt::extents{1, 3}, "also of places");
  same("whether one is", wt::any(m > 7, 1), {false, true});
  same("whether all are", wt::all(m > 0, 0), {false, true, true});
  const wt::array with_nan{{1.f, NAN, 3.f}, {1.f, 2.f, 3.f}};
  const auto least = wt::minimum(with_nan, 1).to_vector();
  check(std::isnan(least[0]) && least[1] == 1, "a NaN stays");
  same("and is the first extreme", wt::argmax(with_nan, 1), {1, 2});
  same("of integers", wt::maximum(wt::array{{-5, -7}, {-9, -6}}, 1), {-5, -6});
  throws<wt::shape_error>("nothing has no maximum", "without elements has no value",
                          [] { wt::maximum(wt::array<int, 2>(wt::extents{3, 0}), 1); });
  same("but none of no elements is true", wt::any(wt::array<bool, 2>(wt::extents{2, 0}), 1),
       {false, false});
}

// Rows and columns longer than a workgroup, of a view and of an expression.
static void long_ones() {
  const int rows = 300, columns = 5000;
  const auto m = wt::reshape(wt::iota<int>(rows * columns), wt::extents{rows, columns});
  const auto row_ends = wt::maximum(m, 1).to_vector();
  const auto column_ends = wt::maximum(wt::transpose(m) - 1, 1).to_vector();
  const auto places = wt::argmax(m % 4999, 1).to_vector();
  bool right = true;
  for (int i = 0; i < rows; ++i) {
    int at = 0;
    for (int j = 0; j < columns; ++j)
      if ((i * columns + j) % 4999 > (i * columns + at) % 4999) at = j;
    right = right && row_ends[i] == (i + 1) * columns - 1 && places[i] == at;
  }
  for (int j = 0; j < columns; ++j) right = right && column_ends[j] == (rows - 1) * columns + j - 1;
  check(right, "long rows and columns");
}

static void along() {
  const wt::array m{{1, 2, 3}, {4, 5, 6}};
  same("rows are added", wt::sum(m, 0), {5, 7, 9});
  same("columns are added", wt::sum(m, 1), {6, 15});
  same("means", wt::mean(m, 1), {2, 5});
  same("a kept dimension stretches", m - wt::mean(m, 1, wt::keep_dimension), {-1, 0, 1, -1, 0, 1});
  const auto c = wt::reshape(wt::iota<int>(24), wt::extents{2, 3, 4});
  same("the middle of three dimensions", wt::sum(c, 1), {12, 15, 18, 21, 48, 51, 54, 57});
  throws<wt::shape_error>("a dimension that is not there", "[2, 3] has no dimension 2",
                          [&] { wt::sum(m, 2); });
}

int main() {
  along();
  extremes();
  long_ones();
  return judge::verdict();
}
