// What might order a race: changes of the source that `wavetank check --fix` tries, one after the
// other.
#pragma once

#include <string>
#include <vector>

#include "check/edges.hpp"
#include "cli/check/run.hpp"

namespace wavetank::cli {

/// A change, and in words: "__syncthreads() after race.hip:12".
struct Candidate {
  check::Change change;
  std::string words;
};

/// The changes that may order the two accesses of a race, the most likely first. `run` tells which
/// other accesses stand in its line. None for what is no race, or not in the kernel's own code.
std::vector<Candidate> candidates(const check::Diagnosis& race, const CheckedRun& run);

}  // namespace wavetank::cli
