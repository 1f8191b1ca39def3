// HIP arrays: here plain rows of elements, which image resources describe as linear memory.
#pragma once

#include <cstddef>
#include <memory>

#include "hip/abi/status.hpp"
#include "hip/abi/types.hpp"
#include "hip/runtime/operation.hpp"

namespace wavetank::hip {

class VirtualDevice;

/// What an array is made from; height and depth 0 mean one row, one slice.
struct ArrayShape {
  std::size_t width = 0;  ///< elements
  std::size_t height = 0;
  std::size_t depth = 0;
  abi::ChannelFormat format{};
  abi::ArrayFormat element_format = abi::ArrayFormat::kFloat;
  unsigned channels = 1;
  unsigned flags = 0;
  bool is_driver = false;
};

/// Bytes of one element.
std::size_t element_bytes(const abi::Array& array);
/// The runtime API's format for a driver format, and the reverse (float for what has none).
abi::ChannelFormat channel_format(abi::ArrayFormat format, unsigned channels);
abi::ArrayFormat array_format(const abi::ChannelFormat& format);
unsigned channel_count(const abi::ChannelFormat& format);

/// Allocates an array. Errors: kNotSupported (a device without images, as AMD's runtime says),
/// kInvalidValue (a size or a format that images do not have, unknown flags), kOutOfMemory.
abi::Status create_array(VirtualDevice& device, const ArrayShape& shape, abi::Array** array);
/// Frees an array; kInvalidHandle (kContextIsDestroyed for the driver API) for no array.
abi::Status destroy_array(abi::Array* array);
/// True for a live array.
bool is_array(const abi::Array* array);

/// The array's memory from element column `x_bytes`, row `y` and slice `z` on; without an address
/// for a place that is not in the array.
PitchedBytes array_box(const abi::Array& array, std::size_t x_bytes, std::size_t y, std::size_t z);
/// Rows of an array's memory that a copy in linear order sees.
std::size_t row_bytes(const abi::Array& array);

}  // namespace wavetank::hip
