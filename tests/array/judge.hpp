// What the programs of wavetank::array share: sentences that are right or wrong.
#pragma once

#include <wavetank/array/array.hpp>

#include <cstdio>
#include <exception>
#include <string>
#include <vector>

namespace wt = wavetank;

namespace judge {

inline bool all_right = true;

/// Prints a sentence that turned out to be wrong.
inline void check(bool right, const std::string& sentence) {
  if (right) return;
  all_right = false;
  std::printf("WRONG: %s\n", sentence.c_str());
}

/// An expression has exactly these values, in row-major order.
template <wt::expression E>
void same(const std::string& sentence, const E& e,
          const std::vector<wt::value_type_of<E>>& expected) {
  check(wt::evaluate(e).to_vector() == expected, sentence);
}

/// `f` throws an Error whose message holds `part`.
template <class Error, class F>
void throws(const std::string& sentence, const std::string& part, F&& f) {
  try {
    f();
    check(false, sentence + ": nothing was thrown");
  } catch (const Error& error) {
    check(std::string(error.what()).find(part) != std::string::npos,
          sentence + ", but said: " + error.what());
  } catch (const std::exception& error) {
    check(false, sentence + ", but threw something else: " + error.what());
  }
}

/// Prints the verdict and gives the exit code.
inline int verdict() {
  std::printf("%s\n", all_right ? "PASS" : "FAIL");
  return all_right ? 0 : 1;
}

}  // namespace judge
