// In which order the operations on the streams of one device run: each stream's one after the
// other, what events make a stream wait for, and what HIP's rules for the legacy stream add.
//
//   null stream (legacy)   each operation waits for all blocking streams, and they for it
//   blocking stream        the default of hipStreamCreate
//   non-blocking stream    ordered with nothing but itself, events and device synchronisation
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

#include "hip/runtime/checked/host_order.hpp"
#include "hip/runtime/completion.hpp"
#include "hip/runtime/stream_kind.hpp"

namespace wavetank::hip {

class StreamPlace;

/// The order of one device's streams.
class StreamOrder {
 public:
  /// `checked` keeps which operation is ordered behind which; nullptr where nothing is checked.
  explicit StreamOrder(HostOrder* checked) : checked_(checked) {}

  /// Guards the order of submissions on all streams of the device.
  std::mutex& mutex() const { return mutex_; }
  HostOrder* checked() const { return checked_; }

  /// A stream of the device begins and ends. What an ended one ran counts as before, where launches
  /// are checked.
  void add(const StreamPlace& stream);
  void remove(const StreamPlace& stream);
  /// Waits for all streams.
  void synchronize();

  /// Calls visit(CompletionPtr) for the last operation of each stream that the legacy rules make
  /// `stream` wait for, whether it is done or not. The caller holds mutex().
  template <class Visit>
  void visit_implicit(const StreamPlace& stream, Visit&& visit) const;

 private:
  HostOrder* const checked_;
  mutable std::mutex mutex_;
  const StreamPlace* null_stream_ = nullptr;
  std::vector<const StreamPlace*> others_;
  /// The last operations of streams that ended since the device was waited for, where launches are
  /// checked.
  std::vector<CompletionPtr> ended_blocking_, ended_other_;
};

/// Where a stream is in the order. All but its kind and number is guarded by the order's mutex,
/// which callers of enter(), last() and awaited() hold.
class StreamPlace {
 public:
  StreamPlace(StreamOrder& order, StreamKind kind);

  StreamOrder& order() const { return order_; }
  StreamKind kind() const { return kind_; }
  /// Numbers all streams of the process from 1.
  std::uint64_t id() const { return id_; }

  /// The next operation of the stream; what it has to wait for is appended to `dependencies`.
  CompletionPtr enter(Dependencies& dependencies);
  /// The last operation, or nullptr.
  const CompletionPtr& last() const { return last_; }
  /// What the stream's synchronisation is about.
  Dependencies awaited() const;

  /// Later operations of this stream wait for `completion`.
  void wait_for(CompletionPtr completion);
  /// Where launches are checked: the next operation is ordered behind these as well.
  void join(OrderedList operations);
  /// True if all that enters from now on runs after an operation of this stream, or of one for
  /// which this stream waits by an event. Order that other streams pass on is not seen.
  bool is_behind(const Completion& operation) const;

 private:
  OrderedPtr enter_checked();
  Dependencies all_before() const;

  StreamOrder& order_;
  const StreamKind kind_;
  const std::uint64_t id_;
  CompletionPtr last_;
  OrderedList joined_;
  Dependencies waits_;
  std::uint64_t submitted_ = 0;  ///< operations so far
  /// By stream, the last operation that was waited for.
  std::map<std::uint64_t, std::uint64_t> passed_;
};

template <class Visit>
void StreamOrder::visit_implicit(const StreamPlace& stream, Visit&& visit) const {
  const auto visit_last = [&](const StreamPlace& other) {
    if (other.last() != nullptr) visit(other.last());
  };
  if (stream.kind() == StreamKind::kNonBlocking) return;
  if (stream.kind() == StreamKind::kBlocking) return visit_last(*null_stream_);
  for (const CompletionPtr& last : ended_blocking_) visit(last);
  for (const StreamPlace* other : others_) {
    if (other->kind() == StreamKind::kBlocking) visit_last(*other);
  }
}

}  // namespace wavetank::hip
