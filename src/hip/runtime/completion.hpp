// The end of one operation: what streams order themselves by, and what events remember.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "base/done_flag.hpp"
#include "base/spin.hpp"

namespace wavetank::hip {

struct OrderedOperation;

/// Becomes done once, and stays done. Waiters look for a moment, then sleep in the kernel.
class Completion {
 public:
  bool done() const { return done_.done(); }
  void wait() const {
    static constinit Spin spin;
    if (spin.until([this] { return done(); })) return;
    done_.wait();
  }
  /// Waits no longer than `longest`; whether it is done.
  bool wait_for(std::chrono::microseconds longest) const {
    static constinit Spin spin;
    return spin.until([this] { return done(); }) || done_.wait_for(longest);
  }
  /// Says which operation it is: number `number` of a stream. Called before others see it.
  void set_place(std::uint64_t stream_id, std::uint64_t number) {
    stream_id_ = stream_id;
    number_ = number;
  }
  std::uint64_t stream_id() const { return stream_id_; }
  std::uint64_t number() const { return number_; }
  /// The operation's place in the order, where launches are checked; called as set_place().
  void set_ordered(std::shared_ptr<OrderedOperation> ordered) { ordered_ = std::move(ordered); }
  const std::shared_ptr<OrderedOperation>& ordered() const { return ordered_; }
  /// Marks the operation as begun; `now_ns` is the device clock's.
  void begin(std::uint64_t now_ns) { begin_ns_ = now_ns; }
  /// Marks it as done and wakes the waiters.
  void finish(std::uint64_t now_ns) {
    end_ns_ = now_ns;
    done_.set();
  }
  /// Valid once done.
  std::uint64_t begin_ns() const { return begin_ns_; }
  std::uint64_t end_ns() const { return end_ns_; }

 private:
  DoneFlag done_;
  std::uint64_t stream_id_ = 0;
  std::uint64_t number_ = 0;
  std::uint64_t begin_ns_ = 0;
  std::uint64_t end_ns_ = 0;
  std::shared_ptr<OrderedOperation> ordered_;
};

using CompletionPtr = std::shared_ptr<Completion>;
using Dependencies = std::vector<CompletionPtr>;

}  // namespace wavetank::hip
