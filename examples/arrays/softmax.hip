// Softmax over the rows of a matrix, safe for large numbers: two reductions and two expressions.
#include <wavetank/array/math.hpp>
#include <wavetank/array/print.hpp>
#include <wavetank/array/random.hpp>
#include <wavetank/array/reduce_axis.hpp>

#include <cmath>
#include <iostream>

namespace wt = wavetank;

int main() {
  constexpr int rows = 1000, columns = 512;
  const wt::array<float, 2> x = 100 * wt::randn<float>(rows, columns);
  const wt::array<float, 2> e = wt::exp(x - wt::maximum(x, 1, wt::keep_dimension));
  const wt::array<float, 2> y = e / wt::sum(e, 1, wt::keep_dimension);

  const std::vector<float> in = x.to_vector(), found = y.to_vector();
  double farthest = 0;
  for (int i = 0; i < rows; ++i) {
    const float* row = &in[i * columns];
    double sum = 0, largest = row[0];
    for (int j = 0; j < columns; ++j) largest = std::max<double>(largest, row[j]);
    for (int j = 0; j < columns; ++j) sum += std::exp(row[j] - largest);
    for (int j = 0; j < columns; ++j) {
      const double expected = std::exp(row[j] - largest) / sum;
      farthest = std::max(farthest, std::abs(found[i * columns + j] - expected));
    }
  }
  std::cout << "sums of the first rows: " << wt::sum(wt::slice(y, wt::range{0, 3}, wt::full_extent), 1)
            << "\n";
  // exp of a difference d in float is wrong by d * 2^-24 of itself, and x e^-x is below 0.4.
  const bool right = farthest < 1e-6;
  std::cout << (right ? "PASS" : "FAIL") << "\n";
  return right ? 0 : 1;
}
