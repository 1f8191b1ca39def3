#include "hip/runtime/checked/host_order.hpp"

#include <algorithm>
#include <thread>
#include <utility>

#include "hip/runtime/completion.hpp"

namespace wavetank::hip {
namespace {

thread_local GraphBranch* current_branch = nullptr;
thread_local OrderedPtr current_operation;

std::int64_t now_ns() { return std::chrono::steady_clock::now().time_since_epoch().count(); }

}  // namespace

GraphBranch::GraphBranch(std::uint64_t line, std::uint64_t& number, OrderedList behind)
    : line_(line), number_(number), behind_(std::move(behind)) {
  current_branch = this;
}
GraphBranch::~GraphBranch() { current_branch = nullptr; }
GraphBranch* GraphBranch::current() { return current_branch; }

OrderScope::OrderScope(OrderedPtr operation)
    : before_(std::exchange(current_operation, std::move(operation))) {
  if (current_operation != nullptr) current_operation->order.begin(*current_operation);
}
OrderScope::~OrderScope() {
  if (current_operation != nullptr) current_operation->order.finish(*current_operation);
  current_operation = std::move(before_);
}
const OrderedPtr& OrderScope::current() { return current_operation; }

void HostOrder::note_call() { last_call_ns_.store(now_ns(), std::memory_order_relaxed); }

OrderedPtr HostOrder::enter(std::uint64_t line, std::uint64_t number, OrderedList behind) {
  auto operation = std::make_shared<OrderedOperation>(*this);
  operation->line = line;
  operation->number = number;
  operation->behind = std::move(behind);
  operation->site = current_call_site();
  note_call();
  ++under_way_;
  const std::lock_guard lock(mutex_);
  operation->known = host_;
  operation->submitted = ++submitted_;
  note_ordered(operation);
  return operation;
}

OrderedPtr HostOrder::enter_host_access(const CallSite& site) {
  auto operation = std::make_shared<OrderedOperation>(*this);
  operation->site = site;
  {
    const std::lock_guard lock(mutex_);
    operation->line = kHostLine;
    operation->number = ++host_accesses_;
    operation->known = host_;
    operation->submitted = ++submitted_;
    host_.learn(kHostLine, host_accesses_);
    operation->is_done = true;
    note_ordered(operation);
  }
  const Pause pause(*this);
  wait_as_ordered(*operation);
  return operation;
}

/// For holders of the lock.
void HostOrder::note_ordered(const OrderedPtr& operation) {
  if (orders_.empty()) return;
  const std::string name = name_of(operation->site);
  const bool wanted =
      std::ranges::any_of(orders_, [&](const auto& order) { return order.first == name; });
  if (wanted) ordered_[name].push_back(operation);
}

/// Waits for what the operation is to be behind, though not for long: the one may wait for the
/// other in ways that are not seen here, and then the order is no remedy.
void HostOrder::wait_as_ordered(OrderedOperation& operation) {
  if (orders_.empty()) return;
  constexpr std::chrono::seconds kLongest{5};
  const std::string name = name_of(operation.site);
  std::unique_lock lock(mutex_);
  for (const auto& [first, second] : orders_) {
    if (second != name) continue;
    const std::vector<OrderedPtr> all = ordered_[first];
    const auto before = std::ranges::find_if(all.rbegin(), all.rend(), [&](const OrderedPtr& one) {
      return one->submitted < operation.submitted;
    });
    if (before == all.rend()) continue;
    const OrderedOperation& earlier = **before;
    if (!done_.wait_for(lock, kLongest, [&] { return earlier.is_done; })) continue;
    operation.known.learn(earlier.known);
    operation.known.learn(earlier.line, earlier.number);
    if (operation.line != kHostLine) continue;
    host_.learn(earlier.known);
    host_.learn(earlier.line, earlier.number);
  }
}

OrderedPtr HostOrder::enter_function_access(const OrderedOperation& function,
                                            const CallSite& site) {
  auto operation = std::make_shared<OrderedOperation>(*this);
  operation->site = site;
  operation->site.function = "a function of the program";
  operation->line = function.line;
  operation->number = function.number;
  operation->known = function.known;
  operation->submitted = function.submitted;
  operation->stream = function.stream;
  return operation;
}

void HostOrder::learn(const OrderedOperation& operation) {
  note_call();
  {
    const std::lock_guard lock(mutex_);
    host_.learn(operation.known);
    host_.learn(operation.line, operation.number);
  }
  if (learned_) learned_();
}

check::OrderClock HostOrder::known() const {
  const std::lock_guard lock(mutex_);
  return host_;
}

void HostOrder::begin(OrderedOperation& operation) {
  for (const auto& earlier : operation.behind) {
    operation.known.learn(earlier->known);
    operation.known.learn(earlier->line, earlier->number);
  }
  operation.behind.clear();
  wait_as_ordered(operation);
}

void HostOrder::mark_late(OrderedOperation& operation) {
  if (!operation.is_late.exchange(true)) ++late_;
}

void HostOrder::finish(OrderedOperation& operation) {
  if (operation.is_late.exchange(true)) --late_;
  --under_way_;
  const std::lock_guard lock(mutex_);
  finished_.learn(operation.known);
  finished_.learn(operation.line, operation.number);
  operation.is_done = true;
  if (!orders_.empty()) done_.notify_all();
}

void HostOrder::publish(const OrderedOperation& operation, const void* word) {
  const std::lock_guard lock(mutex_);
  check::OrderClock& clock = words_[word];
  clock.learn(operation.known);
  clock.learn(operation.line, operation.number);
}

void HostOrder::learn_from(OrderedOperation& operation, const void* word) {
  const std::lock_guard lock(mutex_);
  const auto published = words_.find(word);
  operation.known.learn(published == words_.end() ? finished_ : published->second);
  if (published == words_.end()) operation.known.learn(host_);
}

void HostOrder::wait_for_host_to_pause() const {
  constexpr std::chrono::nanoseconds kPause = std::chrono::milliseconds(10);
  const std::uint64_t queries = queries_.load();
  while (pauses_.load() == 0 && queries_.load() == queries &&
         now_ns() - last_call_ns_.load(std::memory_order_relaxed) < kPause.count()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

void wait_on_host(const Completion& completion) {
  const OrderedPtr& ordered = completion.ordered();
  if (ordered == nullptr) return completion.wait();
  const HostOrder::Pause pause(ordered->order);
  completion.wait();
  ordered->order.learn(*ordered);
}

bool is_done_for_host(const Completion& completion) {
  const bool done = completion.done();
  const OrderedPtr& ordered = completion.ordered();
  if (ordered == nullptr) return done;
  ordered->order.note_query();
  if (done) ordered->order.learn(*ordered);
  return done;
}

}  // namespace wavetank::hip
