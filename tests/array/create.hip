// Arrays that are made on the device.
#include <wavetank/array/create.hpp>

#include "judge.hpp"

using judge::check;
using judge::same;

static void creation() {
  same("ones are ones", wt::ones<float>(3), {1, 1, 1});
  same("zeros of two dimensions", wt::zeros<int>(2, 2), {0, 0, 0, 0});
  same("iota counts", wt::iota<int>(4, 1, 2), {1, 3, 5, 7});
  same("full takes its value's type", wt::full(wt::extents{2}, 7.5), {7.5, 7.5});
  check(wt::similar<double>(wt::ones<float>(2, 3)).shape() == wt::extents{2, 3},
        "similar has the shape");
}

int main() {
  creation();
  return judge::verdict();
}
