// Arrays, views and expressions: shapes, values, memory and what is refused.
#include <wavetank/array/create.hpp>
#include <wavetank/array/operators.hpp>

#include <cmath>
#include <numeric>

#include "judge.hpp"

using judge::check;
using judge::same;
using judge::throws;

static void containers() {
  wt::array a{1, 2, 3};
  same("a list becomes an array", a, {1, 2, 3});
  same("a vector becomes an array", wt::array(std::vector<double>{0.5, 1.5}), {0.5, 1.5});
  same("rows become a matrix", wt::array{{1, 2}, {3, 4}}, {1, 2, 3, 4});
  wt::array b = a;
  b += 1;
  same("a copy has elements of its own", a, {1, 2, 3});
  wt::view shared = a;
  shared *= 10;
  same("a view shares the elements", a, {10, 20, 30});
  wt::array<int> moved = std::move(b);
  same("moving hands the elements over", moved, {2, 3, 4});
  wt::array<float, 2> none(wt::extents{0, 5});
  check(none.to_vector().empty(), "an array may be empty");
  none += 1.f;
  same("bool elements are bytes", wt::array{true, false}, {true, false});
  wt::array<int> late;
  late = a + 1;
  same("a declared array takes the shape of its first expression", late, {11, 21, 31});
  throws<wt::shape_error>("rows have one length", "2 and 1 elements", [] {
    wt::array<int, 2> ragged{{1, 2}, {3}};
  });
  throws<wt::shape_error>("a vector fills its shape", "3 elements on the host do not fit", [] {
    wt::array<int, 2> wrong(std::vector<int>{1, 2, 3}, wt::extents{2, 2});
  });
}

static void creation() {
  same("ones are ones", wt::ones<float>(3), {1, 1, 1});
  same("zeros of two dimensions", wt::zeros<int>(2, 2), {0, 0, 0, 0});
  same("iota counts", wt::iota<int>(4, 1, 2), {1, 3, 5, 7});
  same("full takes its value's type", wt::full(wt::extents{2}, 7.5), {7.5, 7.5});
  check(wt::similar<double>(wt::ones<float>(2, 3)).shape() == wt::extents{2, 3},
        "similar has the shape");
}

static void arithmetic() {
  const wt::array a{1, 2, 3, 4};
  const wt::array f{1.5f, 2.5f};
  same("integers stay integers beside integers", a * 2 - 1, {1, 3, 5, 7});
  same("integers become fractions beside fractions", a / 2.0, {0.5, 1.0, 1.5, 2.0});
  static_assert(std::is_same_v<wt::value_type_of<decltype(f + 1.0)>, float>);
  same("a number may stand on the left", 1 - f, {-0.5f, -1.5f});
  same("comparisons give bool", a > 2, {false, false, true, true});
  same("logic combines them", a > 1 && !(a == 3), {false, true, false, true});
  same("bits", (a & 1) | (a << 4), {17, 32, 49, 64});
  same("remainders", a % 3, {1, 2, 0, 1});
  wt::array c = a;
  c += c * c;
  same("in place where the target is an operand", c, {2, 6, 12, 20});
  throws<wt::array_error>("a number must fit beside bytes", "300 does not fit", [] {
    auto wrong = wt::array<std::int8_t>{1} + 300;
  });
}

static void broadcasting() {
  const wt::array m{{1, 2, 3}, {4, 5, 6}};
  const wt::array row{10, 20, 30};
  const wt::array column{{100}, {200}};
  same("a row stretches over a matrix", m + row, {11, 22, 33, 14, 25, 36});
  same("so does a column", m + column, {101, 102, 103, 204, 205, 206});
  same("row and column make a matrix", row + column, {110, 120, 130, 210, 220, 230});
  throws<wt::shape_error>("shapes that do not fit are named", "[2, 3] and [2]",
                          [&] { wt::array wrong = m + wt::array{1, 2}; });
  throws<wt::shape_error>("an assignment keeps the shape",
                          "shape [2, 3] cannot be assigned to an array of shape [1, 3]", [&] {
                            wt::array<int, 2> target(wt::extents{1, 3});
                            target = m + row;
                          });
}

// Sizes around the wide loads' width and the workgroup's, and arrays of several element sizes.
template <class T>
static void sizes() {
  for (int n : {1, 3, 4, 5, 15, 16, 17, 255, 1023, 1024, 1025, 4096, 10007}) {
    std::vector<T> in(n), expected(n);
    std::iota(in.begin(), in.end(), T(1));
    for (int i = 0; i < n; ++i) expected[i] = static_cast<T>(in[i] + in[i]);
    const wt::array<T> a(in);
    wt::array<T> out(a.shape());
    out = a + a;
    check(out.to_vector() == expected, std::to_string(n) + " elements of " +
                                           std::to_string(sizeof(T)) + " bytes are added");
  }
}

static void memory() {
  const wt::array a{1.f, 2.f}, b{3.f, 4.f};
  const auto before = wt::memory_used().allocations;
  wt::array c = a + b * a - b / (a + 1) + a * a * a;
  check(wt::memory_used().allocations == before + 1, "an expression allocates its result only");
  c = a + b;
  c += c * b;
  check(wt::memory_used().allocations == before + 1, "an assignment allocates nothing");
}

static void scalars() {
  wt::array a{1, 2, 3};
  throws<wt::scalar_access_error>("an element is refused", "copy over the bus",
                                  [&] { return static_cast<int>(a(1)); });
  const auto before = wt::scalar_accesses();
  {
    wt::allow_scalar here;
    a(1) = 20;
    check(a[1] == 20, "an element is read and written where that is allowed");
  }
  check(wt::scalar_accesses() == before + 2, "such accesses are counted");
  throws<wt::scalar_access_error>("the permission ends with its scope", "copy over the bus",
                                  [&] { a(0) = 1; });
  throws<wt::shape_error>("an index is checked", "[3] is outside of an array of shape [3]",
                          [&] { (void)a(3); });
}

int main() {
  containers();
  creation();
  arithmetic();
  broadcasting();
  sizes<std::int8_t>();
  sizes<float>();
  sizes<double>();
  memory();
  scalars();
  return judge::verdict();
}
