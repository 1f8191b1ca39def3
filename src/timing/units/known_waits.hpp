// Wait states between two instructions of a program, found again instead of worked out anew.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "machine/wait_states.hpp"

namespace wavetank::timing {

/// Remembers what the rules of matrix results say of pairs of a launch's instructions: a loop
/// repeats few. (Those of other results are mostly told apart by StepFacts::waits.)
class KnownWaits {
 public:
  /// As machine::matrix_wait_states(). `states` are the same in all calls.
  std::int32_t matrix(const machine::StepFacts& first, const machine::StepFacts& second,
                      const machine::WaitStates& states) {
    // Writers lie a few instructions before their readers.
    Pair& pair = pairs_[(second.index * 8 + (second.index - first.index)) % kRemembered];
    if (pair.first != first.index || pair.second != second.index) {
      pair = {first.index, second.index, machine::matrix_wait_states(first, second, states)};
    }
    return pair.states;
  }

 private:
  static constexpr std::size_t kRemembered = 4096;
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  struct Pair {
    std::uint32_t first = kNone, second = kNone;  ///< StepFacts::index
    std::int32_t states = 0;
  };
  std::array<Pair, kRemembered> pairs_;
};

}  // namespace wavetank::timing
