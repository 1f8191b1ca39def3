// Live objects behind opaque handles, so that a stale or wild handle is told from a good one.
#pragma once

#include <memory>
#include <mutex>
#include <unordered_map>

namespace wavetank::hip::rtc {

template <class Object>
class Registry {
 public:
  /// Keeps the object; its handle is its address.
  Object* add(std::shared_ptr<Object> object) {
    const std::lock_guard lock(mutex_);
    Object* handle = object.get();
    live_.emplace(handle, std::move(object));
    return handle;
  }
  /// The object of a handle, or nullptr.
  std::shared_ptr<Object> find(const Object* handle) const {
    const std::lock_guard lock(mutex_);
    const auto found = live_.find(handle);
    return found == live_.end() ? nullptr : found->second;
  }
  /// False for a handle that is none.
  bool remove(const Object* handle) {
    const std::lock_guard lock(mutex_);
    return live_.erase(handle) != 0;
  }

 private:
  mutable std::mutex mutex_;
  std::unordered_map<const Object*, std::shared_ptr<Object>> live_;
};

}  // namespace wavetank::hip::rtc
