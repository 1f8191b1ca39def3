// The clock that event times come from. Functional runs read the host's; a cycle model puts
// simulated time behind the same interface.
#pragma once

#include <cstdint>

namespace wavetank::hip {

/// A monotonic clock.
class Clock {
 public:
  virtual ~Clock() = default;
  /// Nanoseconds since an arbitrary start.
  virtual std::uint64_t now_ns() = 0;
};

/// CLOCK_MONOTONIC of the host.
Clock& host_clock();

}  // namespace wavetank::hip
