// The end of one operation: what streams order themselves by, and what events remember.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

namespace wavetank::hip {

/// Becomes done once, and stays done. Waiters sleep in the kernel (futex).
class Completion {
 public:
  bool done() const { return state_.load(std::memory_order_acquire) != 0; }
  void wait() const {
    while (!done()) state_.wait(0, std::memory_order_acquire);
  }
  /// Marks the operation as begun; `now_ns` is the device clock's.
  void begin(std::uint64_t now_ns) { begin_ns_ = now_ns; }
  /// Marks it as done and wakes the waiters.
  void finish(std::uint64_t now_ns) {
    end_ns_ = now_ns;
    state_.store(1, std::memory_order_release);
    state_.notify_all();
  }
  /// Valid once done.
  std::uint64_t begin_ns() const { return begin_ns_; }
  std::uint64_t end_ns() const { return end_ns_; }

 private:
  std::atomic<std::int32_t> state_{0};
  std::uint64_t begin_ns_ = 0;
  std::uint64_t end_ns_ = 0;
};

using CompletionPtr = std::shared_ptr<Completion>;
using Dependencies = std::vector<CompletionPtr>;

}  // namespace wavetank::hip
