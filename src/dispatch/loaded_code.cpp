#include "dispatch/loaded_code.hpp"

#include <algorithm>

namespace wavetank::dispatch {
namespace {

std::uint64_t begin_of(const code_object::LoadedCodeObject& object) {
  return reinterpret_cast<std::uint64_t>(object.base);
}

std::uint64_t end_of(const code_object::LoadedCodeObject& object) {
  return begin_of(object) + object.object.memory_size_bytes;
}

}  // namespace

const code_object::Segment* executable_segment(const code_object::LoadedCodeObject& object,
                                               std::uint64_t address) {
  const auto& segments = object.object.segments;
  const auto found = std::ranges::find_if(segments, [&](const code_object::Segment& segment) {
    const std::uint64_t offset = address - begin_of(object) - segment.address;
    return segment.executable && offset < segment.memory_size_bytes;
  });
  return found == segments.end() ? nullptr : &*found;
}

void LoadedCode::add(const std::shared_ptr<const code_object::LoadedCodeObject>& object) {
  const std::lock_guard lock(mutex_);
  std::erase_if(objects_, [&](const auto& entry) {
    const auto other = entry.second.lock();
    return other == nullptr ||
           (begin_of(*other) < end_of(*object) && begin_of(*object) < end_of(*other));
  });
  objects_.emplace(end_of(*object), object);
}

void LoadedCode::remove(const code_object::LoadedCodeObject& object) {
  const std::lock_guard lock(mutex_);
  std::erase_if(objects_, [&](const auto& entry) { return entry.second.lock().get() == &object; });
}

bool LoadedCode::lists(const code_object::LoadedCodeObject& object) const {
  const std::lock_guard lock(mutex_);
  const auto found = objects_.find(end_of(object));
  return found != objects_.end() && found->second.lock().get() == &object;
}

LoadedSegment LoadedCode::at(std::uint64_t address) const {
  const std::lock_guard lock(mutex_);
  const auto found = objects_.upper_bound(address);
  if (found == objects_.end()) return {};
  LoadedSegment loaded{.object = found->second.lock()};
  if (loaded.object != nullptr) loaded.segment = executable_segment(*loaded.object, address);
  return loaded.segment == nullptr ? LoadedSegment{} : loaded;
}

}  // namespace wavetank::dispatch
