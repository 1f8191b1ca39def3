// Which memory devices cache, and which they do not because the host or another device looks at it
// while a kernel runs.
#include <fmt/format.h>

#include <mutex>

#include "machine/device_memory.hpp"
#include "machine/page_table.hpp"

namespace wavetank::machine {

Allocation* DeviceMemory::find_known(std::uint64_t address) {
  if (address >= arena_begin_ && address < arena_end_) {
    const auto found = find_containing(allocations_, address);
    return found == allocations_.end() ? nullptr : &found->second;
  }
  const Allocation* const found = find_registered(address, 1);
  return found == nullptr ? nullptr : &registered_.at(number_of(found->address));
}

Result<void> DeviceMemory::set_fine_grained(const void* address, bool fine_grained) {
  const std::unique_lock lock(mutex_);
  Allocation* const allocation = find_known(number_of(address));
  if (allocation == nullptr) {
    return fail(ErrorCode::kUsage, fmt::format("{} is no allocation", fmt::ptr(address)));
  }
  if (allocation->fine_grained == fine_grained) return {};
  allocation->fine_grained = fine_grained;
  if (allocation->kind != MemoryKind::kDevice) return {};
  if (fine_grained)
    ++fine_grained_device_allocations_;
  else
    --fine_grained_device_allocations_;
  return {};
}

GrainRange DeviceMemory::grain_at(std::uint64_t address) const {
  const std::uint64_t host_begin = host_range_.begin;
  const bool on_device = address >= arena_begin_ && address < host_begin;
  if (on_device && fine_grained_device_allocations_.load(std::memory_order_relaxed) == 0) {
    return {arena_begin_, host_begin - arena_begin_, false};
  }
  const auto allocation = find(reinterpret_cast<const void*>(address));
  if (allocation) {
    return {number_of(allocation->address), allocation->size_bytes, allocation->fine_grained};
  }
  const bool inside = address >= arena_begin_ && address < arena_end_;
  return {address, 1, !inside};
}

}  // namespace wavetank::machine
