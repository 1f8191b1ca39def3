// Containers: how arrays come to be, what they share, their memory, and access to single elements.
#include <wavetank/array/create.hpp>
#include <wavetank/array/operators.hpp>

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
  throws<wt::shape_error>("rows have one length", "2 and 1 elements",
                          [] { wt::array<int, 2> ragged{{1, 2}, {3}}; });
  throws<wt::shape_error>("a vector fills its shape", "3 elements on the host do not fit", [] {
    wt::array<int, 2> wrong(std::vector<int>{1, 2, 3}, wt::extents{2, 2});
  });
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
  memory();
  scalars();
  return judge::verdict();
}
