// Random arrays by rocRAND: the same seed gives the same numbers, and they are distributed as they
// should be.
#include <wavetank/array/operators.hpp>
#include <wavetank/array/random.hpp>

#include <cmath>

#include "judge.hpp"

int main() {
  wt::random_generator one(7), again(7), other(8);
  const auto a = wt::rand<float>(wt::extents{10001}, one);
  judge::check(a.to_vector() == wt::rand<float>(wt::extents{10001}, again).to_vector(),
               "the same seed gives the same numbers");
  judge::check(a.to_vector() != wt::rand<float>(wt::extents{10001}, other).to_vector(),
               "another seed gives others");
  double sum = 0;
  bool inside = true;
  for (float x : a.to_vector()) {
    sum += x;
    inside = inside && x > 0 && x <= 1;
  }
  judge::check(inside, "uniform numbers lie in (0, 1]");
  // The mean of n uniform numbers deviates by 1 / sqrt(12 n) = 0.0029; six times that is allowed.
  judge::check(std::fabs(sum / 10001 - 0.5) < 0.0173, "uniform numbers have the mean 1/2");
  double squares = 0;
  for (double x : wt::randn<double>(wt::extents{101, 99}, one).to_vector()) squares += x * x;
  // The mean square of n normal numbers deviates by sqrt(2 / n) = 0.0141; six times that is
  // allowed.
  judge::check(std::fabs(squares / 9999 - 1) < 0.085, "normal numbers have the variance 1");
  judge::check(wt::rand<float>(3, 3).shape() == wt::extents{3, 3}, "shapes may be written out");
  return judge::verdict();
}
