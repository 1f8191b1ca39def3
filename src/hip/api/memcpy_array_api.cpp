// HIP API: copies from, to and between arrays.
#include <algorithm>

#include "hip/api/entry.hpp"
#include "hip/runtime/memory/array.hpp"
#include "hip/runtime/transfer.hpp"

using namespace wavetank::hip;
using abi::MemcpyKind;
using abi::Status;

namespace {

PitchedBytes linear(const void* memory, std::size_t pitch, std::size_t height) {
  return {static_cast<std::byte*>(const_cast<void*>(memory)), pitch, pitch * height};
}

/// True if a box of that size lies in the array's plane.
bool fits(const abi::Array& array, std::size_t x_bytes, std::size_t y, std::size_t width_bytes,
          std::size_t height) {
  const std::size_t rows = std::max<std::uint32_t>(array.height, 1);
  const std::size_t columns = row_bytes(array);
  return x_bytes <= columns && width_bytes <= columns - x_bytes && y <= rows && height <= rows - y;
}

struct Plane {
  std::size_t x_bytes = 0;
  std::size_t y = 0;
  std::size_t width_bytes = 0;
  std::size_t height = 1;
};

Status to_array(abi::Array* array, const Plane& plane, const void* source, std::size_t pitch,
                MemcpyKind kind, void* stream_handle, Blocking blocking) {
  return api::call_with_stream(stream_handle, [&](Stream& stream) {
    if (!is_array(array)) return Status::kInvalidHandle;
    if (!fits(*array, plane.x_bytes, plane.y, plane.width_bytes, plane.height)) {
      return Status::kInvalidValue;
    }
    const CopyOperation copy{.target = array_box(*array, plane.x_bytes, plane.y, 0),
                             .source = linear(source, pitch, plane.height),
                             .width_bytes = plane.width_bytes,
                             .height = plane.height};
    return submit_copy(stream, copy, kind, blocking);
  });
}

Status from_array(const abi::Array* array, const Plane& plane, void* target, std::size_t pitch,
                  MemcpyKind kind, void* stream_handle, Blocking blocking) {
  return api::call_with_stream(stream_handle, [&](Stream& stream) {
    if (!is_array(array)) return Status::kInvalidHandle;
    if (!fits(*array, plane.x_bytes, plane.y, plane.width_bytes, plane.height)) {
      return Status::kInvalidValue;
    }
    const CopyOperation copy{.target = linear(target, pitch, plane.height),
                             .source = array_box(*array, plane.x_bytes, plane.y, 0),
                             .width_bytes = plane.width_bytes,
                             .height = plane.height};
    return submit_copy(stream, copy, kind, blocking);
  });
}

/// The rows that a span of an array may lie in: all of them with hipMemcpyToArray and its kin, the
/// first with hipMemcpyHtoA and its kin (ROCm/clr, hip_memory.cpp).
enum class Rows : bool { kAll, kFirst };

/// A span of an array in linear order, from a byte offset on.
Status copy_linear(const abi::Array* array, Rows rows, std::size_t offset_bytes, void* other,
                   std::size_t size_bytes, MemcpyKind kind, bool into_array, void* stream_handle,
                   Blocking blocking) {
  return api::call_with_stream(stream_handle, [&](Stream& stream) {
    if (!is_array(array)) return Status::kInvalidValue;
    const std::size_t row = row_bytes(*array);
    const std::size_t room_bytes = rows == Rows::kFirst ? row : row * std::max(array->height, 1u);
    if (offset_bytes > room_bytes || size_bytes > room_bytes - offset_bytes) {
      return Status::kInvalidValue;
    }
    const PitchedBytes inside = array_box(*array, offset_bytes % row, offset_bytes / row, 0);
    const PitchedBytes outside = linear(other, size_bytes, 1);
    const CopyOperation copy{.target = into_array ? inside : outside,
                             .source = into_array ? outside : inside,
                             .width_bytes = size_bytes};
    return submit_copy(stream, copy, kind, blocking);
  });
}

Status between_arrays(abi::Array* target, std::size_t target_x, std::size_t target_y,
                      const abi::Array* source, std::size_t source_x, std::size_t source_y,
                      std::size_t width_bytes, std::size_t height) {
  return api::call_with_stream(api::kNullStream, [&](Stream& stream) {
    if (!is_array(target) || !is_array(source)) return Status::kInvalidHandle;
    if (!fits(*target, target_x, target_y, width_bytes, height) ||
        !fits(*source, source_x, source_y, width_bytes, height)) {
      return Status::kInvalidValue;
    }
    const CopyOperation copy{.target = array_box(*target, target_x, target_y, 0),
                             .source = array_box(*source, source_x, source_y, 0),
                             .width_bytes = width_bytes,
                             .height = height};
    return submit_copy(stream, copy, MemcpyKind::kDeviceToDevice, Blocking::kYes);
  });
}

}  // namespace

WAVETANK_API Status hipMemcpy2DToArray(abi::Array* array, std::size_t x_bytes, std::size_t y,
                                       const void* source, std::size_t pitch,
                                       std::size_t width_bytes, std::size_t height,
                                       MemcpyKind kind) {
  return to_array(array, {x_bytes, y, width_bytes, height}, source, pitch, kind, api::kNullStream,
                  Blocking::kYes);
}
WAVETANK_API Status hipMemcpy2DToArray_spt(abi::Array* array, std::size_t x_bytes, std::size_t y,
                                           const void* source, std::size_t pitch,
                                           std::size_t width_bytes, std::size_t height,
                                           MemcpyKind kind) {
  return to_array(array, {x_bytes, y, width_bytes, height}, source, pitch, kind,
                  api::per_thread_handle(nullptr), Blocking::kYes);
}
WAVETANK_API Status hipMemcpy2DToArrayAsync(abi::Array* array, std::size_t x_bytes, std::size_t y,
                                            const void* source, std::size_t pitch,
                                            std::size_t width_bytes, std::size_t height,
                                            MemcpyKind kind, void* stream) {
  return to_array(array, {x_bytes, y, width_bytes, height}, source, pitch, kind, stream,
                  Blocking::kNo);
}
WAVETANK_API Status hipMemcpy2DToArrayAsync_spt(abi::Array* array, std::size_t x_bytes,
                                                std::size_t y, const void* source,
                                                std::size_t pitch, std::size_t width_bytes,
                                                std::size_t height, MemcpyKind kind, void* stream) {
  return to_array(array, {x_bytes, y, width_bytes, height}, source, pitch, kind,
                  api::per_thread_handle(stream), Blocking::kNo);
}

WAVETANK_API Status hipMemcpy2DFromArray(void* target, std::size_t pitch, const abi::Array* array,
                                         std::size_t x_bytes, std::size_t y,
                                         std::size_t width_bytes, std::size_t height,
                                         MemcpyKind kind) {
  return from_array(array, {x_bytes, y, width_bytes, height}, target, pitch, kind, api::kNullStream,
                    Blocking::kYes);
}
WAVETANK_API Status hipMemcpy2DFromArray_spt(void* target, std::size_t pitch,
                                             const abi::Array* array, std::size_t x_bytes,
                                             std::size_t y, std::size_t width_bytes,
                                             std::size_t height, MemcpyKind kind) {
  return from_array(array, {x_bytes, y, width_bytes, height}, target, pitch, kind,
                    api::per_thread_handle(nullptr), Blocking::kYes);
}
WAVETANK_API Status hipMemcpy2DFromArrayAsync(void* target, std::size_t pitch,
                                              const abi::Array* array, std::size_t x_bytes,
                                              std::size_t y, std::size_t width_bytes,
                                              std::size_t height, MemcpyKind kind, void* stream) {
  return from_array(array, {x_bytes, y, width_bytes, height}, target, pitch, kind, stream,
                    Blocking::kNo);
}
WAVETANK_API Status hipMemcpy2DFromArrayAsync_spt(void* target, std::size_t pitch,
                                                  const abi::Array* array, std::size_t x_bytes,
                                                  std::size_t y, std::size_t width_bytes,
                                                  std::size_t height, MemcpyKind kind,
                                                  void* stream) {
  return from_array(array, {x_bytes, y, width_bytes, height}, target, pitch, kind,
                    api::per_thread_handle(stream), Blocking::kNo);
}

WAVETANK_API Status hipMemcpyToArray(abi::Array* array, std::size_t x_bytes, std::size_t y,
                                     const void* source, std::size_t size_bytes, MemcpyKind kind) {
  if (!is_array(array)) return api::remember(Status::kInvalidHandle);
  return copy_linear(array, Rows::kAll, y * row_bytes(*array) + x_bytes, const_cast<void*>(source),
                     size_bytes, kind, true, api::kNullStream, Blocking::kYes);
}
WAVETANK_API Status hipMemcpyFromArray(void* target, const abi::Array* array, std::size_t x_bytes,
                                       std::size_t y, std::size_t size_bytes, MemcpyKind kind) {
  if (!is_array(array)) return api::remember(Status::kInvalidHandle);
  return copy_linear(array, Rows::kAll, y * row_bytes(*array) + x_bytes, target, size_bytes, kind,
                     false, api::kNullStream, Blocking::kYes);
}
WAVETANK_API Status hipMemcpyFromArray_spt(void* target, const abi::Array* array,
                                           std::size_t x_bytes, std::size_t y,
                                           std::size_t size_bytes, MemcpyKind kind) {
  return hipMemcpyFromArray(target, array, x_bytes, y, size_bytes, kind);
}

WAVETANK_API Status hipMemcpyHtoA(abi::Array* array, std::size_t offset_bytes, const void* source,
                                  std::size_t size_bytes) {
  return copy_linear(array, Rows::kFirst, offset_bytes, const_cast<void*>(source), size_bytes,
                     MemcpyKind::kHostToDevice, true, api::kNullStream, Blocking::kYes);
}
WAVETANK_API Status hipMemcpyHtoAAsync(abi::Array* array, std::size_t offset_bytes,
                                       const void* source, std::size_t size_bytes, void* stream) {
  return copy_linear(array, Rows::kFirst, offset_bytes, const_cast<void*>(source), size_bytes,
                     MemcpyKind::kHostToDevice, true, stream, Blocking::kNo);
}
WAVETANK_API Status hipMemcpyAtoH(void* target, abi::Array* array, std::size_t offset_bytes,
                                  std::size_t size_bytes) {
  return copy_linear(array, Rows::kFirst, offset_bytes, target, size_bytes,
                     MemcpyKind::kDeviceToHost, false, api::kNullStream, Blocking::kYes);
}
WAVETANK_API Status hipMemcpyAtoHAsync(void* target, abi::Array* array, std::size_t offset_bytes,
                                       std::size_t size_bytes, void* stream) {
  return copy_linear(array, Rows::kFirst, offset_bytes, target, size_bytes,
                     MemcpyKind::kDeviceToHost, false, stream, Blocking::kNo);
}
WAVETANK_API Status hipMemcpyDtoA(abi::Array* array, std::size_t offset_bytes, void* source,
                                  std::size_t size_bytes) {
  return copy_linear(array, Rows::kFirst, offset_bytes, source, size_bytes,
                     MemcpyKind::kDeviceToDevice, true, api::kNullStream, Blocking::kYes);
}
WAVETANK_API Status hipMemcpyAtoD(void* target, abi::Array* array, std::size_t offset_bytes,
                                  std::size_t size_bytes) {
  return copy_linear(array, Rows::kFirst, offset_bytes, target, size_bytes,
                     MemcpyKind::kDeviceToDevice, false, api::kNullStream, Blocking::kYes);
}

WAVETANK_API Status hipMemcpyAtoA(abi::Array* target, std::size_t target_bytes, abi::Array* source,
                                  std::size_t source_bytes, std::size_t size_bytes) {
  return between_arrays(target, target_bytes, 0, source, source_bytes, 0, size_bytes, 1);
}

WAVETANK_API Status hipMemcpy2DArrayToArray(abi::Array* target, std::size_t target_x,
                                            std::size_t target_y, const abi::Array* source,
                                            std::size_t source_x, std::size_t source_y,
                                            std::size_t width_bytes, std::size_t height,
                                            MemcpyKind) {
  return between_arrays(target, target_x, target_y, source, source_x, source_y, width_bytes,
                        height);
}
