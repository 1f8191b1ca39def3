#include "hip/graph/user_object.hpp"

#include <algorithm>
#include <mutex>
#include <unordered_set>

#include "hip/graph/graph.hpp"

namespace wavetank::hip {
namespace {

std::unordered_set<const UserObject*>& live_objects() {
  static auto* objects = new std::unordered_set<const UserObject*>;
  return *objects;
}

}  // namespace

UserObject* UserObject::create(void* object, void (*destroy)(void*), unsigned references) {
  auto* made = new UserObject(object, destroy, references);
  live_objects().insert(made);
  return made;
}

bool UserObject::is_live(const UserObject* object) { return live_objects().contains(object); }

void UserObject::release(unsigned count) {
  references_ -= std::min(count, references_);
  if (references_ != 0) return;
  live_objects().erase(this);
  destroy_(object_);
  delete this;
}

UserObjectReferences::UserObjectReferences(const UserObjectReferences& other)
    : held_(other.held_) {
  for (const auto& [object, count] : held_) object->retain(count);
}

UserObjectReferences::~UserObjectReferences() {
  const std::lock_guard lock(graph_mutex());
  for (const auto& [object, count] : held_) object->release(count);
}

bool UserObjectReferences::release(UserObject& object, unsigned count) {
  const auto found = held_.find(&object);
  if (found == held_.end()) return false;
  const unsigned given = std::min(count, found->second);
  found->second -= given;
  if (found->second == 0) held_.erase(found);
  object.release(given);
  return true;
}

}  // namespace wavetank::hip
