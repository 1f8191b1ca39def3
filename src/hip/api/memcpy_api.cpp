// HIP API: copies of linear and pitched memory.
#include "hip/api/entry.hpp"
#include "hip/runtime/transfer.hpp"

using namespace wavetank::hip;
using abi::MemcpyKind;
using abi::Status;

namespace {

CopyOperation linear(void* target, const void* source, std::size_t size_bytes) {
  return {.target = {static_cast<std::byte*>(target), size_bytes, size_bytes},
          .source = {static_cast<std::byte*>(const_cast<void*>(source)), size_bytes, size_bytes},
          .width_bytes = size_bytes};
}

Status copy(void* target, const void* source, std::size_t size_bytes, MemcpyKind kind,
            void* stream_handle, Blocking blocking) {
  return api::call_with_stream(stream_handle, [&](Stream& stream) {
    return submit_copy(stream, linear(target, source, size_bytes), kind, blocking);
  });
}

Status copy_2d(void* target, std::size_t target_pitch, const void* source, std::size_t source_pitch,
               std::size_t width_bytes, std::size_t height, MemcpyKind kind, void* stream_handle,
               Blocking blocking) {
  return api::call_with_stream(stream_handle, [&](Stream& stream) {
    if (width_bytes > target_pitch || width_bytes > source_pitch) {
      return width_bytes * height == 0 ? Status::kSuccess : Status::kInvalidPitchValue;
    }
    const CopyOperation operation{
        .target = {static_cast<std::byte*>(target), target_pitch, target_pitch * height},
        .source = {static_cast<std::byte*>(const_cast<void*>(source)), source_pitch,
                   source_pitch * height},
        .width_bytes = width_bytes,
        .height = height};
    return submit_copy(stream, operation, kind, blocking);
  });
}

/// Null streams order what they do with the copy as if it were one of theirs: each waits for it,
/// and it for what they were given.
Status copy_between_devices(VirtualDevice& target_device, VirtualDevice& source_device,
                            const CopyOperation& copy, Stream& stream) {
  Runtime& runtime = Runtime::instance();
  Stream* const others[] = {&runtime.streams(target_device).null_stream(),
                            &runtime.streams(source_device).null_stream()};
  for (Stream* other : others) {
    if (CompletionPtr last = other->last(); last != nullptr) stream.wait_for(std::move(last));
  }
  const Status status = submit_copy(stream, copy, MemcpyKind::kDeviceToDevice, Blocking::kNo);
  if (status != Status::kSuccess) return status;
  for (Stream* other : others) {
    // A copy of nothing may be the stream's first and leave it without an operation.
    if (other == &stream || stream.last() == nullptr) continue;
    other->wait_for(stream.last());
    other->submit(MarkerOperation{});
  }
  return status;
}

}  // namespace

WAVETANK_API Status hipMemcpy(void* target, const void* source, std::size_t size_bytes,
                              MemcpyKind kind) {
  return copy(target, source, size_bytes, kind, api::kNullStream, Blocking::kForHost);
}

WAVETANK_API Status hipMemcpy_spt(void* target, const void* source, std::size_t size_bytes,
                                  MemcpyKind kind) {
  return copy(target, source, size_bytes, kind, api::thread_stream(), Blocking::kForHost);
}

WAVETANK_API Status hipMemcpyWithStream(void* target, const void* source, std::size_t size_bytes,
                                        MemcpyKind kind, void* stream) {
  return copy(target, source, size_bytes, kind, stream, Blocking::kForHost);
}

WAVETANK_API Status hipMemcpyAsync(void* target, const void* source, std::size_t size_bytes,
                                   MemcpyKind kind, void* stream) {
  return copy(target, source, size_bytes, kind, stream, Blocking::kNo);
}

WAVETANK_API Status hipMemcpyAsync_spt(void* target, const void* source, std::size_t size_bytes,
                                       MemcpyKind kind, void* stream) {
  return copy(target, source, size_bytes, kind, api::per_thread_handle(stream), Blocking::kNo);
}

WAVETANK_API Status hipMemcpyHtoD(void* target, void* source, std::size_t size_bytes) {
  return copy(target, source, size_bytes, MemcpyKind::kHostToDevice, api::kNullStream,
              Blocking::kForHost);
}

WAVETANK_API Status hipMemcpyDtoH(void* target, void* source, std::size_t size_bytes) {
  return copy(target, source, size_bytes, MemcpyKind::kDeviceToHost, api::kNullStream,
              Blocking::kForHost);
}

WAVETANK_API Status hipMemcpyDtoD(void* target, void* source, std::size_t size_bytes) {
  return copy(target, source, size_bytes, MemcpyKind::kDeviceToDevice, api::kNullStream,
              Blocking::kForHost);
}

WAVETANK_API Status hipMemcpyHtoDAsync(void* target, void* source, std::size_t size_bytes,
                                       void* stream) {
  return copy(target, source, size_bytes, MemcpyKind::kHostToDevice, stream, Blocking::kNo);
}

WAVETANK_API Status hipMemcpyDtoHAsync(void* target, void* source, std::size_t size_bytes,
                                       void* stream) {
  return copy(target, source, size_bytes, MemcpyKind::kDeviceToHost, stream, Blocking::kNo);
}

WAVETANK_API Status hipMemcpyDtoDAsync(void* target, void* source, std::size_t size_bytes,
                                       void* stream) {
  return copy(target, source, size_bytes, MemcpyKind::kDeviceToDevice, stream, Blocking::kNo);
}

WAVETANK_API Status hipMemcpyPeer(void* target, int target_device, const void* source,
                                  int source_device, std::size_t size_bytes) {
  return api::call_with_stream(api::kNullStream, [&](Stream& stream) {
    Runtime& runtime = Runtime::instance();
    VirtualDevice* const to = runtime.device(target_device);
    VirtualDevice* const from = runtime.device(source_device);
    if (to == nullptr || from == nullptr) return Status::kInvalidDevice;
    return copy_between_devices(*to, *from, linear(target, source, size_bytes), stream);
  });
}

WAVETANK_API Status hipMemcpyPeerAsync(void* target, int target_device, const void* source,
                                       int source_device, std::size_t size_bytes, void* handle) {
  return api::call_with_stream(handle, [&](Stream& stream) {
    Runtime& runtime = Runtime::instance();
    if (!runtime.device(target_device) || !runtime.device(source_device)) {
      return Status::kInvalidDevice;
    }
    return submit_copy(stream, linear(target, source, size_bytes), MemcpyKind::kDeviceToDevice,
                       Blocking::kNo);
  });
}

WAVETANK_API Status hipMemcpy2D(void* target, std::size_t target_pitch, const void* source,
                                std::size_t source_pitch, std::size_t width_bytes,
                                std::size_t height, MemcpyKind kind) {
  return copy_2d(target, target_pitch, source, source_pitch, width_bytes, height, kind,
                 api::kNullStream, blocking_of_rows(says_inside_of_device(kind)));
}

WAVETANK_API Status hipMemcpy2D_spt(void* target, std::size_t target_pitch, const void* source,
                                    std::size_t source_pitch, std::size_t width_bytes,
                                    std::size_t height, MemcpyKind kind) {
  return copy_2d(target, target_pitch, source, source_pitch, width_bytes, height, kind,
                 api::thread_stream(), blocking_of_rows(says_inside_of_device(kind)));
}

WAVETANK_API Status hipMemcpy2DAsync(void* target, std::size_t target_pitch, const void* source,
                                     std::size_t source_pitch, std::size_t width_bytes,
                                     std::size_t height, MemcpyKind kind, void* stream) {
  return copy_2d(target, target_pitch, source, source_pitch, width_bytes, height, kind, stream,
                 Blocking::kNo);
}

WAVETANK_API Status hipMemcpy2DAsync_spt(void* target, std::size_t target_pitch, const void* source,
                                         std::size_t source_pitch, std::size_t width_bytes,
                                         std::size_t height, MemcpyKind kind, void* stream) {
  return copy_2d(target, target_pitch, source, source_pitch, width_bytes, height, kind,
                 api::per_thread_handle(stream), Blocking::kNo);
}
