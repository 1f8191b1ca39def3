// A stream: operations in order. Asynchronous ones run on the stream's own worker thread (made when
// the first arrives); synchronous ones run on the caller's thread in their place of the order.
//
//   null stream (legacy)   each operation waits for all blocking streams, and they for it
//   blocking stream        the default of hipStreamCreate
//   non-blocking stream    ordered with nothing but itself, events and device synchronisation
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "base/spin.hpp"
#include "hip/runtime/capture.hpp"
#include "hip/runtime/completion.hpp"
#include "hip/runtime/host_order.hpp"
#include "hip/runtime/operation.hpp"

namespace wavetank::hip {

class VirtualDevice;

/// How a stream takes part in the implicit order.
enum class StreamKind : std::uint8_t { kNull, kBlocking, kNonBlocking };

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
  Stream(VirtualDevice& device, StreamKind kind, unsigned flags, int priority);
  /// Waits for everything submitted, then ends the worker. Not to be run on the worker itself.
  ~Stream();
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  /// Appends an operation and returns at once.
  CompletionPtr submit(Operation operation);
  /// Runs an operation on this thread after all that came before it.
  CompletionPtr run(const Operation& operation, HostLearns learns = HostLearns::kYes);
  /// Later operations of this stream wait for `completion` (hipStreamWaitEvent).
  void wait_for(CompletionPtr completion);
  /// Where launches are checked: the next operation is ordered behind these as well.
  void join(OrderedList operations);
  /// True if all that is submitted from now on runs after an operation of this stream, or of one
  /// for which this stream waits by an event. Order that other streams pass on is not seen.
  bool is_behind(const Completion& operation) const;
  /// Waits until all that was submitted is done; for the null stream also all blocking streams.
  void synchronize();
  /// True if nothing submitted is unfinished (the null stream: nor on blocking streams).
  bool idle() const;
  /// True on the stream's worker thread, inside a callback.
  bool on_worker() const;
  /// The last operation, or nullptr.
  CompletionPtr last() const;
  /// The same for a caller that holds the device's order mutex.
  const CompletionPtr& last_unlocked() const { return last_; }

  VirtualDevice& device() const { return device_; }
  StreamKind kind() const { return kind_; }
  unsigned flags() const { return flags_; }
  int priority() const { return priority_; }
  std::uint64_t id() const { return id_; }
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

  CompletionPtr enter_order(Dependencies& dependencies);
  /// Appends an operation; whether nothing is left that it has to wait for.
  bool enqueue(Operation operation, CompletionPtr& completion);
  OrderedPtr enter_checked_order(std::uint64_t number);
  /// The operations that all of this stream's next ones are behind, those that are done included.
  Dependencies all_before() const;
  Dependencies awaited() const;
  void execute(const Operation& operation, const Dependencies& dependencies,
               Completion& completion);
  void work();

  VirtualDevice& device_;
  const StreamKind kind_;
  const unsigned flags_;
  const int priority_;
  const std::uint64_t id_;
  std::atomic<SynchronizationPolicy> synchronization_policy_{SynchronizationPolicy::kAuto};
  std::vector<std::uint32_t> cu_mask_;
  std::shared_ptr<Capture> capture_;

  CompletionPtr last_;           ///< guarded by the device's order mutex
  OrderedList joined_;           ///< guarded by the device's order mutex
  Dependencies waits_;           ///< guarded by the device's order mutex
  std::uint64_t submitted_ = 0;  ///< operations so far; guarded by the device's order mutex
  /// By stream, the last operation that was waited for; guarded by the device's order mutex.
  std::map<std::uint64_t, std::uint64_t> passed_;
  std::mutex queue_mutex_;
  std::condition_variable queue_filled_;
  std::deque<Command> queue_;
  std::atomic<bool> queued_{false};  ///< `queue_` has one, for who looks without the mutex
  Spin look_;
  bool stopping_ = false;
  std::thread worker_;
};

}  // namespace wavetank::hip
