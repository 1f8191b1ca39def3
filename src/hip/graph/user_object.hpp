// User objects: things of the program that graphs keep alive (hipUserObjectCreate).
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <utility>

#include "hip/abi/graph_types.hpp"

namespace wavetank::hip {

/// hipUserObject_t: a counted reference to something that the program destroys. What counts is the
/// sum of all references: a graph may be told that more were moved to it than there are, and the
/// object is gone with the last all the same. All of it is guarded by graph_mutex().
class UserObject {
 public:
  /// Makes an object with `references` references of the program's, and gives its handle.
  static UserObject* create(void* object, void (*destroy)(void* object), unsigned references);
  /// The live object of a handle, or nullptr.
  static std::shared_ptr<UserObject> find(const UserObject* handle);

  std::uint64_t references() const { return references_; }
  void retain(std::uint64_t count) { references_ += count; }
  /// Gives up to `count` references back; with the last one the program's function is called, and
  /// the handle is none any more. Nothing happens to an object that is gone.
  void release(std::uint64_t count);

 private:
  UserObject(void* object, void (*destroy)(void*), unsigned references)
      : object_(object), destroy_(destroy), references_(references) {}

  void* const object_;
  void (*const destroy_)(void*);
  std::uint64_t references_;
};

/// The references that a graph holds; gives them back when destroyed. It keeps what stands for an
/// object that is gone, so that no new object has its handle meanwhile.
class UserObjectReferences {
 public:
  UserObjectReferences() = default;
  /// A copy holds as many references of its own.
  UserObjectReferences(const UserObjectReferences& other);
  UserObjectReferences& operator=(const UserObjectReferences&) = delete;
  ~UserObjectReferences();

  bool empty() const { return held_.empty(); }
  /// Takes over `count` references that someone retained.
  void adopt(std::shared_ptr<UserObject> object, unsigned count) {
    held_[std::move(object)] += count;
  }
  /// Gives `count` references back; nothing happens when fewer are held or there are fewer.
  void release(const std::shared_ptr<UserObject>& object, unsigned count);

 private:
  std::map<std::shared_ptr<UserObject>, std::uint64_t> held_;
};

}  // namespace wavetank::hip
