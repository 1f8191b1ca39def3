// Where the lanes of a memory instruction go: a number for each of them, or the registers that say
// so, for whoever looks before the instruction runs and mostly needs no single one.
#pragma once

#include <array>
#include <cstdint>

namespace wavetank::machine {

class LaneAddresses {
 public:
  /// The lane's byte address: of the device, or into LDS.
  std::uint64_t operator[](unsigned lane) const {
    if (low_ == nullptr) return each_[lane];
    const std::uint64_t high = high_ == nullptr ? 0 : std::uint64_t{high_[lane]} << 32;
    return ((high | low_[lane]) + base_) & mask_;
  }
  /// A place for a lane's address, where no registers are referred to.
  std::uint64_t& slot(unsigned lane) { return each_[lane]; }
  /// Takes the addresses from 64 dwords of registers each: (high:low + base) & mask, where `high`
  /// may be nullptr. They have to keep their values as long as this is read.
  void refer(const std::uint32_t* low, const std::uint32_t* high, std::uint64_t base,
             std::uint64_t mask = ~std::uint64_t{0}) {
    low_ = low;
    high_ = high;
    base_ = base;
    mask_ = mask;
  }
  /// Reads the registers, which may change from now on.
  void settle() {
    if (low_ == nullptr) return;
    // What is the same for all lanes is asked once, so that the host takes several lanes at a time.
    const std::uint32_t *const low = low_, *const high = high_;
    const std::uint64_t base = base_, mask = mask_;
    if (high == nullptr) {
      for (unsigned lane = 0; lane < 64; ++lane) each_[lane] = (low[lane] + base) & mask;
    } else {
      for (unsigned lane = 0; lane < 64; ++lane) {
        each_[lane] = ((std::uint64_t{high[lane]} << 32 | low[lane]) + base) & mask;
      }
    }
    low_ = nullptr;
  }
  /// The registers referred to; nullptr: none.
  const std::uint32_t* low() const { return low_; }
  const std::uint32_t* high() const { return high_; }
  /// What is added to them.
  std::uint64_t base() const { return base_; }

 private:
  const std::uint32_t* low_ = nullptr;
  const std::uint32_t* high_ = nullptr;
  std::uint64_t base_ = 0, mask_ = ~std::uint64_t{0};
  std::array<std::uint64_t, 64> each_;  // not set: most of a wave's instructions need none of it
};

}  // namespace wavetank::machine
