// Wait states between two instructions of a program, found again instead of worked out anew.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "machine/wait_states.hpp"

namespace wavetank::timing {

/// What all rules say of pairs of a launch's instructions: a loop repeats few.
class KnownWaits {
 public:
  struct States {
    std::int16_t vector = 0, matrix = 0;  ///< machine::vector_wait_states(), matrix_wait_states()
  };
  /// The wait states between an instruction and a later one. `states` are the same in all calls.
  States between(const machine::StepFacts& first, const machine::StepFacts& second,
                 const machine::WaitStates& states) {
    if (second.index >= behind_.size()) behind_.resize(second.index + 64);
    Pair& pair = behind_[second.index][first.index % kFirsts];
    if (pair.first != first.index) {
      pair.first = first.index;
      pair.states.vector = narrow(machine::vector_wait_states(first, second, states));
      pair.states.matrix = narrow(machine::matrix_wait_states(first, second, states));
    }
    return pair.states;
  }

 private:
  /// Of a reader so many writers are remembered: those that lie behind each other are.
  static constexpr std::size_t kFirsts = 8;
  struct Pair {
    std::uint32_t first = ~std::uint32_t{0};  ///< StepFacts::index
    States states;
  };
  static std::int16_t narrow(std::int32_t states) { return static_cast<std::int16_t>(states); }

  std::vector<std::array<Pair, kFirsts>> behind_;  ///< by the index of the second
};

}  // namespace wavetank::timing
