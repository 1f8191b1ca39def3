#include "hip/runtime/event.hpp"

#include <utility>

#include "hip/runtime/capture.hpp"
#include "hip/runtime/checked/host_order.hpp"
#include "hip/runtime/shared_event.hpp"

namespace wavetank::hip {

void Event::record(CompletionPtr completion, EventEdge edge) {
  const std::lock_guard lock(mutex_);
  completion_ = std::move(completion);
  edge_ = edge;
  captured_ = nullptr;
}

void Event::record_capture(std::shared_ptr<const CapturePoint> point) {
  const std::lock_guard lock(mutex_);
  captured_ = std::move(point);
}

std::shared_ptr<const CapturePoint> Event::captured() const {
  const std::lock_guard lock(mutex_);
  if (captured_ == nullptr) return nullptr;
  const auto capture = captured_->capture.lock();
  const bool lasts = capture != nullptr && capture->status() != CaptureStatus::kNone;
  return lasts ? captured_ : nullptr;
}

CompletionPtr Event::recorded() const {
  const std::lock_guard lock(mutex_);
  return completion_;
}

void Event::share(std::shared_ptr<SharedEvent> shared) {
  const std::lock_guard lock(mutex_);
  shared_ = std::move(shared);
}

std::shared_ptr<SharedEvent> Event::shared() const {
  const std::lock_guard lock(mutex_);
  return shared_;
}

bool Event::done() const {
  if (const auto shared_state = shared()) return shared_state->done(shared_state->recorded());
  const CompletionPtr completion = recorded();
  return completion == nullptr || is_done_for_host(*completion);
}

void Event::wait() const {
  if (const auto shared_state = shared()) return shared_state->wait(shared_state->recorded());
  if (const CompletionPtr completion = recorded()) wait_on_host(*completion);
}

std::optional<std::uint64_t> Event::time_ns() const {
  const std::lock_guard lock(mutex_);
  if (completion_ == nullptr || !is_done_for_host(*completion_)) return std::nullopt;
  return edge_ == EventEdge::kBegin ? completion_->begin_ns() : completion_->end_ns();
}

}  // namespace wavetank::hip
