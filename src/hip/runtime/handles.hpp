// The live handles that programs hold, so that a stale or foreign pointer is an error and no crash.
#pragma once

#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>

namespace wavetank::hip {
class Event;
class Module;
}  // namespace wavetank::hip

namespace wavetank::hip {

/// Owns objects whose addresses are handles. Safe from any thread.
template <class Object>
class HandleSet {
 public:
  /// Takes an object and gives its handle.
  Object* add(std::unique_ptr<Object> object) {
    Object* handle = object.get();
    const std::lock_guard lock(mutex_);
    objects_.emplace(handle, std::move(object));
    return handle;
  }
  /// Destroys an object; false if the handle is none.
  bool remove(const Object* handle) {
    std::unique_ptr<Object> removed;
    const std::lock_guard lock(mutex_);
    const auto found = objects_.find(handle);
    if (found == objects_.end()) return false;
    removed = std::move(found->second);
    objects_.erase(found);
    return true;
  }
  bool contains(const Object* handle) const {
    const std::lock_guard lock(mutex_);
    return objects_.contains(handle);
  }

 private:
  mutable std::mutex mutex_;
  std::unordered_map<const Object*, std::unique_ptr<Object>> objects_;
};

/// All events and all modules that the program loaded itself. Never destroyed.
HandleSet<Event>& event_handles();
HandleSet<Module>& module_handles();

}  // namespace wavetank::hip
