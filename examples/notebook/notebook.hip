// # Arrays on the GPU
//
// This page is a program: [notebook.hip](notebook.hip), compiled and run on the virtual MI210. Below
// each cell stands what it printed.
#include <wavetank/array/create.hpp>
#include <wavetank/array/launch.hpp>
#include <wavetank/array/print.hpp>
#include <wavetank/array/reduce.hpp>

#include "cells.hpp"

namespace wt = wavetank;

static void arrays() {
  // ## Array programming
  //
  // An `array` owns memory of the device. It is made from values of the host and printed like them.
  CELL(1);
  wt::array a{1, 2, 3, 4};
  std::cout << a << "\n";

  // Operations work on all elements at once, each assignment in one kernel:
  CELL(2);
  a += 1;
  std::cout << a << "\n";

  // ## Scalar access
  //
  // A loop over elements would not run on the GPU: each element would be copied over the bus. It is
  // refused, and says why.
  CELL(3);
  notebook::refused([&] {
    for (int i = 0; i < 4; ++i) a[i] += 1;
  });

  // Where single elements are meant, a scope allows them. They are counted.
  CELL(4);
  wt::allow_scalar here;
  std::cout << a[0] << ", after " << wt::scalar_accesses() << " access\n";
}

int main() { arrays(); }
