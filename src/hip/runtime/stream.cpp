#include "hip/runtime/stream.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

#include "hip/runtime/virtual_device.hpp"

namespace wavetank::hip {
namespace {

std::uint64_t next_stream_id() {
  static std::atomic<std::uint64_t> next{1};
  return next.fetch_add(1);
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
  if (last_ && !last_->done()) dependencies.push_back(last_);
  for (auto& wait : waits_) dependencies.push_back(std::move(wait));
  waits_.clear();
  device_.add_implicit_dependencies(*this, dependencies);
  last_ = completion;
  return completion;
}

CompletionPtr Stream::submit(Operation operation) {
  Command command{std::move(operation), {}, nullptr};
  const std::lock_guard order(device_.order_mutex());
  command.completion = enter_order(command.dependencies);
  CompletionPtr completion = command.completion;
  // A marker behind finished work needs no thread: event records in an idle stream are immediate.
  if (std::holds_alternative<MarkerOperation>(command.operation) && command.dependencies.empty()) {
    execute(command.operation, {}, *completion);
    return completion;
  }
  {
    const std::lock_guard lock(queue_mutex_);
    queue_.push_back(std::move(command));
    queued_.store(true, std::memory_order_release);
    if (!worker_.joinable()) worker_ = std::thread([this] { work(); });
  }
  queue_filled_.notify_one();
  return completion;
}

CompletionPtr Stream::run(const Operation& operation) {
  Dependencies dependencies;
  CompletionPtr completion;
  {
    const std::lock_guard order(device_.order_mutex());
    completion = enter_order(dependencies);
  }
  execute(operation, dependencies, *completion);
  return completion;
}

void Stream::execute(const Operation& operation, const Dependencies& dependencies,
                     Completion& completion) {
  for (const auto& dependency : dependencies) dependency->wait();
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
    if (last_) pending.push_back(last_);
    pending.insert(pending.end(), waits_.begin(), waits_.end());
    if (kind_ == StreamKind::kNull) device_.add_implicit_dependencies(*this, pending);
  }
  for (const auto& completion : pending) completion->wait();
}

bool Stream::idle() const {
  Dependencies pending;
  const std::lock_guard order(device_.order_mutex());
  if (last_) pending.push_back(last_);
  pending.insert(pending.end(), waits_.begin(), waits_.end());
  if (kind_ == StreamKind::kNull) device_.add_implicit_dependencies(*this, pending);
  for (const auto& completion : pending) {
    if (!completion->done()) return false;
  }
  return true;
}

}  // namespace wavetank::hip
