// HIP API: streams.
#include <algorithm>
#include <functional>
#include <vector>

#include "hip/api/entry.hpp"
#include "hip/runtime/event.hpp"
#include "hip/runtime/handles.hpp"
#include "hip/runtime/memory/memory_pool.hpp"
#include "hip/runtime/transfer.hpp"

using namespace wavetank::hip;
using abi::Status;

namespace {

// Priorities as on AMD Instinct: high -1, normal 0, low 1.
constexpr int kHighestPriority = -1;
constexpr int kLowestPriority = 1;

using StreamCallback = void (*)(void* stream, Status status, void* user_data);
using HostFunction = void (*)(void* user_data);

/// The bits of a mask's word that stand for CUs of a device that has `cus`.
std::uint32_t present_cus(std::uint32_t cus, std::uint32_t word) {
  const std::uint32_t left = cus > word * 32 ? std::min(cus - word * 32, 32u) : 0;
  return left == 32 ? ~0u : (1u << left) - 1;
}

Status create_stream(Stream** stream, unsigned flags, int priority) {
  return api::call_with_device([&](VirtualDevice& device) {
    if (stream == nullptr) return Status::kInvalidValue;
    if (flags != abi::kStreamDefault && flags != abi::kStreamNonBlocking) {
      return Status::kInvalidValue;
    }
    const StreamKind kind =
        flags == abi::kStreamNonBlocking ? StreamKind::kNonBlocking : StreamKind::kBlocking;
    *stream = Runtime::instance().streams(device).create(
        kind, flags, std::clamp(priority, kHighestPriority, kLowestPriority));
    return Status::kSuccess;
  });
}

/// The null stream cannot be told apart by its object from a handle 0 that the program passed, so
/// callbacks get the handle itself.
Status add_callback(void* handle, StreamCallback callback, void* user_data, unsigned flags) {
  return api::call_with_stream(handle, [&](Stream& stream) {
    if (callback == nullptr || flags != 0) return Status::kInvalidValue;
    VirtualDevice& device = stream.device();
    HostOperation operation;
    operation.calls_program = true;
    operation.call = [=, &device] { callback(handle, device.sticky_status(), user_data); };
    return submit_operation(stream, std::move(operation), Blocking::kNo);
  });
}

Status wait_event(void* handle, Event* event, unsigned flags) {
  return api::call_with_valid_stream(handle, [&](Stream& stream) {
    if (event == nullptr) return Status::kInvalidHandle;
    if (flags > 1) return Status::kInvalidValue;
    if (!event_handles().contains(event)) return Status::kContextIsDestroyed;
    return wait_for_event(stream, *event, flags != 0);
  });
}

Status query(void* handle) {
  return api::call_with_stream(handle, [](Stream& stream) {
    const Status status = check_stream_wait(stream.kind(), stream.capture().get());
    if (status != Status::kSuccess) return status;
    return stream.idle() ? stream.device().sticky_status() : Status::kNotReady;
  });
}

Status synchronize(void* handle) {
  return api::call_with_stream(handle, [](Stream& stream) {
    const Status status = check_stream_wait(stream.kind(), stream.capture().get());
    if (status != Status::kSuccess) return status;
    stream.synchronize();
    trim_pools(stream.device());
    return stream.device().sticky_status();
  });
}

Status stream_flags(void* handle, unsigned* flags) {
  return api::call_with_stream(handle, [&](Stream& stream) {
    if (flags == nullptr) return Status::kInvalidValue;
    *flags = stream.flags();
    return Status::kSuccess;
  });
}

Status stream_priority(void* handle, int* priority) {
  return api::call_with_stream(handle, [&](Stream& stream) {
    if (priority == nullptr) return Status::kInvalidValue;
    *priority = stream.priority();
    return Status::kSuccess;
  });
}

Status launch_host_function(void* handle, HostFunction function, void* user_data) {
  return api::call_with_stream(handle, [&](Stream& stream) {
    if (function == nullptr) return Status::kInvalidValue;
    HostOperation operation{HostCall{function, user_data}, {}, true};
    return submit_operation(stream, std::move(operation), Blocking::kNo);
  });
}

}  // namespace

WAVETANK_API Status hipStreamCreate(Stream** stream) { return create_stream(stream, 0, 0); }

WAVETANK_API Status hipStreamCreateWithFlags(Stream** stream, unsigned flags) {
  return create_stream(stream, flags, 0);
}

WAVETANK_API Status hipStreamCreateWithPriority(Stream** stream, unsigned flags, int priority) {
  return create_stream(stream, flags, priority);
}

// Which CUs a stream uses is timing, not function: the mask is kept and has no other effect.
WAVETANK_API Status hipExtStreamCreateWithCUMask(Stream** stream, std::uint32_t mask_words,
                                                 const std::uint32_t* mask) {
  if (mask == nullptr || mask_words == 0) return api::remember(Status::kInvalidValue);
  const Status status = create_stream(stream, 0, 0);
  if (status == Status::kSuccess) (*stream)->set_cu_mask({mask, mask + mask_words});
  return status;
}

WAVETANK_API Status hipExtStreamGetCUMask(void* handle, std::uint32_t mask_words,
                                          std::uint32_t* mask) {
  return api::call_with_stream(handle, [&](Stream& stream) {
    if (mask == nullptr) return Status::kInvalidValue;
    const std::uint32_t cus = stream.device().description().compute_units;
    if (mask_words * 32 < cus) return Status::kInvalidValue;
    const auto& set = stream.cu_mask();
    std::uint32_t chosen = 0;
    for (std::uint32_t word = 0; word < mask_words; ++word) {
      mask[word] = word < set.size() ? set[word] & present_cus(cus, word) : 0;
      chosen |= mask[word];
    }
    if (chosen != 0) return Status::kSuccess;
    // A mask without a CU, or none: the stream has them all.
    for (std::uint32_t word = 0; word < mask_words; ++word) mask[word] = present_cus(cus, word);
    return Status::kSuccess;
  });
}

WAVETANK_API Status hipStreamDestroy(Stream* stream) {
  return api::call([&] {
    const auto number = reinterpret_cast<std::uintptr_t>(stream);
    if (number <= abi::kStreamPerThreadHandle) return Status::kInvalidHandle;
    DeviceStreams* streams = Runtime::instance().streams_with(stream);
    if (streams == nullptr) return Status::kContextIsDestroyed;
    return streams->destroy(stream) ? Status::kSuccess : Status::kInvalidHandle;
  });
}

WAVETANK_API Status hipStreamSynchronize(void* stream) { return synchronize(stream); }
WAVETANK_API Status hipStreamSynchronize_spt(void* stream) {
  return synchronize(api::per_thread_handle(stream));
}

WAVETANK_API Status hipStreamQuery(void* stream) { return query(stream); }
WAVETANK_API Status hipStreamQuery_spt(void* stream) {
  return query(api::per_thread_handle(stream));
}

WAVETANK_API Status hipStreamWaitEvent(void* stream, Event* event, unsigned flags) {
  return wait_event(stream, event, flags);
}
WAVETANK_API Status hipStreamWaitEvent_spt(void* stream, Event* event, unsigned flags) {
  return wait_event(api::per_thread_handle(stream), event, flags);
}

// Unlike its twin for the thread's stream this has no flags of the null stream to give.
WAVETANK_API Status hipStreamGetFlags(void* stream, unsigned* flags) {
  if (stream == nullptr) return api::remember(Status::kInvalidValue);
  return stream_flags(stream, flags);
}
WAVETANK_API Status hipStreamGetFlags_spt(void* stream, unsigned* flags) {
  return stream_flags(api::per_thread_handle(stream), flags);
}

WAVETANK_API Status hipStreamGetPriority(void* stream, int* priority) {
  return stream_priority(stream, priority);
}
WAVETANK_API Status hipStreamGetPriority_spt(void* stream, int* priority) {
  return stream_priority(api::per_thread_handle(stream), priority);
}

WAVETANK_API Status hipStreamGetDevice(void* handle, int* device) {
  return api::call_with_stream(handle, [&](Stream& stream) {
    if (device == nullptr) return Status::kInvalidValue;
    *device = stream.device().ordinal();
    return Status::kSuccess;
  });
}

WAVETANK_API Status hipStreamGetId(void* handle, unsigned long long* id) {
  return api::call_with_stream(handle, [&](Stream& stream) {
    if (id == nullptr) return Status::kInvalidValue;
    *id = stream.id();
    return Status::kSuccess;
  });
}

WAVETANK_API int hipGetStreamDeviceId(void* handle) {
  const Stream* stream = api::resolve_stream(handle);
  return stream == nullptr ? -1 : stream->device().ordinal();
}

WAVETANK_API Status hipStreamAddCallback(void* stream, StreamCallback callback, void* user_data,
                                         unsigned flags) {
  return add_callback(stream, callback, user_data, flags);
}
WAVETANK_API Status hipStreamAddCallback_spt(void* stream, StreamCallback callback, void* user_data,
                                             unsigned flags) {
  return add_callback(api::per_thread_handle(stream), callback, user_data, flags);
}

WAVETANK_API Status hipLaunchHostFunc(void* stream, HostFunction function, void* user_data) {
  return launch_host_function(stream, function, user_data);
}
WAVETANK_API Status hipLaunchHostFunc_spt(void* stream, HostFunction function, void* user_data) {
  return launch_host_function(api::per_thread_handle(stream), function, user_data);
}

WAVETANK_API Status hipDeviceGetStreamPriorityRange(int* least, int* greatest) {
  return api::call([&] {
    if (least != nullptr) *least = kLowestPriority;
    if (greatest != nullptr) *greatest = kHighestPriority;
    return Status::kSuccess;
  });
}
