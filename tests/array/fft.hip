// Fourier transforms by rocFFT against their definition.
#include <wavetank/array/fft.hpp>

#include <cmath>

#include "judge.hpp"

// sum of a[n] exp(-2 pi i k n / N), in double.
static std::complex<double> coefficient(const std::vector<double>& a, int k) {
  std::complex<double> sum = 0;
  for (std::size_t n = 0; n < a.size(); ++n)
    sum += a[n] * std::polar(1.0, -2 * M_PI * k * static_cast<double>(n) / a.size());
  return sum;
}

int main() {
  const std::vector<double> values = {1, -2, 3.5, 0, 4, -1, 2, 8, 0.25, -3};
  const wt::array<double> a(values);
  const auto transformed = wt::fft(a);
  const auto found = transformed.to_vector();
  // Ten additions of numbers below 25 round by less than 1e-13.
  for (std::size_t k = 0; k < values.size(); ++k)
    judge::check(std::abs(found[k] - coefficient(values, static_cast<int>(k))) < 1e-13,
                 "coefficient " + std::to_string(k));
  const auto back = wt::ifft(transformed).to_vector();
  for (std::size_t n = 0; n < values.size(); ++n)
    judge::check(std::abs(back[n] - values[n]) < 1e-13, "the inverse, " + std::to_string(n));
  const wt::array m{{1.f, 2.f}, {3.f, 4.f}};
  judge::same("two dimensions", wt::fft(m), {{10, 0}, {-2, 0}, {-4, 0}, {0, 0}});

  const auto half = wt::rfft(a);
  judge::check(half.shape() == wt::extents{6}, "half of a transform of ten, and the one between");
  bool same = true;
  for (int k = 0; k < 6; ++k)
    same = same && std::abs(half.to_vector()[k] - coefficient(values, k)) < 1e-13;
  judge::check(same, "the transform of real numbers");
  const auto real = wt::irfft(half).to_vector();
  for (std::size_t n = 0; n < values.size(); ++n)
    judge::check(std::abs(real[n] - values[n]) < 1e-13, "its inverse, " + std::to_string(n));
  const wt::array odd{{1.f, 2.f, 4.f}, {3.f, 4.f, 4.f}};
  const auto odd_half = wt::rfft(odd);
  judge::check(odd_half.shape() == wt::extents{2, 2}, "only the last dimension is halved");
  const auto odd_back = wt::irfft(odd_half, 3).to_vector();
  for (std::size_t n = 0; n < 6; ++n)  // sums of six numbers below 5 in float
    judge::check(std::fabs(odd_back[n] - odd.to_vector()[n]) < 1e-5, "an odd number of elements");
  judge::throws<wt::shape_error>("a number that cannot be", "irfft cannot make 7 real numbers",
                                 [&] { wt::irfft(odd_half, 7); });
  return judge::verdict();
}
