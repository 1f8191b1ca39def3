// Devices at other clocks than their highest.
#pragma once

#include "base/error.hpp"
#include "target/device.hpp"

namespace wavetank::target {

/// The device as it runs under a sustained load, at compute.sustained_clock. What lies beyond the
/// L2 has clocks of its own and keeps its pace: its cycles, which are counted in engine clocks,
/// become fewer, its bytes per cycle more. Errors: kBadDevice if no such clock is known.
Result<Device> at_sustained_clock(Device device);

}  // namespace wavetank::target
