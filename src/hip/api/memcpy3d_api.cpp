// HIP API: copies that a structure describes (3-D, and the driver API's 2-D and 3-D).
#include "hip/abi/copy_types.hpp"
#include "hip/abi/generation.hpp"
#include "hip/api/entry.hpp"
#include "hip/runtime/memory/copy_description.hpp"
#include "hip/runtime/transfer.hpp"

using namespace wavetank::hip;
using abi::MemcpyKind;
using abi::Status;

namespace {

Status copy_3d(const abi::Memcpy3d* wanted, void* stream_handle, Blocking blocking) {
  return api::call_with_stream(stream_handle, [&](Stream& stream) {
    if (wanted == nullptr) return Status::kInvalidValue;
    CopyOperation copy;
    const Status status = describe_copy(*wanted, copy);
    if (status != Status::kSuccess) return status;
    return submit_copy(stream, copy, wanted->kind, blocking);
  });
}

/// For hipMemcpy3D.
Blocking blocking_of(const abi::Memcpy3d* p) {
  const bool has_array = p != nullptr && (p->source_array != nullptr || p->target_array != nullptr);
  return blocking_of_rows(p != nullptr && !has_array && says_inside_of_device(p->kind));
}

/// For the driver API.
Blocking blocking_of(const abi::DriverMemcpy3dWide& wanted) {
  return blocking_of_rows(abi::memory_type_of(wanted.source_type) == abi::MemoryType::kDevice &&
                          abi::memory_type_of(wanted.target_type) == abi::MemoryType::kDevice);
}

Status copy_3d_between_devices(const abi::Memcpy3dPeer* wanted, void* stream, Blocking blocking) {
  if (wanted == nullptr) return api::remember(Status::kInvalidValue);
  Runtime& runtime = Runtime::instance();
  if (!runtime.device(wanted->source_device) || !runtime.device(wanted->target_device)) {
    return api::remember(Status::kInvalidDevice);
  }
  const abi::Memcpy3d copy{wanted->source_array, wanted->source_position,    wanted->source,
                           wanted->target_array, wanted->target_position,    wanted->target,
                           wanted->extent,       MemcpyKind::kDeviceToDevice};
  return copy_3d(&copy, stream, blocking);
}

/// Whether the call is one of those that wait, if what they copy asks for it.
enum class Form : std::uint8_t { kWaiting, kAsync };

Status copy_driver(const abi::DriverMemcpy3dWide& wanted, void* stream_handle, Form form) {
  const Blocking blocking = form == Form::kAsync ? Blocking::kNo : blocking_of(wanted);
  return api::call_with_stream(stream_handle, [&](Stream& stream) {
    CopyOperation copy;
    const Status status = describe_driver_copy(wanted, copy);
    if (status != Status::kSuccess) return status;
    const Status outcome = submit_copy(stream, copy, MemcpyKind::kDefault, blocking);
    // The driver's form of the API has one error for all that a structure can have wrong.
    return outcome == Status::kInvalidPitchValue ? Status::kInvalidValue : outcome;
  });
}

Status copy_driver_2d(const abi::DriverMemcpy2d* p, void* stream, Form form) {
  if (p == nullptr) return api::remember(Status::kInvalidValue);
  return copy_driver({.source_x_bytes = p->source_x_bytes,
                      .source_y = p->source_y,
                      .source_z = 0,
                      .source_lod = 0,
                      .source_type = p->source_type,
                      .source_host = p->source_host,
                      .source_device = p->source_device,
                      .source_array = p->source_array,
                      .source_pitch = p->source_pitch,
                      .source_height = 0,
                      .target_x_bytes = p->target_x_bytes,
                      .target_y = p->target_y,
                      .target_z = 0,
                      .target_lod = 0,
                      .target_type = p->target_type,
                      .target_host = p->target_host,
                      .target_device = p->target_device,
                      .target_array = p->target_array,
                      .target_pitch = p->target_pitch,
                      .target_height = 0,
                      .width_bytes = p->width_bytes,
                      .height = p->height,
                      .depth = 1},
                     stream, form);
}

/// HIP_MEMCPY3D had 32-bit members until ROCm 5.
abi::DriverMemcpy3dWide widen(const abi::DriverMemcpy3d& p) {
  return {.source_x_bytes = p.source_x_bytes,
          .source_y = p.source_y,
          .source_z = p.source_z,
          .source_lod = p.source_lod,
          .source_type = p.source_type,
          .source_host = p.source_host,
          .source_device = p.source_device,
          .source_array = p.source_array,
          .source_pitch = p.source_pitch,
          .source_height = p.source_height,
          .target_x_bytes = p.target_x_bytes,
          .target_y = p.target_y,
          .target_z = p.target_z,
          .target_lod = p.target_lod,
          .target_type = p.target_type,
          .target_host = p.target_host,
          .target_device = p.target_device,
          .target_array = p.target_array,
          .target_pitch = p.target_pitch,
          .target_height = p.target_height,
          .width_bytes = p.width_bytes,
          .height = p.height,
          .depth = p.depth};
}

Status copy_driver_3d_by_generation(const void* parameters, void* stream, Form form) {
  if (parameters == nullptr) return api::remember(Status::kInvalidValue);
  if (abi::generation.major < 6) {
    return copy_driver(widen(*static_cast<const abi::DriverMemcpy3d*>(parameters)), stream, form);
  }
  return copy_driver(*static_cast<const abi::DriverMemcpy3dWide*>(parameters), stream, form);
}

}  // namespace

WAVETANK_API Status hipMemcpy3D(const abi::Memcpy3d* wanted) {
  return copy_3d(wanted, api::kNullStream, blocking_of(wanted));
}
WAVETANK_API Status hipMemcpy3D_spt(const abi::Memcpy3d* wanted) {
  return copy_3d(wanted, api::per_thread_handle(nullptr), blocking_of(wanted));
}
WAVETANK_API Status hipMemcpy3DAsync(const abi::Memcpy3d* wanted, void* stream) {
  return copy_3d(wanted, stream, Blocking::kNo);
}
WAVETANK_API Status hipMemcpy3DAsync_spt(const abi::Memcpy3d* wanted, void* stream) {
  return copy_3d(wanted, api::per_thread_handle(stream), Blocking::kNo);
}

WAVETANK_API Status hipMemcpy3DPeer(const abi::Memcpy3dPeer* wanted) {
  return copy_3d_between_devices(wanted, api::kNullStream, Blocking::kYes);
}
WAVETANK_API Status hipMemcpy3DPeerAsync(const abi::Memcpy3dPeer* wanted, void* stream) {
  return copy_3d_between_devices(wanted, stream, Blocking::kNo);
}

WAVETANK_API Status hipMemcpyParam2D(const abi::DriverMemcpy2d* wanted) {
  return copy_driver_2d(wanted, api::kNullStream, Form::kWaiting);
}
WAVETANK_API Status hipMemcpyParam2DAsync(const abi::DriverMemcpy2d* wanted, void* stream) {
  return copy_driver_2d(wanted, stream, Form::kAsync);
}
WAVETANK_API Status hipDrvMemcpy2DUnaligned(const abi::DriverMemcpy2d* wanted) {
  return copy_driver_2d(wanted, api::kNullStream, Form::kWaiting);
}
WAVETANK_API Status hipDrvMemcpy3D(const void* wanted) {
  return copy_driver_3d_by_generation(wanted, api::kNullStream, Form::kWaiting);
}
WAVETANK_API Status hipDrvMemcpy3DAsync(const void* wanted, void* stream) {
  return copy_driver_3d_by_generation(wanted, stream, Form::kAsync);
}
