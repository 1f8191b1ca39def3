#include "hip/runtime/stream.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "hip/runtime/checker.hpp"
#include "hip/runtime/virtual_device.hpp"

namespace wavetank::hip {
namespace {

std::uint64_t next_stream_id() {
  static std::atomic<std::uint64_t> next{1};
  return next.fetch_add(1);
}

/// Under check operations run in the order in which they are submitted, as far as they can: what is
/// found, and told first, is then the same each time. One that waits for what the host does later
/// goes on by itself.
void wait_a_while(const Completion& completion) {
  constexpr std::chrono::seconds kLongest{2};
  if (completion.wait_for(kLongest)) return;
  completion.ordered()->order.mark_late(*completion.ordered());
}

}  // namespace

Stream::Stream(VirtualDevice& device, StreamKind kind, unsigned flags, int priority)
    : device_(device), kind_(kind), flags_(flags), priority_(priority), id_(next_stream_id()) {}

Stream::~Stream() {
  if (const auto capture = capture_) capture->forget(*this);
  {
    const std::lock_guard lock(queue_mutex_);
    stopping_ = true;
  }
  queue_filled_.notify_all();
  if (worker_.joinable()) worker_.join();
}

bool Stream::on_worker() const { return worker_.get_id() == std::this_thread::get_id(); }

void Stream::set_capture(std::shared_ptr<Capture> capture) {
  if (kind_ == StreamKind::kBlocking) {
    count_blocking_capture((capture != nullptr) - (capture_ != nullptr));
  }
  capture_ = std::move(capture);
}

CompletionPtr Stream::enter_order(Dependencies& dependencies) {
  auto completion = std::make_shared<Completion>();
  completion->set_place(id_, ++submitted_);
  if (device_.checker() != nullptr) completion->set_ordered(enter_checked_order(submitted_));
  if (last_ && !last_->done()) dependencies.push_back(last_);
  for (auto& wait : waits_) dependencies.push_back(std::move(wait));
  waits_.clear();
  device_.add_implicit_dependencies(*this, dependencies);
  last_ = completion;
  return completion;
}

Dependencies Stream::all_before() const {
  Dependencies before(waits_);
  if (last_ != nullptr) before.push_back(last_);
  device_.visit_implicit_dependencies(*this,
                                      [&](const CompletionPtr& last) { before.push_back(last); });
  return before;
}

/// Of the operations before, those that are done count as well.
OrderedPtr Stream::enter_checked_order(std::uint64_t number) {
  HostOrder& order = device_.checker()->order();
  GraphBranch* const branch = GraphBranch::current();
  OrderedPtr entered;
  if (branch != nullptr) {
    entered = order.enter(branch->line(), branch->next_number(), branch->behind());
    branch->behind() = {entered};
    entered->in_graph = true;
  } else {
    OrderedList behind = std::exchange(joined_, {});
    for (const CompletionPtr& earlier : all_before()) behind.push_back(earlier->ordered());
    entered = order.enter(id_, number, std::move(behind));
  }
  entered->stream = kind_ == StreamKind::kNull ? "the null stream" : fmt::format("stream {}", id_);
  return entered;
}

CompletionPtr Stream::submit(Operation operation) {
  const auto* const host = std::get_if<HostOperation>(&operation);
  const bool may_wait = host != nullptr && (host->calls_program || host->may_wait);
  const bool ends_by_itself = device_.checker() != nullptr && host == nullptr;
  CompletionPtr completion;
  const bool waits_for_nothing = enqueue(std::move(operation), completion);
  if (const OrderedPtr& ordered = completion->ordered()) {
    if (may_wait && !completion->done()) ordered->order.mark_late(*ordered);
    if (ends_by_itself && (waits_for_nothing || !ordered->order.has_late())) {
      wait_a_while(*completion);
    }
  }
  return completion;
}

bool Stream::enqueue(Operation operation, CompletionPtr& completion) {
  Command command{std::move(operation), {}, nullptr};
  const std::lock_guard order(device_.order_mutex());
  command.completion = enter_order(command.dependencies);
  completion = command.completion;
  const bool waits_for_nothing =
      std::ranges::all_of(command.dependencies, [](const auto& other) { return other->done(); });
  // A marker behind finished work needs no thread: event records in an idle stream are immediate.
  if (std::holds_alternative<MarkerOperation>(command.operation) && command.dependencies.empty()) {
    execute(command.operation, {}, *completion);
    return true;
  }
  {
    const std::lock_guard lock(queue_mutex_);
    queue_.push_back(std::move(command));
    queued_.store(true, std::memory_order_release);
    if (!worker_.joinable()) worker_ = std::thread([this] { work(); });
  }
  queue_filled_.notify_one();
  return waits_for_nothing;
}

CompletionPtr Stream::run(const Operation& operation, HostLearns learns) {
  Dependencies dependencies;
  CompletionPtr completion;
  {
    const std::lock_guard order(device_.order_mutex());
    completion = enter_order(dependencies);
  }
  if (completion->ordered() == nullptr) {
    execute(operation, dependencies, *completion);
    return completion;
  }
  const HostOrder::Pause pause(completion->ordered()->order);
  execute(operation, dependencies, *completion);
  if (learns == HostLearns::kYes) wait_on_host(*completion);
  return completion;
}

void Stream::execute(const Operation& operation, const Dependencies& dependencies,
                     Completion& completion) {
  for (const auto& dependency : dependencies) dependency->wait();
  const OrderScope scope(completion.ordered());
  completion.begin(device_.clock().now_ns());
  run_operation(operation, device_, id_);
  completion.finish(device_.clock().now_ns());
}

void Stream::work() {
  for (;;) {
    Command command;
    look_.until([this] { return queued_.load(std::memory_order_acquire); });
    {
      std::unique_lock lock(queue_mutex_);
      queue_filled_.wait(lock, [this] { return stopping_ || !queue_.empty(); });
      if (queue_.empty()) return;
      command = std::move(queue_.front());
      queue_.pop_front();
      queued_.store(!queue_.empty(), std::memory_order_relaxed);
    }
    execute(command.operation, command.dependencies, *command.completion);
  }
}

void Stream::wait_for(CompletionPtr completion) {
  const std::lock_guard order(device_.order_mutex());
  std::uint64_t& passed = passed_[completion->stream_id()];
  passed = std::max(passed, completion->number());
  waits_.push_back(std::move(completion));
}

void Stream::join(OrderedList operations) {
  const std::lock_guard order(device_.order_mutex());
  joined_ = std::move(operations);
}

bool Stream::is_behind(const Completion& operation) const {
  if (operation.stream_id() == id_) return true;
  const std::lock_guard order(device_.order_mutex());
  const auto found = passed_.find(operation.stream_id());
  return found != passed_.end() && operation.number() <= found->second;
}

CompletionPtr Stream::last() const {
  const std::lock_guard order(device_.order_mutex());
  return last_;
}

void Stream::synchronize() {
  Dependencies pending;
  {
    const std::lock_guard order(device_.order_mutex());
    pending = awaited();
  }
  for (const auto& completion : pending) wait_on_host(*completion);
}

bool Stream::idle() const {
  const std::lock_guard order(device_.order_mutex());
  return std::ranges::all_of(awaited(), [](const auto& last) { return is_done_for_host(*last); });
}

/// What the stream's synchronisation is about.
Dependencies Stream::awaited() const {
  if (kind_ == StreamKind::kNull) return all_before();
  Dependencies pending(waits_);
  if (last_ != nullptr) pending.push_back(last_);
  return pending;
}

}  // namespace wavetank::hip
