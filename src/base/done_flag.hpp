// Something that is done once, and those who wait for it.
#pragma once

#include <atomic>
#include <chrono>
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
      if (announce_sleeper()) futex_wait(word_, kSleepers);
    }
  }
  /// The same for no longer than `longest` (and the host's timer slack); whether it is set.
  bool wait_for(std::chrono::microseconds longest) const {
    const auto end = std::chrono::steady_clock::now() + longest;
    while (!done()) {
      const auto left = std::chrono::duration_cast<std::chrono::microseconds>(
          end - std::chrono::steady_clock::now());
      if (left.count() <= 0) return false;
      if (announce_sleeper()) futex_wait_for(word_, kSleepers, left);
    }
    return true;
  }
  /// Sets it and wakes who sleeps. The flag must live until this returns.
  void set() {
    if (word_.exchange(kDone, std::memory_order_acq_rel) == kSleepers) futex_wake_all(word_);
  }

 private:
  static constexpr std::uint32_t kPending = 0, kDone = 1, kSleepers = 2;

  /// Whoever sets the flag need not call the kernel if nobody sleeps. False if it is set already.
  bool announce_sleeper() const {
    std::uint32_t seen = kPending;
    return word_.compare_exchange_strong(seen, kSleepers, std::memory_order_acquire) ||
           seen == kSleepers;
  }

  mutable std::atomic<std::uint32_t> word_{kPending};
};

}  // namespace wavetank
