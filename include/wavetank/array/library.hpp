// What AMD's libraries have in common: a status that is checked, and a handle through which a
// thread calls the library.
#pragma once

#include <map>

#include "stream.hpp"

namespace wavetank::detail {

/// Throws library_error unless `status` is 0, which is success in all of AMD's libraries; `call`
/// says in words what was tried.
template <class Status>
void library_check(const char* library, Status status, const char* call) {
  if (static_cast<int>(status) != 0) throw library_error(library, static_cast<int>(status), call);
}

/// This thread's handle of `library` for the current device, which works on the current stream. The
/// library's functions make one and give it a stream. Handles last as long as the process, since a
/// library may be taken down before the thread's variables are.
template <class Handle, auto Create, auto SetStream>
Handle library_handle(const char* library) {
  static thread_local auto& handles = *new std::map<int, Handle>;
  int device = 0;
  check(hipGetDevice(&device), "asking for the current device");
  auto found = handles.find(device);
  if (found == handles.end()) {
    Handle made{};
    library_check(library, Create(&made), "preparing the library");
    found = handles.emplace(device, made).first;
  }
  library_check(library, SetStream(found->second, current_stream()), "choosing its stream");
  return found->second;
}

}  // namespace wavetank::detail
