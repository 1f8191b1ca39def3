#include "hip/runtime/capture.hpp"

#include <algorithm>
#include <mutex>

#include "hip/abi/generation.hpp"
namespace wavetank::hip {
namespace {

using abi::Status;

struct ActiveCaptures {
  std::mutex mutex;
  std::vector<std::shared_ptr<Capture>> all;
  std::atomic<int> count{0};  ///< of `all`: most processes never capture
  std::atomic<int> blocking_streams{0};
};

ActiveCaptures& active() {
  static auto* captures = new ActiveCaptures;
  return *captures;
}

thread_local CaptureMode mode_of_thread = CaptureMode::kGlobal;

/// Invalidates the captures that `objects` picks; true if there are any.
template <class Predicate>
bool invalidate_where(Predicate objects) {
  ActiveCaptures& captures = active();
  if (captures.count.load() == 0) return false;
  const std::lock_guard lock(captures.mutex);
  bool any = false;
  for (const auto& capture : captures.all) {
    if (!objects(*capture)) continue;
    capture->invalidate();
    any = true;
  }
  return any;
}

bool is_of_this_thread(const Capture& capture) {
  return capture.mode() != CaptureMode::kRelaxed && capture.thread() == std::this_thread::get_id();
}

}  // namespace

void Capture::invalidate() {
  CaptureStatus expected = CaptureStatus::kActive;
  status_.compare_exchange_strong(expected, CaptureStatus::kInvalidated);
}

void add_capture(const std::shared_ptr<Capture>& capture) {
  const std::lock_guard lock(active().mutex);
  active().all.push_back(capture);
  ++active().count;
}

void remove_capture(const Capture& capture) {
  const std::lock_guard lock(active().mutex);
  const auto removed =
      std::erase_if(active().all, [&](const auto& known) { return known.get() == &capture; });
  active().count -= static_cast<int>(removed);
}

void exchange_capture_mode(CaptureMode& mode) { std::swap(mode, mode_of_thread); }

Status check_unsafe_call() {
  if (mode_of_thread == CaptureMode::kRelaxed) return Status::kSuccess;
  if (invalidate_where(is_of_this_thread)) return Status::kStreamCaptureUnsupported;
  if (mode_of_thread == CaptureMode::kThreadLocal) return Status::kSuccess;
  const bool any =
      invalidate_where([](const Capture& other) { return other.mode() == CaptureMode::kGlobal; });
  return any ? Status::kStreamCaptureUnsupported : Status::kSuccess;
}

Status check_device_synchronize() {
  const bool any = invalidate_where([](const Capture&) { return true; });
  return any ? Status::kStreamCaptureUnsupported : Status::kSuccess;
}

Status check_legacy_stream(StreamKind kind, bool blocking) {
  if (kind != StreamKind::kNull) return Status::kSuccess;
  const bool implicit = abi::generation.major >= 7 && blocking_stream_captures();
  if (!blocking && !implicit) return Status::kSuccess;
  const bool any = invalidate_where([](const Capture&) { return true; });
  return any ? Status::kStreamCaptureImplicit : Status::kSuccess;
}

Status check_stream_wait(StreamKind kind, Capture* capture) {
  if (kind == StreamKind::kNull) return Status::kSuccess;
  if (capture != nullptr) {
    capture->invalidate();
    return Status::kStreamCaptureUnsupported;
  }
  return check_unsafe_call();
}

bool blocking_stream_captures() { return active().blocking_streams.load() != 0; }

void count_blocking_capture(int change) { active().blocking_streams += change; }

}  // namespace wavetank::hip
