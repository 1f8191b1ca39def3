// Comparisons of all lanes of a register at a time.
#pragma once

#include <cstdint>

namespace wavetank::check {

/// How the lanes of one or two registers (64 dwords each) follow each other, one bit for each lane.
struct LaneSteps {
  std::uint64_t follow = 0;  ///< the lane's number is that of the lane before it plus some bytes
  std::uint64_t repeat = 0;  ///< the lane's number is that of the lane before it
};

/// Compares each lane's high:low with its predecessor's; `high` may be nullptr. Lane 0 has none.
/// Carries out of the low half are not followed.
LaneSteps lane_steps(const std::uint32_t* low, const std::uint32_t* high, std::uint32_t bytes);
/// The lanes in which two registers differ.
std::uint64_t lanes_that_differ(const std::uint32_t* a, const std::uint32_t* b);

}  // namespace wavetank::check
