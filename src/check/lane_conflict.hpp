// Lanes of one store that write different values to the same bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "check/group.hpp"

namespace wavetank::check {

struct LaneConflict {
  unsigned first = 0, second = 0;  ///< the lanes
  std::uint64_t address = 0;       ///< the first byte that they disagree on
};

/// Looks whether lanes of a plain store disagree: which of them wins is not defined (CDNA3 ISA
/// guide, LDS and memory instructions name no order of lanes). `ranges` are those of the `lanes`.
std::optional<LaneConflict> find_lane_conflict(const Instruction& now, std::uint64_t lanes,
                                               const std::vector<LaneRange>& ranges);

}  // namespace wavetank::check
