#include "hip/runtime/checked/program_memory.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace wavetank::hip {

void ProgramMemory::put(ProgramObject object) {
  const std::lock_guard lock(mutex_);
  objects_[object.begin] = std::move(object);
}

void ProgramMemory::allocate(const void* address, std::uint64_t size_bytes, bool host_sees,
                             bool shares_pages) {
  ProgramObject object;
  object.begin = reinterpret_cast<std::uint64_t>(address);
  object.size_bytes = size_bytes;
  object.allocated = current_call_site();
  object.host_sees = host_sees;
  object.shares_pages = shares_pages;
  put(std::move(object));
}

void ProgramMemory::add_variable(const void* address, std::uint64_t size_bytes, std::string name,
                                 bool host_sees) {
  ProgramObject object;
  object.begin = reinterpret_cast<std::uint64_t>(address);
  object.size_bytes = size_bytes;
  object.name = std::move(name);
  object.host_sees = host_sees;
  put(std::move(object));
}

void ProgramMemory::free(const void* address) {
  const CallSite site = current_call_site();
  const std::lock_guard lock(mutex_);
  const auto found = objects_.find(reinterpret_cast<std::uint64_t>(address));
  if (found == objects_.end()) return;
  found->second.freed = site;
  found->second.is_freed = true;
}

std::optional<check::Extent> ProgramMemory::variable_at(std::uint64_t address) const {
  const std::lock_guard lock(mutex_);
  const ProgramObject* const object = object_at(address);
  if (object == nullptr || object->name.empty()) return std::nullopt;
  return check::Extent{object->begin, object->size_bytes};
}

bool ProgramMemory::has_variable_in(const check::Extent& bytes) const {
  const std::lock_guard lock(mutex_);
  const auto first = objects_.lower_bound(bytes.begin);
  const auto last = objects_.lower_bound(bytes.begin + bytes.size_bytes);
  return std::any_of(first, last, [](const auto& entry) { return !entry.second.name.empty(); });
}

std::optional<ProgramObject> ProgramMemory::find(std::uint64_t address) const {
  const std::lock_guard lock(mutex_);
  const ProgramObject* const object = object_at(address);
  return object == nullptr ? std::nullopt : std::optional(*object);
}

/// For holders of the lock; nullptr if there is none.
const ProgramObject* ProgramMemory::object_at(std::uint64_t address) const {
  const auto next = objects_.upper_bound(address);
  if (next == objects_.begin()) return nullptr;
  const ProgramObject& object = std::prev(next)->second;
  return address - object.begin < object.size_bytes ? &object : nullptr;
}

}  // namespace wavetank::hip
