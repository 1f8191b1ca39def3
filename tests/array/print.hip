// Arrays as text.
#include <wavetank/array/create.hpp>
#include <wavetank/array/operators.hpp>
#include <wavetank/array/print.hpp>

#include "judge.hpp"

using judge::check;

static void texts() {
  check(wt::to_string(wt::array{1.5f, 10.f}) == "2-element array<float, 1>:\n  1.5\n 10.0",
        "a vector as text");
  check(wt::to_string(wt::array{{1, -2}, {30, 4}}) == "2×2 array<int, 2>:\n  1  -2\n 30   4",
        "a matrix as text");
  check(wt::to_string(wt::array{1, 2} * 2) == "2-element array<int, 1>:\n 2\n 4",
        "an expression as text");
  const std::string text = wt::to_string(wt::iota<int>(100));
  check(text.find("\n 12\n ⋮\n 88") != std::string::npos, "a long vector is shortened");
}

int main() {
  texts();
  return judge::verdict();
}
