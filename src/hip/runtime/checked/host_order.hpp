// Which operations are ordered before which, where launches are checked: an operation is ordered
// behind those that its stream, events and the implicit rules make it wait for, and behind all that
// the host had waited for when it submitted it. Without a checker nothing of this is kept.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "check/edges.hpp"
#include "check/operation_history.hpp"
#include "hip/runtime/checked/call_site.hpp"

namespace wavetank::dispatch {
class ListenedLaunch;
}

namespace wavetank::hip {

class Completion;
class HostOrder;

/// An operation with its place in the order. `known` is complete once it has begun.
struct OrderedOperation : check::Operation {
  explicit OrderedOperation(HostOrder& its_order) : order(its_order) {}
  HostOrder& order;
  std::uint64_t submitted = 0;  ///< numbers all operations as the host submitted them
  CallSite site;
  bool is_done = false;  ///< guarded by the order's lock
  std::string stream;    ///< "stream 3", "the null stream"
  bool in_graph = false;
  std::atomic<bool> is_late = false;  ///< it waits for what the host does later, or may
  bool runs_program = false;          ///< its thread is in a function of the program
  bool tells_host = false;  ///< a kernel that makes its stores visible to the host while it runs
  std::shared_ptr<const dispatch::ListenedLaunch> launch = {};  ///< of a kernel that has run
  /// What it is ordered behind, until it begins.
  std::vector<std::shared_ptr<const OrderedOperation>> behind = {};
};
using OrderedPtr = std::shared_ptr<OrderedOperation>;
using OrderedList = std::vector<std::shared_ptr<const OrderedOperation>>;

/// The order that a graph gives to what one of its nodes does: other than that of the stream on
/// which the nodes run one after the other. Holds for what this thread submits in its lifetime.
class GraphBranch {
 public:
  /// The next operation is behind `behind`; each behind the one before. `line` is the branch's.
  GraphBranch(std::uint64_t line, std::uint64_t& number, OrderedList behind);
  ~GraphBranch();
  GraphBranch(const GraphBranch&) = delete;
  GraphBranch& operator=(const GraphBranch&) = delete;
  /// The branch that this thread submits for, or nullptr.
  static GraphBranch* current();

  std::uint64_t line() const { return line_; }
  std::uint64_t next_number() { return ++number_; }
  /// What the next operation is behind.
  OrderedList& behind() { return behind_; }

 private:
  const std::uint64_t line_;
  std::uint64_t& number_;
  OrderedList behind_;
};

/// The operation that this thread executes, in this object's lifetime.
class OrderScope {
 public:
  explicit OrderScope(OrderedPtr operation);
  ~OrderScope();
  OrderScope(const OrderScope&) = delete;
  OrderScope& operator=(const OrderScope&) = delete;
  /// The operation, or nullptr.
  static const OrderedPtr& current();

 private:
  OrderedPtr before_;
};

/// All threads of the host count as one, as they may have told each other anything: what one has
/// waited for, all know.
class HostOrder {
 public:
  /// Numbers that no other line of operations has. Lines of streams are their ids.
  static constexpr std::uint64_t kHostLine = 0;
  std::uint64_t new_line() { return kFirstLine + lines_.fetch_add(1); }

  /// An operation that the host submits now, the `number`th of its line.
  OrderedPtr enter(std::uint64_t line, std::uint64_t number, OrderedList behind);
  /// The host has seen that an operation is done.
  void learn(const OrderedOperation& operation);
  /// What the host knows to be done.
  check::OrderClock known() const;
  /// An access of the host, now.
  OrderedPtr enter_host_access(const CallSite& site);
  /// An access of a function of the program that runs in a stream or graph: ordered as that is.
  OrderedPtr enter_function_access(const OrderedOperation& function, const CallSite& site);
  /// Called whenever the host knows more.
  void set_learned(std::function<void()> learned) { learned_ = std::move(learned); }
  /// True if of all that was submitted only one operation, or none, is not done.
  bool is_alone() const { return under_way_.load() <= 1; }
  bool is_idle() const { return under_way_.load() == 0; }
  /// An operation may take as long as the host likes.
  void mark_late(OrderedOperation& operation);
  /// True if there is one that is not done.
  bool has_late() const { return late_.load() != 0; }

  /// An operation begins: all that it is ordered behind is done.
  void begin(OrderedOperation& operation);
  void finish(OrderedOperation& operation);
  /// Operations are to wait for each other so, as if the program said it. To be called before any.
  void set_orders(std::vector<check::OperationOrder> orders) { orders_ = std::move(orders); }
  /// A stream wrote a word for others to wait for.
  void publish(const OrderedOperation& operation, const void* word);
  /// A stream has waited for a word: it is ordered behind who wrote it. If that was no stream, then
  /// behind all that is done, since a kernel or the host may have been told of anything.
  void learn_from(OrderedOperation& operation, const void* word);

  /// Called before a function of the program runs in a stream. It may tell the host's threads that
  /// all before it is done, in ways that are not seen. So it runs late: when the host waits, or has
  /// called nothing for a while, which may mean that it waits for the function.
  void wait_for_host_to_pause() const;
  /// The host has asked whether something is done.
  void note_query() { ++queries_; }
  /// The host waits for operations to end.
  class Pause {
   public:
    explicit Pause(HostOrder& order) : order_(order) { ++order_.pauses_; }
    ~Pause() { --order_.pauses_; }
    Pause(const Pause&) = delete;
    Pause& operator=(const Pause&) = delete;

   private:
    HostOrder& order_;
  };

 private:
  static constexpr std::uint64_t kFirstLine = std::uint64_t{1} << 32;
  void note_call();
  void note_ordered(const OrderedPtr& operation);
  void wait_as_ordered(OrderedOperation& operation);

  std::atomic<std::uint64_t> lines_{0};
  std::atomic<std::uint64_t> under_way_{0};
  std::atomic<std::uint64_t> late_{0};
  std::atomic<unsigned> pauses_{0};
  std::atomic<std::uint64_t> queries_{0};
  std::atomic<std::int64_t> last_call_ns_{0};
  std::function<void()> learned_;
  mutable std::mutex mutex_;
  check::OrderClock host_, finished_;
  std::uint64_t submitted_ = 0;
  std::uint64_t host_accesses_ = 0;
  std::map<const void*, check::OrderClock> words_;
  std::vector<check::OperationOrder> orders_;
  /// The operations of each place that others are to wait for, as submitted.
  std::map<std::string, std::vector<OrderedPtr>> ordered_;
  std::condition_variable done_;
};

/// Waits on a thread of the host, which then knows that the operation is done.
void wait_on_host(const Completion& completion);
/// The host asks whether the operation is done; if it is, the host knows.
bool is_done_for_host(const Completion& completion);

}  // namespace wavetank::hip
