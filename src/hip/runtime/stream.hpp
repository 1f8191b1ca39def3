// A stream: operations in order. Asynchronous ones run on the stream's own worker thread (made when
// the first arrives); synchronous ones run on the caller's thread in their place of the order
// (stream_order.hpp).
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "base/spin.hpp"
#include "hip/runtime/capture.hpp"
#include "hip/runtime/completion.hpp"
#include "hip/runtime/operation.hpp"
#include "hip/runtime/stream_order.hpp"

namespace wavetank::hip {

class VirtualDevice;

/// Whether the host may rely on the end of an operation that ran on its thread: by its rules it may
/// not on that of an asynchronous copy from pageable memory, which need only have been read.
enum class HostLearns : std::uint8_t { kNo, kYes };

/// hipSynchronizationPolicy: how a program would like to wait. It is remembered; all waits sleep.
enum class SynchronizationPolicy : std::int32_t {
  kAuto = 1,
  kSpin = 2,
  kYield = 3,
  kBlockingSync = 4,
};

class Stream {
 public:
  /// A stream of `device`, whose streams are ordered by `order`.
  Stream(VirtualDevice& device, StreamOrder& order, StreamKind kind, unsigned flags, int priority);
  /// Waits for everything submitted, then ends the worker. Not to be run on the worker itself.
  ~Stream();
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  /// Appends an operation and returns at once.
  CompletionPtr submit(Operation operation);
  /// Runs an operation on this thread after all that came before it.
  CompletionPtr run(const Operation& operation, HostLearns learns = HostLearns::kYes);
  /// Later operations of this stream wait for `completion` (hipStreamWaitEvent).
  void wait_for(CompletionPtr completion) { place_.wait_for(std::move(completion)); }
  /// Where launches are checked: the next operation is ordered behind these as well.
  void join(OrderedList operations) { place_.join(std::move(operations)); }
  /// StreamPlace::is_behind().
  bool is_behind(const Completion& operation) const { return place_.is_behind(operation); }
  /// The other streams of the device know it no more.
  void leave_order() { place_.order().remove(place_); }
  /// Waits until all that was submitted is done; for the null stream also all blocking streams.
  void synchronize();
  /// True if nothing submitted is unfinished (the null stream: nor on blocking streams).
  bool idle() const;
  /// True on the stream's worker thread, inside a callback.
  bool on_worker() const;
  /// The last operation, or nullptr.
  CompletionPtr last() const;

  VirtualDevice& device() const { return device_; }
  StreamKind kind() const { return place_.kind(); }
  unsigned flags() const { return flags_; }
  int priority() const { return priority_; }
  std::uint64_t id() const { return place_.id(); }
  SynchronizationPolicy synchronization_policy() const { return synchronization_policy_; }
  void set_synchronization_policy(SynchronizationPolicy policy) {
    synchronization_policy_ = policy;
  }

  /// The CU mask a program asked for, 32 CUs a word; empty: all.
  const std::vector<std::uint32_t>& cu_mask() const { return cu_mask_; }
  void set_cu_mask(std::vector<std::uint32_t> mask) { cu_mask_ = std::move(mask); }

  /// The capture that the stream takes part in; null when the stream runs normally.
  const std::shared_ptr<Capture>& capture() const { return capture_; }
  void set_capture(std::shared_ptr<Capture> capture);

 private:
  struct Command {
    Operation operation;
    Dependencies dependencies;
    CompletionPtr completion;
  };

  /// Appends an operation; whether nothing is left that it has to wait for.
  bool enqueue(Operation operation, CompletionPtr& completion);
  void execute(const Operation& operation, const Dependencies& dependencies,
               Completion& completion);
  void work();

  VirtualDevice& device_;
  StreamPlace place_;
  const unsigned flags_;
  const int priority_;
  std::atomic<SynchronizationPolicy> synchronization_policy_{SynchronizationPolicy::kAuto};
  std::vector<std::uint32_t> cu_mask_;
  std::shared_ptr<Capture> capture_;

  std::mutex queue_mutex_;
  std::condition_variable queue_filled_;
  std::deque<Command> queue_;
  std::atomic<bool> queued_{false};  ///< `queue_` has one, for who looks without the mutex
  Spin look_;
  bool stopping_ = false;
  std::thread worker_;
};

}  // namespace wavetank::hip
