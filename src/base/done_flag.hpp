// Something that is done once, and those who wait for it.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/futex.hpp"

namespace wavetank {

/// Is set once and stays set. What happened before set() is seen by whoever saw done() or waited.
class DoneFlag {
 public:
  bool done() const { return word_.load(std::memory_order_acquire) == kDone; }
  /// Sleeps in the kernel until it is set.
  void wait() const {
    while (!done()) {
      std::uint32_t seen = kPending;
      // Whoever sets the flag need not call the kernel if nobody sleeps.
      if (word_.compare_exchange_strong(seen, kSleepers, std::memory_order_acquire)) {
        seen = kSleepers;
      }
      if (seen == kSleepers) futex_wait(word_, kSleepers);
    }
  }
  /// Sets it and wakes who sleeps. The flag must live until this returns.
  void set() {
    if (word_.exchange(kDone, std::memory_order_acq_rel) == kSleepers) futex_wake_all(word_);
  }

 private:
  static constexpr std::uint32_t kPending = 0, kDone = 1, kSleepers = 2;
  mutable std::atomic<std::uint32_t> word_{kPending};
};

}  // namespace wavetank
