#include "hip/graph/user_object.hpp"

#include <algorithm>
#include <mutex>
#include <unordered_map>

#include "hip/graph/graph_mutex.hpp"

namespace wavetank::hip {
namespace {

std::unordered_map<const UserObject*, std::shared_ptr<UserObject>>& live_objects() {
  static auto* objects = new std::unordered_map<const UserObject*, std::shared_ptr<UserObject>>;
  return *objects;
}

}  // namespace

UserObject* UserObject::create(void* object, void (*destroy)(void*), unsigned references) {
  const std::shared_ptr<UserObject> made(new UserObject(object, destroy, references));
  live_objects().emplace(made.get(), made);
  return made.get();
}

std::shared_ptr<UserObject> UserObject::find(const UserObject* handle) {
  const auto found = live_objects().find(handle);
  return found == live_objects().end() ? nullptr : found->second;
}

void UserObject::release(std::uint64_t count) {
  if (references_ == 0) return;
  references_ -= std::min(count, references_);
  if (references_ != 0) return;
  const auto alive_until_here = live_objects().extract(this);
  destroy_(object_);
}

UserObjectReferences::UserObjectReferences(const UserObjectReferences& other) {
  for (const auto& [object, count] : other.held_) {
    if (object->references() == 0) continue;
    object->retain(count);
    held_.emplace(object, count);
  }
}

UserObjectReferences::~UserObjectReferences() {
  const std::lock_guard lock(graph_mutex());
  for (const auto& [object, count] : held_) object->release(count);
}

void UserObjectReferences::release(const std::shared_ptr<UserObject>& object, unsigned count) {
  const auto found = held_.find(object);
  if (found == held_.end() || found->second < count || object->references() < count) return;
  found->second -= count;
  if (found->second == 0) held_.erase(found);
  object->release(count);
}

}  // namespace wavetank::hip
