// How a program uses words by which waves wait for each other: what its listeners have to know
// before it runs. Facts of the code alone, so that they are the same in whatever order waves run.
#pragma once

#include <cstddef>
#include <vector>

#include "execute/program_ops.hpp"

namespace wavetank::execute {

/// Slots of vector and LDS loads that poll a word: each round of a loop which stores nothing loads
/// from the same address, before any branch. A compiler takes such a load out of the loop unless it
/// is volatile or atomic, which the instruction itself does not show in LDS, nor for the scope of a
/// workgroup on gfx90a. A variable in LDS may be loaded too early, so that its load is taken out of
/// a loop even behind a branch that leaves the loop or begins its next round: what stays polls, as
/// the loads of one lane that LLVM makes of atomics which add nothing.
std::vector<std::size_t> polling_loads(const ProgramOps& program, const FactsOf& facts_of);

struct WordUse {
  /// Waves may learn of others of their workgroup without a barrier.
  bool learns_in_group = false;
  /// Accesses to LDS may be ordered by words, or not by a barrier, as they may be under way at one.
  bool orders_lds = false;
};
WordUse word_use(const ProgramOps& program, const FactsOf& facts_of);

}  // namespace wavetank::execute
