// Loads whose value is a first guess for a compare-and-swap: it decides nothing, since the swap
// fails where the guess is old.
#pragma once

#include <cstddef>
#include <vector>

#include "execute/word_use.hpp"

namespace wavetank::execute {

/// Slots of loads whose value goes nowhere but into comparands of compare-and-swaps, what these
/// would store, and comparisons with what they gave. Followed through registers, not through
/// memory or calls, where check/guesses.hpp takes over.
std::vector<std::size_t> swap_seeds(const ProgramOps& program, const FactsOf& facts_of);

}  // namespace wavetank::execute
