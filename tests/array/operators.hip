// Arithmetic of arrays: values, types, shapes that stretch, and sizes around those of the kernels.
#include <wavetank/array/create.hpp>
#include <wavetank/array/operators.hpp>

#include <numeric>

#include "judge.hpp"

using judge::check;
using judge::same;
using judge::throws;

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
  throws<wt::array_error>("a number must fit beside bytes", "300 does not fit",
                          [] { auto wrong = wt::array<std::int8_t>{1} + 300; });
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
    check(out.to_vector() == expected,
          std::to_string(n) + " elements of " + std::to_string(sizeof(T)) + " bytes are added");
  }
}

int main() {
  arithmetic();
  broadcasting();
  sizes<std::int8_t>();
  sizes<float>();
  sizes<double>();
  return judge::verdict();
}
