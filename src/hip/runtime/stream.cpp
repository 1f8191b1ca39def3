#include "hip/runtime/stream.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "hip/runtime/operation_run.hpp"
#include "hip/runtime/virtual_device.hpp"

namespace wavetank::hip {
namespace {

/// Under check operations run in the order in which they are submitted, as far as they can: what is
/// found, and told first, is then the same each time. One that waits for what the host does later
/// goes on by itself.
void wait_a_while(const Completion& completion) {
  constexpr std::chrono::seconds kLongest{2};
  if (completion.wait_for(kLongest)) return;
  completion.ordered()->order.mark_late(*completion.ordered());
}

}  // namespace

Stream::Stream(VirtualDevice& device, StreamOrder& order, StreamKind kind, unsigned flags,
               int priority)
    : device_(device), place_(order, kind), flags_(flags), priority_(priority) {
  order.add(place_);
}

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
  if (kind() == StreamKind::kBlocking) {
    count_blocking_capture((capture != nullptr) - (capture_ != nullptr));
  }
  capture_ = std::move(capture);
}

CompletionPtr Stream::submit(Operation operation) {
  const auto* const host = std::get_if<HostOperation>(&operation);
  const bool may_wait = host != nullptr && (host->calls_program || host->may_wait);
  const bool ends_by_itself = place_.order().checked() != nullptr && host == nullptr;
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
  const std::lock_guard order(place_.order().mutex());
  command.completion = place_.enter(command.dependencies);
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
    const std::lock_guard order(place_.order().mutex());
    completion = place_.enter(dependencies);
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
  run_operation(operation, device_, id());
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

CompletionPtr Stream::last() const {
  const std::lock_guard order(place_.order().mutex());
  return place_.last();
}

void Stream::synchronize() {
  Dependencies pending;
  {
    const std::lock_guard order(place_.order().mutex());
    pending = place_.awaited();
  }
  for (const auto& completion : pending) wait_on_host(*completion);
}

bool Stream::idle() const {
  const std::lock_guard order(place_.order().mutex());
  return std::ranges::all_of(place_.awaited(),
                             [](const auto& last) { return is_done_for_host(*last); });
}

}  // namespace wavetank::hip
