#include "check/bounds_check.hpp"

namespace wavetank::check {

OutOfBounds BoundsCheck::look_up(const machine::DeviceMemory& memory, const LaneRange& range) {
  const auto pointer = [](std::uint64_t address) { return reinterpret_cast<const void*>(address); };
  OutOfBounds result;
  result.address = range.begin;
  if (const auto allocation = memory.find(pointer(range.begin))) {
    const auto begin = reinterpret_cast<std::uint64_t>(allocation->address);
    known_[oldest_++ % known_.size()] = {begin, allocation->size_bytes};
    if (range.end - begin <= allocation->size_bytes) return {};
    result.address = begin + allocation->size_bytes;
  } else if (memory.outside_access_allowed(range.begin, range.end - range.begin)) {
    return {};
  }
  result.found = true;
  if (const auto freed = memory.find_freed(pointer(result.address))) {
    result.freed = true;
    result.near = *freed;
  } else if (const auto before = memory.find_before(pointer(result.address))) {
    result.near = *before;
  }
  return result;
}

}  // namespace wavetank::check
