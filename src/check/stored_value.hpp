// Whether a store changes what is there.
#pragma once

#include <cstdint>

#include "check/group.hpp"
#include "check/lane_ranges.hpp"

namespace wavetank::check {

/// True if the lanes of a range store in [address, address + bytes) what memory holds already.
/// `base` is what the range's addresses count from: the LDS, or nullptr for memory.
bool stores_what_is_there(const Instruction& now, const LaneRange& range, std::uint64_t address,
                          unsigned bytes, const std::byte* base);

}  // namespace wavetank::check
