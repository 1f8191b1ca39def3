// # Transforms and factorisations
//
// A page of the [notebook](README.md) for AMD's libraries that Debian 12 does not package: rocFFT, rocBLAS and
// rocSOLVER. Its program is [libraries.hip](libraries.hip); where they are installed, it is built, run and
// compared with this page.
#include <wavetank/array/create.hpp>
#include <wavetank/array/fft.hpp>
#include <wavetank/array/matmul.hpp>
#include <wavetank/array/math.hpp>
#include <wavetank/array/operators.hpp>
#include <wavetank/array/print.hpp>
#include <wavetank/array/solver.hpp>

#include "cells.hpp"

namespace wt = wavetank;

// Numbers that are whole but for rounding, made whole.
static auto rounded(const wt::view<double, 2>& a) {
  return wt::round(a * 1e6) / 1e6 + 0.0;
}

static void transforms() {
  // ## Fourier transforms
  //
  // Of a pulse all frequencies are the same:
  CELL(1);
  wt::array pulse{1.f, 0.f, 0.f, 0.f};
  std::cout << wt::fft(pulse) << "\n";

  // Of real numbers half of the transform says all. Back from it:
  CELL(2);
  wt::array a{1.f, 2.f, 3.f, 4.f};
  const auto half = wt::rfft(a);
  std::cout << half << "\n" << wt::irfft(half) << "\n";
}

static void factorisations() {
  // ## Factorisations
  //
  // A matrix as a product of one with orthonormal columns and a triangular one:
  CELL(3);
  const wt::array m{{3.0, 5.0}, {4.0, 10.0}};
  const auto [q, r] = wt::qr(m);
  std::cout << rounded(q) << "\n" << rounded(r) << "\n" << rounded(wt::matmul(q, r)) << "\n";

  // A system of equations:
  CELL(4);
  std::cout << wt::round(wt::solve(m, wt::array{8.0, 14.0})) << "\n";

  // What cannot be solved says why:
  CELL(5);
  notebook::refused([] { wt::solve(wt::array{{1.0, 2.0}, {2.0, 4.0}}, wt::array{1.0, 1.0}); });
  notebook::refused([] { wt::irfft(wt::rfft(wt::ones<float>(8)), 12); });
}

int main() {
  transforms();
  factorisations();
}
