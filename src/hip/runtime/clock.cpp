#include "hip/runtime/clock.hpp"

#include <chrono>

namespace wavetank::hip {
namespace {

class HostClock final : public Clock {
 public:
  std::uint64_t now_ns() override {
    const auto since_start = std::chrono::steady_clock::now().time_since_epoch();
    return static_cast<std::uint64_t>(
        std::chrono::duration_cast<std::chrono::nanoseconds>(since_start).count());
  }
};

}  // namespace

Clock& host_clock() {
  static HostClock clock;
  return clock;
}

}  // namespace wavetank::hip
