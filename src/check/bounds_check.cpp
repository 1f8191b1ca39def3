#include "check/bounds_check.hpp"

namespace wavetank::check {
namespace {

const void* pointer(std::uint64_t address) { return reinterpret_cast<const void*>(address); }

Extent extent_of(const machine::Allocation& object) {
  return {reinterpret_cast<std::uint64_t>(object.address), object.size_bytes};
}

}  // namespace

/// The variable, the arguments or the allocation that holds an address.
std::optional<machine::Allocation> BoundsCheck::object_at(const machine::DeviceMemory& memory,
                                                          std::uint64_t address) const {
  std::optional<machine::Allocation> object = memory.find(pointer(address));
  if (!object) return object;
  if (is_of_arguments(extent_of(*object))) {
    if (address - arguments_.begin >= arguments_.size_bytes) return std::nullopt;
    object->address = reinterpret_cast<std::byte*>(arguments_.begin);
    object->size_bytes = arguments_.size_bytes;
    return object;
  }
  if (variables_ == nullptr) return object;
  if (const auto variable = variables_->variable_at(address)) {
    object->address = reinterpret_cast<std::byte*>(variable->begin);
    object->size_bytes = variable->size_bytes;
  }
  return object;
}

BoundsCheck::Known BoundsCheck::known_object(const machine::Allocation& object,
                                             std::uint64_t address) const {
  const Extent extent = extent_of(object);
  if (variables_ == nullptr || variables_->variable_at(address)) return {extent, true};
  return {extent, !variables_->has_variable_in(extent)};
}

OutOfBounds BoundsCheck::look_up(const machine::DeviceMemory& memory, const LaneRange& range,
                                 std::uint64_t base) {
  OutOfBounds result;
  result.address = range.begin;
  if (base != 0) {
    const auto object = object_at(memory, base);
    const bool is_begin = object && extent_of(*object).begin == base;
    if (!is_begin) {
      inner_base(base) = base;
    } else if (const Extent extent = extent_of(*object); !extent.holds(range.begin, range.end)) {
      const bool begins_inside = range.begin - base < extent.size_bytes;
      result.address = begins_inside ? base + extent.size_bytes : range.begin;
      result.near = *object;
      result.found = result.elsewhere = object_at(memory, result.address).has_value();
      result.of_arguments = is_of_arguments(extent);
      if (result.found) return result;
    }
  }
  if (const auto object = object_at(memory, range.begin)) {
    const Extent extent = extent_of(*object);
    known_[oldest_++ % known_.size()] = known_object(*object, range.begin);
    if (extent.holds(range.begin, range.end)) return {};
    result.address = extent.begin + extent.size_bytes;
  } else if (memory.outside_access_allowed(range.begin, range.end - range.begin)) {
    return {};
  }
  result.found = true;
  set_near(memory, range, result);
  return result;
}

/// What lies at, or before, an address that is nobody's.
void BoundsCheck::set_near(const machine::DeviceMemory& memory, const LaneRange& range,
                           OutOfBounds& result) const {
  if (const auto freed = memory.find_freed(pointer(result.address))) {
    result.freed = true;
    result.near = *freed;
  } else if (const auto inside = object_at(memory, range.begin)) {
    result.near = *inside;
  } else if (const auto before = memory.find_before(pointer(result.address))) {
    // The device's last allocation has nothing to do with a pointer of the host.
    const bool is_hosts =
        result.address >= memory.arena_end() && extent_of(*before).begin < memory.arena_end();
    if (!is_hosts) result.near = *before;
  }
  constexpr std::uint64_t kFarthestBefore = 4096;  // a negative index
  const bool is_before =
      arguments_.size_bytes != 0 && arguments_.begin - result.address - 1 < kFarthestBefore;
  result.of_arguments = is_before || is_of_arguments(extent_of(result.near));
  if (!result.of_arguments) return;
  result.near.address = reinterpret_cast<std::byte*>(arguments_.begin);
  result.near.size_bytes = arguments_.size_bytes;
}

}  // namespace wavetank::check
