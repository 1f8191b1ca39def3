// Factorisations and systems by rocSOLVER, multiplied out again.
#include <wavetank/array/matmul.hpp>
#include <wavetank/array/solver.hpp>

#include <cmath>

#include "judge.hpp"

// A product of 3 x 3 matrices of numbers below 10 in double rounds by less than 1e-13.
static bool close(const std::vector<double>& a, const std::vector<double>& b) {
  bool right = a.size() == b.size();
  for (std::size_t i = 0; right && i < a.size(); ++i) right = std::fabs(a[i] - b[i]) < 1e-13;
  return right;
}

int main() {
  const wt::array m{{2.0, 1.0, 1.0}, {4.0, 3.0, 3.0}, {8.0, 7.0, 9.0}};
  const auto x = wt::solve(m, wt::array{1.0, 2.0, 4.0});
  judge::check(close(wt::matmul(m, x).to_vector(), {1, 2, 4}), "a system is solved");
  const auto factors = wt::lu(m);
  judge::check(!factors.singular, "the matrix has an inverse");
  // Worked by hand with the largest pivot of each column: rows 3, 1, 2.
  judge::check(close(wt::evaluate(factors.factors()).to_vector(),
                     {8, 7, 9, 0.25, -0.75, -1.25, 0.5, 2.0 / 3, -2.0 / 3}),
               "L and U in one matrix");
  const wt::array tall{{1.0, 2.0}, {3.0, 4.0}, {5.0, 6.0}};
  const auto [q, r] = wt::qr(tall);
  judge::check(close(wt::matmul(q, r).to_vector(), tall.to_vector()), "q r is the matrix");
  judge::check(close(wt::matmul(wt::transpose(q), q).to_vector(), {1, 0, 0, 1}),
               "the columns of q are orthonormal");
  {
    wt::allow_scalar here;
    judge::check(r(1, 0) == 0, "r is zero below its diagonal");
  }
  judge::throws<wt::array_error>("a singular system", "singular", [] {
    wt::solve(wt::array{{1.0, 2.0}, {2.0, 4.0}}, wt::array{1.0, 1.0});
  });
  judge::throws<wt::shape_error>("a system that is not square", "square matrix",
                                 [&] { wt::lu(tall); });
  return judge::verdict();
}
