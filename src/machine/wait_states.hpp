// Wait states between two instructions of a wave that the program has to provide, by the rules of
// isa/vector_wait.hpp and isa/matrix_wait.hpp. The cycle model keeps instructions back by them;
// `wavetank check` says where a program does not.
#pragma once

#include <array>
#include <cstdint>

#include "isa/matrix_wait.hpp"
#include "isa/vector_wait.hpp"
#include "machine/step.hpp"

namespace wavetank::machine {

/// A device's numbers, in wait states, in the order of the rules.
struct WaitStates {
  std::array<std::int32_t, isa::kVectorWaits.size()> vector = {};
  std::array<std::int32_t, isa::kMatrixWaits.size()> matrix =
      {};  ///< some count from the last pass
};

/// No rule reaches farther: 16 passes and 3 wait states (LLVM GCNHazardRecognizer.cpp).
inline constexpr unsigned kFarthestWaitStates = 19;

/// Wait states that must lie between an instruction and a later one, by all rules but those of
/// matrix results.
std::int32_t vector_wait_states(const StepFacts& first, const StepFacts& second,
                                const WaitStates& states);
/// The same by those of matrix results and registers that matrix instructions still read.
std::int32_t matrix_wait_states(const StepFacts& first, const StepFacts& second,
                                const WaitStates& states);

}  // namespace wavetank::machine
