// User objects: things of the program that graphs keep alive (hipUserObjectCreate).
#pragma once

#include <map>

#include "hip/abi/graph_types.hpp"

namespace wavetank::hip {

/// hipUserObject_t: a counted reference to something that the program destroys. It deletes itself
/// with its last reference. All of it is guarded by graph_mutex().
class UserObject {
 public:
  /// Makes an object with `references` references of the program's.
  static UserObject* create(void* object, void (*destroy)(void* object), unsigned references);
  /// True for a live object.
  static bool is_live(const UserObject* object);

  unsigned references() const { return references_; }
  void retain(unsigned count) { references_ += count; }
  /// Gives up to `count` references back; with the last one the program's function is called.
  void release(unsigned count);

 private:
  UserObject(void* object, void (*destroy)(void*), unsigned references)
      : object_(object), destroy_(destroy), references_(references) {}

  void* const object_;
  void (*const destroy_)(void*);
  unsigned references_;
};

/// The references that a graph holds; gives them back when destroyed.
class UserObjectReferences {
 public:
  UserObjectReferences() = default;
  /// A copy holds as many references of its own.
  UserObjectReferences(const UserObjectReferences& other);
  UserObjectReferences& operator=(const UserObjectReferences&) = delete;
  ~UserObjectReferences();

  bool empty() const { return held_.empty(); }
  /// Takes over `count` references that someone retained.
  void adopt(UserObject& object, unsigned count) { held_[&object] += count; }
  /// Gives up to `count` references back; false if none is held.
  bool release(UserObject& object, unsigned count);

 private:
  std::map<UserObject*, unsigned> held_;
};

}  // namespace wavetank::hip
