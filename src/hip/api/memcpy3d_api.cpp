// HIP API: copies that a structure describes (3-D, and the driver API's 2-D and 3-D).
#include <algorithm>

#include "hip/abi/generation.hpp"
#include "hip/api/entry.hpp"
#include "hip/runtime/array.hpp"
#include "hip/runtime/transfer.hpp"

using namespace wavetank::hip;
using abi::MemcpyKind;
using abi::MemoryType;
using abi::Status;

namespace {

PitchedBytes pitched_box(const abi::PitchedPointer& pitched, const abi::Position& position,
                         std::size_t rows) {
  const std::size_t slice = pitched.pitch * (pitched.height == 0 ? rows : pitched.height);
  return {static_cast<std::byte*>(pitched.pointer) + position.z * slice +
              position.y * pitched.pitch + position.x,
          pitched.pitch, slice};
}

/// hipMemcpy3DParms counts in elements of the array when an array takes part, else in bytes.
Status describe(const abi::Memcpy3d& wanted, CopyOperation& copy) {
  const abi::Array* source = wanted.source_array;
  const abi::Array* target = wanted.target_array;
  if ((source != nullptr && !is_array(source)) || (target != nullptr && !is_array(target))) {
    return Status::kInvalidValue;
  }
  if ((source != nullptr) == (wanted.source.pointer != nullptr)) return Status::kInvalidValue;
  if ((target != nullptr) == (wanted.target.pointer != nullptr)) return Status::kInvalidValue;
  const abi::Array* array = source != nullptr ? source : target;
  const std::size_t unit = array == nullptr ? 1 : element_bytes(*array);
  copy.width_bytes = wanted.extent.width * unit;
  copy.height = wanted.extent.height;
  copy.depth = wanted.extent.depth;
  const abi::Position& from = wanted.source_position;
  const abi::Position& to = wanted.target_position;
  copy.source = source != nullptr ? array_box(*source, from.x * unit, from.y, from.z)
                                  : pitched_box(wanted.source, from, copy.height);
  copy.target = target != nullptr ? array_box(*target, to.x * unit, to.y, to.z)
                                  : pitched_box(wanted.target, to, copy.height);
  return Status::kSuccess;
}

Status copy_3d(const abi::Memcpy3d* wanted, void* stream_handle, Blocking blocking) {
  return api::call_with_stream(stream_handle, [&](Stream& stream) {
    if (wanted == nullptr) return Status::kInvalidValue;
    CopyOperation copy;
    const Status status = describe(*wanted, copy);
    if (status != Status::kSuccess) return status;
    return submit_copy(stream, copy, wanted->kind, blocking);
  });
}

/// One side of a driver copy.
struct DriverSide {
  std::int32_t type;
  const void* host;
  void* device;
  abi::Array* array;
  std::size_t pitch, height;
  std::size_t x_bytes, y, z;
};

Status driver_box(const DriverSide& side, std::size_t width_bytes, std::size_t rows,
                  PitchedBytes& box) {
  if (abi::memory_type_of(side.type) == MemoryType::kArray) {
    if (!is_array(side.array)) return Status::kInvalidValue;
    box = array_box(*side.array, side.x_bytes, side.y, side.z);
    return Status::kSuccess;
  }
  const bool on_host = abi::memory_type_of(side.type) == MemoryType::kHost;
  const void* memory = on_host ? side.host : side.device;
  if (memory == nullptr) return Status::kInvalidValue;
  const std::size_t pitch = side.pitch == 0 ? side.x_bytes + width_bytes : side.pitch;
  const std::size_t slice = pitch * (side.height == 0 ? side.y + rows : side.height);
  box = {static_cast<std::byte*>(const_cast<void*>(memory)) + side.z * slice + side.y * pitch +
             side.x_bytes,
         pitch, slice};
  return Status::kSuccess;
}

Status copy_driver(const DriverSide& source, const DriverSide& target, CopyOperation copy,
                   void* stream_handle, Blocking blocking) {
  return api::call_with_stream(stream_handle, [&](Stream& stream) {
    Status status = driver_box(source, copy.width_bytes, copy.height, copy.source);
    if (status != Status::kSuccess) return status;
    status = driver_box(target, copy.width_bytes, copy.height, copy.target);
    if (status != Status::kSuccess) return status;
    return submit_copy(stream, copy, MemcpyKind::kDefault, blocking);
  });
}

Status copy_driver_2d(const abi::DriverMemcpy2d* p, void* stream, Blocking blocking) {
  if (p == nullptr) return api::remember(Status::kInvalidValue);
  const DriverSide source{p->source_type,  p->source_host, p->source_device,
                          p->source_array, p->source_pitch, 0,
                          p->source_x_bytes, p->source_y, 0};
  const DriverSide target{p->target_type,  p->target_host, p->target_device,
                          p->target_array, p->target_pitch, 0,
                          p->target_x_bytes, p->target_y, 0};
  return copy_driver(source, target, {.width_bytes = p->width_bytes, .height = p->height}, stream,
                     blocking);
}

/// HIP_MEMCPY3D: 32-bit members until ROCm 5, size_t since ROCm 6.
template <class Parameters>
Status copy_driver_3d(const Parameters* p, void* stream, Blocking blocking) {
  const DriverSide source{p->source_type,  p->source_host,  p->source_device,
                          p->source_array, p->source_pitch, p->source_height,
                          p->source_x_bytes, p->source_y, p->source_z};
  const DriverSide target{p->target_type,  p->target_host,  p->target_device,
                          p->target_array, p->target_pitch, p->target_height,
                          p->target_x_bytes, p->target_y, p->target_z};
  return copy_driver(source, target,
                     {.width_bytes = p->width_bytes, .height = p->height, .depth = p->depth},
                     stream, blocking);
}

Status copy_driver_3d_by_generation(const void* parameters, void* stream, Blocking blocking) {
  if (parameters == nullptr) return api::remember(Status::kInvalidValue);
  if (abi::generation.major < 6) {
    return copy_driver_3d(static_cast<const abi::DriverMemcpy3d*>(parameters), stream, blocking);
  }
  return copy_driver_3d(static_cast<const abi::DriverMemcpy3dWide*>(parameters), stream, blocking);
}

constexpr void* kNullStream = nullptr;

}  // namespace

WAVETANK_API Status hipMemcpy3D(const abi::Memcpy3d* wanted) {
  return copy_3d(wanted, kNullStream, Blocking::kYes);
}
WAVETANK_API Status hipMemcpy3D_spt(const abi::Memcpy3d* wanted) {
  return copy_3d(wanted, api::per_thread_handle(nullptr), Blocking::kYes);
}
WAVETANK_API Status hipMemcpy3DAsync(const abi::Memcpy3d* wanted, void* stream) {
  return copy_3d(wanted, stream, Blocking::kNo);
}
WAVETANK_API Status hipMemcpy3DAsync_spt(const abi::Memcpy3d* wanted, void* stream) {
  return copy_3d(wanted, api::per_thread_handle(stream), Blocking::kNo);
}

WAVETANK_API Status hipMemcpyParam2D(const abi::DriverMemcpy2d* wanted) {
  return copy_driver_2d(wanted, kNullStream, Blocking::kYes);
}
WAVETANK_API Status hipMemcpyParam2DAsync(const abi::DriverMemcpy2d* wanted, void* stream) {
  return copy_driver_2d(wanted, stream, Blocking::kNo);
}
WAVETANK_API Status hipDrvMemcpy2DUnaligned(const abi::DriverMemcpy2d* wanted) {
  return copy_driver_2d(wanted, kNullStream, Blocking::kYes);
}
WAVETANK_API Status hipDrvMemcpy3D(const void* wanted) {
  return copy_driver_3d_by_generation(wanted, kNullStream, Blocking::kYes);
}
WAVETANK_API Status hipDrvMemcpy3DAsync(const void* wanted, void* stream) {
  return copy_driver_3d_by_generation(wanted, stream, Blocking::kNo);
}
