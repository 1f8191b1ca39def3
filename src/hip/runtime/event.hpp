// An event: remembers the end of the operation that was last when it was recorded.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>

#include "hip/runtime/completion.hpp"

namespace wavetank::hip {

class SharedEvent;
class Stream;
struct CapturePoint;
class VirtualDevice;

/// Which end of an operation an event stands for (hipExtLaunchKernel records both).
enum class EventEdge : std::uint8_t { kBegin, kEnd };

class Event {
 public:
  Event(VirtualDevice& device, unsigned flags) : device_(device), flags_(flags) {}

  VirtualDevice& device() const { return device_; }
  unsigned flags() const { return flags_; }

  /// Remembers `completion`; its begin or its end is the event's time.
  void record(CompletionPtr completion, EventEdge edge = EventEdge::kEnd);
  /// Remembers a place in a stream capture; until the next record() the event has no time.
  void record_capture(std::shared_ptr<const CapturePoint> point);
  /// The place that was recorded last in a capture that still lasts, or nullptr.
  std::shared_ptr<const CapturePoint> captured() const;
  /// What was recorded last, or nullptr.
  CompletionPtr recorded() const;
  /// True if nothing was recorded or what was recorded is done.
  bool done() const;
  /// Waits until done.
  void wait() const;
  /// What other processes see of the event, if it is shared with any.
  void share(std::shared_ptr<SharedEvent> shared);
  std::shared_ptr<SharedEvent> shared() const;
  /// Time of a recorded and finished event in nanoseconds; empty otherwise.
  std::optional<std::uint64_t> time_ns() const;

 private:
  VirtualDevice& device_;
  const unsigned flags_;
  mutable std::mutex mutex_;
  CompletionPtr completion_;
  std::shared_ptr<const CapturePoint> captured_;
  std::shared_ptr<SharedEvent> shared_;
  EventEdge edge_ = EventEdge::kEnd;
};

}  // namespace wavetank::hip
