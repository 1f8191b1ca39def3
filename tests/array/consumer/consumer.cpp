// What a user's program is: nothing of it is Wavetank's but headers.
#include <wavetank/array/create.hpp>
#include <wavetank/array/launch.hpp>
#include <wavetank/array/operators.hpp>

#include <cstdio>

namespace wt = wavetank;

int main() {
  auto x = wt::iota<float>(1000), y = wt::ones<float>(1000);
  y = 2 * x + y;
  wt::launch([](auto y) {
    const auto i = wt::grid_index();
    if (i < y.size()) y[i] += 1;
  }, y.shape(), y);
  const std::vector<float> found = y.to_vector();
  bool right = true;
  for (int i = 0; i < 1000; ++i) right = right && found[i] == 2 * i + 2;
  std::puts(right ? "PASS" : "FAIL");
  return right ? 0 : 1;
}
