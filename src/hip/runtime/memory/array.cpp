#include "hip/runtime/memory/array.hpp"

#include <algorithm>
#include <mutex>
#include <unordered_map>

#include "hip/runtime/image_words.hpp"
#include "hip/runtime/memory/allocation.hpp"
#include "hip/runtime/memory/deallocation.hpp"
#include "hip/runtime/virtual_device.hpp"

namespace wavetank::hip {
namespace {

using abi::ArrayFormat;
using abi::ChannelKind;
using abi::Status;

struct LiveArrays {
  std::mutex mutex;
  std::unordered_map<const abi::Array*, std::unique_ptr<abi::Array>> arrays;
};

LiveArrays& live() {
  static auto* arrays = new LiveArrays;
  return *arrays;
}

int bits_of(ArrayFormat format) {
  switch (format) {
    case ArrayFormat::kUnsignedInt8:
    case ArrayFormat::kSignedInt8: return 8;
    case ArrayFormat::kUnsignedInt16:
    case ArrayFormat::kSignedInt16:
    case ArrayFormat::kHalf: return 16;
    case ArrayFormat::kUnsignedInt32:
    case ArrayFormat::kSignedInt32:
    case ArrayFormat::kFloat: return 32;
  }
  return 0;
}

ChannelKind kind_of(ArrayFormat format) {
  switch (format) {
    case ArrayFormat::kSignedInt8:
    case ArrayFormat::kSignedInt16:
    case ArrayFormat::kSignedInt32: return ChannelKind::kSigned;
    case ArrayFormat::kHalf:
    case ArrayFormat::kFloat: return ChannelKind::kFloat;
    default: return ChannelKind::kUnsigned;
  }
}

/// What images can be: AMD's runtime has no cube maps, and gathers from two dimensions only.
bool is_array_shape(const ArrayShape& shape) {
  constexpr unsigned kKnownFlags =
      abi::kArrayLayered | abi::kArraySurfaceLoadStore | abi::kArrayTextureGather;
  if ((shape.flags & ~kKnownFlags) != 0) return false;
  const bool is_2d = shape.height != 0 && shape.depth == 0;
  if ((shape.flags & abi::kArrayTextureGather) != 0 && !is_2d) return false;
  const unsigned channels = ElementFormat{.channels = shape.format}.components();
  if (channels == 0 || channels == 3 || channels != shape.channels) return false;
  if (shape.width == 0 || shape.width > kMostImageElements) return false;
  if (shape.height > kMostImageElements || shape.depth > kMostImageLayers) return false;
  const bool layered = (shape.flags & abi::kArrayLayered) != 0;
  return shape.height != 0 || shape.depth == 0 || layered;
}

}  // namespace

std::size_t element_bytes(const abi::Array& array) {
  const abi::ChannelFormat& f = array.format;
  return static_cast<std::size_t>(f.x + f.y + f.z + f.w) / 8;
}

abi::ChannelFormat channel_format(ArrayFormat format, unsigned channels) {
  const int bits = bits_of(format);
  return {bits, channels > 1 ? bits : 0, channels > 2 ? bits : 0, channels > 3 ? bits : 0,
          kind_of(format)};
}

ArrayFormat array_format(const abi::ChannelFormat& format) {
  if (format.kind == ChannelKind::kFloat) {
    return format.x == 16 ? ArrayFormat::kHalf : ArrayFormat::kFloat;
  }
  const bool is_signed = format.kind == ChannelKind::kSigned;
  switch (format.x) {
    case 8: return is_signed ? ArrayFormat::kSignedInt8 : ArrayFormat::kUnsignedInt8;
    case 16: return is_signed ? ArrayFormat::kSignedInt16 : ArrayFormat::kUnsignedInt16;
    default: return is_signed ? ArrayFormat::kSignedInt32 : ArrayFormat::kUnsignedInt32;
  }
}

unsigned channel_count(const abi::ChannelFormat& format) {
  return static_cast<unsigned>((format.x > 0) + (format.y > 0) + (format.z > 0) + (format.w > 0));
}

std::size_t row_bytes(const abi::Array& array) { return array.width * element_bytes(array); }

Status create_array(VirtualDevice& device, const ArrayShape& shape, abi::Array** array) {
  if (!device.has_images()) return Status::kNotSupported;
  if (array == nullptr || !is_array_shape(shape)) return Status::kInvalidValue;
  auto made = std::make_unique<abi::Array>();
  *made = {.data = nullptr,
           .format = shape.format,
           .type = shape.flags,
           .width = static_cast<std::uint32_t>(shape.width),
           .height = static_cast<std::uint32_t>(shape.height),
           .depth = static_cast<std::uint32_t>(shape.depth),
           .element_format = shape.element_format,
           .channels = shape.channels,
           .is_driver = shape.is_driver,
           .texture_type = 0};
  const std::size_t rows = std::max<std::size_t>(shape.height, 1);
  const std::size_t slices = std::max<std::size_t>(shape.depth, 1);
  const Status status = allocate_memory(device, &made->data, row_bytes(*made) * rows * slices,
                                        machine::MemoryKind::kDevice);
  if (status != Status::kSuccess) return status;
  *array = made.get();
  const std::lock_guard lock(live().mutex);
  live().arrays.emplace(made.get(), std::move(made));
  return Status::kSuccess;
}

Status destroy_array(abi::Array* array) {
  std::unique_ptr<abi::Array> removed;
  {
    const std::lock_guard lock(live().mutex);
    const auto found = live().arrays.find(array);
    if (found == live().arrays.end()) return Status::kContextIsDestroyed;
    removed = std::move(found->second);
    live().arrays.erase(found);
  }
  return free_memory(removed->data);
}

bool is_array(const abi::Array* array) {
  const std::lock_guard lock(live().mutex);
  return live().arrays.contains(array);
}

PitchedBytes array_box(const abi::Array& array, std::size_t x_bytes, std::size_t y, std::size_t z) {
  const std::size_t pitch = row_bytes(array);
  const std::size_t slice = pitch * std::max<std::uint32_t>(array.height, 1);
  const bool inside = x_bytes <= pitch && y <= std::max<std::uint32_t>(array.height, 1) &&
                      z <= std::max<std::uint32_t>(array.depth, 1);
  auto* const memory = static_cast<std::byte*>(array.data);
  return {inside ? memory + z * slice + y * pitch + x_bytes : nullptr, pitch, slice};
}

}  // namespace wavetank::hip
