// How the lanes of a memory access lie: what a reader is told of an instruction's pattern.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "machine/step.hpp"
#include "timing/units/cycle_ledger.hpp"

namespace wavetank::timing {

/// Bytes between lanes of an access.
struct LaneDistance {
  std::int64_t first = 0, average = 0;  ///< of the first two active lanes, and of all
};

/// Of an access by at least two lanes.
inline LaneDistance lane_distance(const machine::Step& step) {
  const auto first = static_cast<unsigned>(std::countr_zero(step.lanes));
  const auto second = static_cast<unsigned>(std::countr_zero(step.lanes & (step.lanes - 1)));
  const auto last = static_cast<unsigned>(63 - std::countl_zero(step.lanes));
  const std::uint64_t base = step.address[first];
  return {static_cast<std::int64_t>(step.address[second] - base),
          static_cast<std::int64_t>(step.address[last] - base) / (std::popcount(step.lanes) - 1)};
}

/// True for an access by at least two lanes, each so many bytes behind the active one before it.
inline bool lanes_lie_apart(const machine::Step& step, std::uint64_t bytes) {
  if (std::popcount(step.lanes) < 2) return false;
  const machine::LaneRows* const rows = step.address.rows();
  if (~step.lanes == 0 && rows != nullptr) return rows->row_shift == 6 && rows->apart == bytes;
  std::uint64_t expected = step.address[static_cast<unsigned>(std::countr_zero(step.lanes))];
  for (std::uint64_t left = step.lanes; left != 0; left &= left - 1, expected += bytes) {
    if (step.address[static_cast<unsigned>(std::countr_zero(left))] != expected) return false;
  }
  return true;
}

/// Adds an access of memory or LDS to its instruction's tally. The distance of the first two active
/// lanes and the average one tell rows, columns and everything even from what is scattered.
inline void note_lanes(const machine::Step& step, InstructionTally& tally) {
  if (step.scratch) ++tally.private_accesses;
  const int lanes = std::popcount(step.lanes);
  // What exchanges registers accesses nothing, at no address.
  if (lanes == 0 || step.access_count == 0) return;
  const auto first = static_cast<unsigned>(std::countr_zero(step.lanes));
  const bool in_memory = step.facts->port == machine::Port::kVectorMemory;
  if (in_memory) tally.lowest_address = std::min(tally.lowest_address, step.address[first]);
  if (lanes < 2) return;
  const LaneDistance distance = lane_distance(step);
  ++tally.strided_accesses;
  tally.least_stride = std::min({tally.least_stride, distance.first, distance.average});
  tally.greatest_stride = std::max({tally.greatest_stride, distance.first, distance.average});
}

}  // namespace wavetank::timing
