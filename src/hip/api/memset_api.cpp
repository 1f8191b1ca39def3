// HIP API: fills.
#include "hip/api/entry.hpp"
#include "hip/runtime/transfer.hpp"

using namespace wavetank::hip;
using abi::Status;

namespace {

Status fill(void* target, std::uint32_t value, std::uint32_t element_bytes, std::size_t count,
            void* stream_handle, Blocking blocking) {
  return api::call_with_stream(stream_handle, [&](Stream& stream) {
    const FillOperation operation{.target = {static_cast<std::byte*>(target), 0, 0},
                                  .value = value,
                                  .element_bytes = element_bytes,
                                  .width_elements = count};
    return submit_fill(stream, operation, blocking);
  });
}

Status fill_2d(void* target, std::size_t pitch, std::uint32_t value, std::uint32_t element_bytes,
               std::size_t width, std::size_t height, void* stream_handle, Blocking blocking) {
  return api::call_with_stream(stream_handle, [&](Stream& stream) {
    const FillOperation operation{
        .target = {static_cast<std::byte*>(target), pitch, pitch * height},
        .value = value,
        .element_bytes = element_bytes,
        .width_elements = width,
        .height = height};
    return submit_fill(stream, operation, blocking);
  });
}

Status fill_3d(const abi::PitchedPointer& target, int value, const abi::Extent& extent,
               void* stream_handle, Blocking blocking) {
  return api::call_with_stream(stream_handle, [&](Stream& stream) {
    if (extent.width > target.pitch && extent.height > 1) return Status::kInvalidValue;
    if (target.height != 0 && extent.height > target.height) return Status::kInvalidValue;
    const std::size_t rows = target.height == 0 ? extent.height : target.height;
    const FillOperation operation{
        .target = {static_cast<std::byte*>(target.pointer), target.pitch, target.pitch * rows},
        .value = static_cast<std::uint32_t>(value),
        .element_bytes = 1,
        .width_elements = extent.width,
        .height = extent.height,
        .depth = extent.depth};
    return submit_fill(stream, operation, blocking);
  });
}

std::uint32_t bits(int value) { return static_cast<std::uint32_t>(value); }

}  // namespace

WAVETANK_API Status hipMemset(void* target, int value, std::size_t count) {
  return fill(target, bits(value), 1, count, api::kNullStream, Blocking::kForHost);
}
WAVETANK_API Status hipMemset_spt(void* target, int value, std::size_t count) {
  return fill(target, bits(value), 1, count, api::thread_stream(), Blocking::kForHost);
}
WAVETANK_API Status hipMemsetAsync(void* target, int value, std::size_t count, void* stream) {
  return fill(target, bits(value), 1, count, stream, Blocking::kNo);
}
WAVETANK_API Status hipMemsetAsync_spt(void* target, int value, std::size_t count, void* stream) {
  return fill(target, bits(value), 1, count, api::per_thread_handle(stream), Blocking::kNo);
}

WAVETANK_API Status hipMemsetD8(void* target, unsigned char value, std::size_t count) {
  return fill(target, value, 1, count, api::kNullStream, Blocking::kForHost);
}
WAVETANK_API Status hipMemsetD8Async(void* target, unsigned char value, std::size_t count,
                                     void* stream) {
  return fill(target, value, 1, count, stream, Blocking::kNo);
}
WAVETANK_API Status hipMemsetD16(void* target, unsigned short value, std::size_t count) {
  return fill(target, value, 2, count, api::kNullStream, Blocking::kForHost);
}
WAVETANK_API Status hipMemsetD16Async(void* target, unsigned short value, std::size_t count,
                                      void* stream) {
  return fill(target, value, 2, count, stream, Blocking::kNo);
}
WAVETANK_API Status hipMemsetD32(void* target, int value, std::size_t count) {
  return fill(target, bits(value), 4, count, api::kNullStream, Blocking::kForHost);
}
WAVETANK_API Status hipMemsetD32Async(void* target, int value, std::size_t count, void* stream) {
  return fill(target, bits(value), 4, count, stream, Blocking::kNo);
}

WAVETANK_API Status hipMemset2D(void* target, std::size_t pitch, int value, std::size_t width,
                                std::size_t height) {
  return fill_2d(target, pitch, bits(value), 1, width, height, api::kNullStream,
                 Blocking::kForHost);
}
WAVETANK_API Status hipMemset2D_spt(void* target, std::size_t pitch, int value, std::size_t width,
                                    std::size_t height) {
  return fill_2d(target, pitch, bits(value), 1, width, height, api::thread_stream(),
                 Blocking::kForHost);
}
WAVETANK_API Status hipMemset2DAsync(void* target, std::size_t pitch, int value, std::size_t width,
                                     std::size_t height, void* stream) {
  return fill_2d(target, pitch, bits(value), 1, width, height, stream, Blocking::kNo);
}
WAVETANK_API Status hipMemset2DAsync_spt(void* target, std::size_t pitch, int value,
                                         std::size_t width, std::size_t height, void* stream) {
  return fill_2d(target, pitch, bits(value), 1, width, height, api::per_thread_handle(stream),
                 Blocking::kNo);
}

WAVETANK_API Status hipMemsetD2D8(void* target, std::size_t pitch, unsigned char value,
                                  std::size_t width, std::size_t height) {
  return fill_2d(target, pitch, value, 1, width, height, api::kNullStream, Blocking::kForHost);
}
WAVETANK_API Status hipMemsetD2D8Async(void* target, std::size_t pitch, unsigned char value,
                                       std::size_t width, std::size_t height, void* stream) {
  return fill_2d(target, pitch, value, 1, width, height, stream, Blocking::kNo);
}
WAVETANK_API Status hipMemsetD2D16(void* target, std::size_t pitch, unsigned short value,
                                   std::size_t width, std::size_t height) {
  return fill_2d(target, pitch, value, 2, width, height, api::kNullStream, Blocking::kForHost);
}
WAVETANK_API Status hipMemsetD2D16Async(void* target, std::size_t pitch, unsigned short value,
                                        std::size_t width, std::size_t height, void* stream) {
  return fill_2d(target, pitch, value, 2, width, height, stream, Blocking::kNo);
}
WAVETANK_API Status hipMemsetD2D32(void* target, std::size_t pitch, unsigned value,
                                   std::size_t width, std::size_t height) {
  return fill_2d(target, pitch, value, 4, width, height, api::kNullStream, Blocking::kForHost);
}
WAVETANK_API Status hipMemsetD2D32Async(void* target, std::size_t pitch, unsigned value,
                                        std::size_t width, std::size_t height, void* stream) {
  return fill_2d(target, pitch, value, 4, width, height, stream, Blocking::kNo);
}

WAVETANK_API Status hipMemset3D(abi::PitchedPointer target, int value, abi::Extent extent) {
  return fill_3d(target, value, extent, api::kNullStream, Blocking::kForHost);
}
WAVETANK_API Status hipMemset3D_spt(abi::PitchedPointer target, int value, abi::Extent extent) {
  return fill_3d(target, value, extent, api::thread_stream(), Blocking::kForHost);
}
WAVETANK_API Status hipMemset3DAsync(abi::PitchedPointer target, int value, abi::Extent extent,
                                     void* stream) {
  return fill_3d(target, value, extent, stream, Blocking::kNo);
}
WAVETANK_API Status hipMemset3DAsync_spt(abi::PitchedPointer target, int value, abi::Extent extent,
                                         void* stream) {
  return fill_3d(target, value, extent, api::per_thread_handle(stream), Blocking::kNo);
}
