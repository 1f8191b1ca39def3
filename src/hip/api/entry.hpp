// What every exported function shares: its linkage, the last error, and the translation of handles.
#pragma once

#include <new>
#include <utility>

#include "hip/abi/status.hpp"
#include "hip/abi/types.hpp"
#include "hip/runtime/capture.hpp"
#include "hip/runtime/runtime.hpp"

/// Marks a function of AMD's library. The version script of each shared library names its node.
#define WAVETANK_API extern "C" [[gnu::visibility("default")]]

namespace wavetank::hip::api {

using abi::Status;

/// Remembers the status of a call as the thread's last error and returns it. In ROCm 5 and 6 a
/// later success replaces an error, in ROCm 7 it does not.
Status remember(Status status);
/// The thread's last error; `take_last_error` also clears it.
Status peek_last_error();
Status take_last_error();
/// The status of the thread's last call, success included; clears it (hipExtGetLastError).
Status take_last_call_status();

/// Runs an API function's body, which gives a Status, and remembers that.
template <class Body>
Status call(Body body) {
  try {
    return remember(body());
  } catch (const std::bad_alloc&) {
    return remember(Status::kOutOfMemory);
  }
}

/// Runs a body that needs a device: body(VirtualDevice& current). Gives hipErrorNoDevice without.
template <class Body>
Status call_with_device(Body body) {
  return call([&] {
    VirtualDevice* device = Runtime::instance().current_device();
    return device == nullptr ? Status::kNoDevice : body(*device);
  });
}

/// call_with_device() for calls that may not be made while a graph is captured (hipMalloc ...).
template <class Body>
Status call_outside_capture(Body body) {
  return call_with_device([&](VirtualDevice& device) {
    const Status status = check_unsafe_call();
    return status == Status::kSuccess ? body(device) : status;
  });
}

/// The stream a handle means on the calling thread: 0 and 1 are the current device's null stream,
/// 2 the thread's own stream. nullptr for a handle that is no stream.
Stream* resolve_stream(void* handle);
/// The calling thread's default stream (hipStreamPerThread) on a device.
Stream& per_thread_stream(VirtualDevice& device);

/// Runs body(VirtualDevice&) for an ordinal; gives `no_such` for one that is none.
template <class Body>
Status call_with_ordinal(int ordinal, Body body, Status no_such = Status::kInvalidDevice) {
  return call([&] {
    VirtualDevice* device = Runtime::instance().device(ordinal);
    return device == nullptr ? no_such : body(*device);
  });
}

/// Runs a body that needs a stream: body(Stream&). Gives hipErrorContextIsDestroyed for a handle
/// that is none.
template <class Body>
Status call_with_stream(void* handle, Body body, Status no_stream = Status::kContextIsDestroyed) {
  return call([&] {
    if (Runtime::instance().current_device() == nullptr) return Status::kNoDevice;
    Stream* stream = resolve_stream(handle);
    return stream == nullptr ? no_stream : body(*stream);
  });
}

/// The same for the functions that give hipErrorInvalidHandle for a handle that is no stream.
template <class Body>
Status call_with_valid_stream(void* handle, Body body) {
  return call_with_stream(handle, body, Status::kInvalidHandle);
}

/// The handle that a per-thread-default (_spt) function passes on: 0 becomes hipStreamPerThread.
inline void* per_thread_handle(void* handle) {
  if (handle != nullptr) return handle;
  return reinterpret_cast<void*>(abi::kStreamPerThreadHandle);
}
/// The handles of functions that take no stream, and of their _spt forms.
inline constexpr void* kNullStream = nullptr;
inline void* thread_stream() { return per_thread_handle(kNullStream); }

}  // namespace wavetank::hip::api
