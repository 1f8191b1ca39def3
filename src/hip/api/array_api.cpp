// HIP API: arrays and channel formats.
#include <algorithm>

#include "hip/api/entry.hpp"
#include "hip/runtime/memory/array.hpp"

using namespace wavetank::hip;
using abi::Status;

namespace {

Status create(abi::Array** array, const ArrayShape& shape) {
  return api::call_outside_capture(
      [&](VirtualDevice& device) { return create_array(device, shape, array); });
}

Status create_runtime_array(abi::Array** array, const abi::ChannelFormat* format,
                            const abi::Extent& extent, unsigned flags) {
  if (format == nullptr) return api::remember(Status::kInvalidValue);
  return create(array, {.width = extent.width,
                        .height = extent.height,
                        .depth = extent.depth,
                        .format = *format,
                        .element_format = array_format(*format),
                        .channels = channel_count(*format),
                        .flags = flags});
}

}  // namespace

WAVETANK_API Status hipMallocArray(abi::Array** array, const abi::ChannelFormat* format,
                                   std::size_t width, std::size_t height, unsigned flags) {
  return create_runtime_array(array, format, {width, height, 0}, flags);
}

WAVETANK_API Status hipMalloc3DArray(abi::Array** array, const abi::ChannelFormat* format,
                                     abi::Extent extent, unsigned flags) {
  return create_runtime_array(array, format, extent, flags);
}

WAVETANK_API Status hipArrayCreate(abi::Array** array, const abi::ArrayDescriptor* wanted) {
  if (wanted == nullptr) return api::remember(Status::kInvalidValue);
  return create(array, {.width = wanted->width,
                        .height = wanted->height,
                        .format = channel_format(wanted->format, wanted->channels),
                        .element_format = wanted->format,
                        .channels = wanted->channels,
                        .is_driver = true});
}

WAVETANK_API Status hipArray3DCreate(abi::Array** array, const abi::Array3dDescriptor* wanted) {
  if (wanted == nullptr) return api::remember(Status::kInvalidValue);
  return create(array, {.width = wanted->width,
                        .height = wanted->height,
                        .depth = wanted->depth,
                        .format = channel_format(wanted->format, wanted->channels),
                        .element_format = wanted->format,
                        .channels = wanted->channels,
                        .flags = wanted->flags,
                        .is_driver = true});
}

WAVETANK_API Status hipFreeArray(abi::Array* array) {
  return api::call([&] { return array == nullptr ? Status::kInvalidValue : destroy_array(array); });
}
WAVETANK_API Status hipArrayDestroy(abi::Array* array) { return hipFreeArray(array); }

WAVETANK_API Status hipArrayGetInfo(abi::ChannelFormat* format, abi::Extent* extent,
                                    unsigned* flags, abi::Array* array) {
  return api::call([&] {
    if (!is_array(array)) return Status::kInvalidHandle;
    if (format != nullptr) *format = array->format;
    if (extent != nullptr) *extent = {array->width, array->height, array->depth};
    if (flags != nullptr) *flags = array->type;
    return Status::kSuccess;
  });
}

WAVETANK_API Status hipArrayGetDescriptor(abi::ArrayDescriptor* descriptor, abi::Array* array) {
  return api::call([&] {
    if (!is_array(array)) return Status::kInvalidHandle;
    if (descriptor == nullptr) return Status::kInvalidValue;
    *descriptor = {array->width, array->height, array->element_format, array->channels};
    return Status::kSuccess;
  });
}

WAVETANK_API Status hipArray3DGetDescriptor(abi::Array3dDescriptor* descriptor, abi::Array* array) {
  return api::call([&] {
    if (!is_array(array)) return Status::kInvalidHandle;
    if (descriptor == nullptr) return Status::kInvalidValue;
    *descriptor = {array->width,          array->height,   array->depth,
                   array->element_format, array->channels, array->type};
    return Status::kSuccess;
  });
}

WAVETANK_API abi::ChannelFormat hipCreateChannelDesc(int x, int y, int z, int w,
                                                     abi::ChannelKind kind) {
  return {x, y, z, w, kind};
}

WAVETANK_API Status hipGetChannelDesc(abi::ChannelFormat* format, const abi::Array* array) {
  return api::call([&] {
    if (format == nullptr || !is_array(array)) return Status::kInvalidValue;
    *format = array->format;
    return Status::kSuccess;
  });
}
