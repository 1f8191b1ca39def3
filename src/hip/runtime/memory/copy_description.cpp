#include "hip/runtime/memory/copy_description.hpp"

#include "hip/abi/generation.hpp"
#include "hip/runtime/memory/allocation.hpp"
#include "hip/runtime/memory/array.hpp"
#include "hip/runtime/runtime.hpp"

namespace wavetank::hip {
namespace {

using abi::MemoryType;
using abi::Status;

/// Memory from byte `x_bytes` of row `y` of slice `z` on; without an address for a place that no
/// address can name, or that is not in the allocation which the memory is part of.
PitchedBytes box_at(const void* memory, std::size_t pitch, std::size_t rows, std::size_t x_bytes,
                    std::size_t y, std::size_t z) {
  const auto begin = reinterpret_cast<std::uintptr_t>(memory);
  std::uintptr_t place = 0;
  std::size_t slice = 0, y_bytes = 0, z_bytes = 0;
  const bool named = !__builtin_mul_overflow(pitch, rows, &slice) &&
                     !__builtin_mul_overflow(y, pitch, &y_bytes) &&
                     !__builtin_mul_overflow(z, slice, &z_bytes) &&
                     !__builtin_add_overflow(begin, x_bytes, &place) &&
                     !__builtin_add_overflow(place, y_bytes, &place) &&
                     !__builtin_add_overflow(place, z_bytes, &place);
  if (!named) return {nullptr, pitch, slice};
  const machine::DeviceMemory& device_memory = Runtime::instance().memory();
  const auto around = find_allocation(device_memory, memory);
  if (around) {
    const auto end = reinterpret_cast<std::uintptr_t>(around->address) + around->size_bytes;
    if (place > end) return {nullptr, pitch, slice};
  } else if (begin >= device_memory.arena_begin() && begin < device_memory.arena_end()) {
    return {nullptr, pitch, slice};  // a device address that is not allocated
  }
  return {reinterpret_cast<std::byte*>(place), pitch, slice};
}

PitchedBytes pitched_box(const abi::PitchedPointer& pitched, const abi::Position& position,
                         std::size_t rows) {
  return box_at(pitched.pointer, pitched.pitch, pitched.height == 0 ? rows : pitched.height,
                position.x, position.y, position.z);
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
  box = box_at(memory, pitch, side.height == 0 ? side.y + rows : side.height, side.x_bytes, side.y,
               side.z);
  return Status::kSuccess;
}

}  // namespace

Status describe_copy(const abi::Memcpy3d& wanted, CopyOperation& copy) {
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

Status describe_driver_copy(const abi::DriverMemcpy3dWide& wanted, CopyOperation& copy) {
  const abi::DriverMemcpy3dWide& p = wanted;
  copy.width_bytes = p.width_bytes;
  copy.height = p.height;
  copy.depth = p.depth;
  const DriverSide source{p.source_type,    p.source_host,  p.source_device,
                          p.source_array,   p.source_pitch, p.source_height,
                          p.source_x_bytes, p.source_y,     p.source_z};
  const Status status = driver_box(source, p.width_bytes, p.height, copy.source);
  if (status != Status::kSuccess) return status;
  const DriverSide target{p.target_type,    p.target_host,  p.target_device,
                          p.target_array,   p.target_pitch, p.target_height,
                          p.target_x_bytes, p.target_y,     p.target_z};
  return driver_box(target, p.width_bytes, p.height, copy.target);
}

}  // namespace wavetank::hip
