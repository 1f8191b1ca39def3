// HIP API: events.
#include <memory>
#include <mutex>
#include <unordered_set>

#include "hip/api/entry.hpp"
#include "hip/runtime/capture.hpp"
#include "hip/runtime/event.hpp"
#include "hip/runtime/handles.hpp"
#include "hip/runtime/memory/memory_pool.hpp"
#include "hip/runtime/transfer.hpp"

using namespace wavetank::hip;
using abi::Status;

namespace {

constexpr unsigned kKnownEventFlags = abi::kEventBlockingSync | abi::kEventDisableTiming |
                                      abi::kEventInterprocess | abi::kEventDisableSystemFence |
                                      abi::kEventReleaseToDevice | abi::kEventReleaseToSystem;

Status create_event(Event** event, unsigned flags) {
  return api::call_with_device([&](VirtualDevice& device) {
    if (event == nullptr || (flags & ~kKnownEventFlags) != 0) return Status::kInvalidValue;
    const unsigned scopes = abi::kEventReleaseToDevice | abi::kEventReleaseToSystem;
    if ((flags & scopes) == scopes) return Status::kInvalidValue;
    const bool timed = (flags & abi::kEventDisableTiming) == 0;
    if ((flags & abi::kEventInterprocess) != 0 && timed) return Status::kInvalidValue;
    *event = event_handles().add(std::make_unique<Event>(device, flags));
    return Status::kSuccess;
  });
}

Status record_event(Event* event, void* stream_handle, bool external = false) {
  return api::call_with_stream(stream_handle, [&](Stream& stream) {
    if (event == nullptr) return Status::kInvalidHandle;
    if (!event_handles().contains(event)) return Status::kContextIsDestroyed;
    if (&event->device() != &stream.device()) return Status::kInvalidHandle;
    return record(stream, *event, external);
  });
}

/// The host may not wait for an event of a capture: that invalidates the capture.
bool refuse_captured(const Event& event) {
  const auto point = event.captured();
  if (point == nullptr) return false;
  if (const auto capture = point->capture.lock()) capture->invalidate();
  return true;
}

bool is_timed(const Event& event) { return (event.flags() & abi::kEventDisableTiming) == 0; }

}  // namespace

WAVETANK_API Status hipEventCreate(Event** event) { return create_event(event, 0); }

WAVETANK_API Status hipEventCreateWithFlags(Event** event, unsigned flags) {
  return create_event(event, flags);
}

WAVETANK_API Status hipEventDestroy(Event* event) {
  return api::call([&] {
    if (event == nullptr) return Status::kInvalidHandle;
    return event_handles().remove(event) ? Status::kSuccess : Status::kContextIsDestroyed;
  });
}

WAVETANK_API Status hipEventRecord(Event* event, void* stream) {
  return record_event(event, stream);
}

WAVETANK_API Status hipEventRecord_spt(Event* event, void* stream) {
  return record_event(event, api::per_thread_handle(stream));
}

WAVETANK_API Status hipEventRecordWithFlags(Event* event, void* stream, unsigned flags) {
  if (flags > 1) return api::remember(Status::kInvalidValue);
  return record_event(event, stream, flags != 0);
}

WAVETANK_API Status hipEventSynchronize(Event* event) {
  return api::call([&] {
    if (event == nullptr) return Status::kInvalidHandle;
    if (!event_handles().contains(event)) return Status::kContextIsDestroyed;
    if (refuse_captured(*event)) return Status::kCapturedEvent;
    event->wait();
    trim_pools(event->device());
    return event->device().sticky_status();
  });
}

WAVETANK_API Status hipEventQuery(Event* event) {
  return api::call([&] {
    if (event == nullptr) return Status::kInvalidHandle;
    if (!event_handles().contains(event)) return Status::kContextIsDestroyed;
    if (refuse_captured(*event)) return Status::kCapturedEvent;
    return event->done() ? event->device().sticky_status() : Status::kNotReady;
  });
}

WAVETANK_API Status hipEventElapsedTime(float* milliseconds, Event* start, Event* stop) {
  return api::call([&] {
    if (milliseconds == nullptr) return Status::kInvalidValue;
    auto& handles = event_handles();
    if (start == nullptr || stop == nullptr) return Status::kInvalidHandle;
    if (!handles.contains(start) || !handles.contains(stop)) return Status::kContextIsDestroyed;
    if (!is_timed(*start) || !is_timed(*stop)) return Status::kInvalidHandle;
    if (&start->device() != &stop->device()) return Status::kInvalidHandle;
    if (start->recorded() == nullptr || stop->recorded() == nullptr) return Status::kInvalidHandle;
    const auto begin = start->time_ns();
    const auto end = stop->time_ns();
    if (!begin || !end) return Status::kNotReady;
    constexpr double kNanosecondsPerMillisecond = 1e6;
    *milliseconds = static_cast<float>((static_cast<double>(*end) - static_cast<double>(*begin)) /
                                       kNanosecondsPerMillisecond);
    return Status::kSuccess;
  });
}
