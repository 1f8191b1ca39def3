#include "hip/runtime/handles.hpp"

#include "hip/runtime/code/module.hpp"
#include "hip/runtime/event.hpp"

namespace wavetank::hip {

HandleSet<Event>& event_handles() {
  static auto* handles = new HandleSet<Event>;
  return *handles;
}

HandleSet<Module>& module_handles() {
  static auto* handles = new HandleSet<Module>;
  return *handles;
}

}  // namespace wavetank::hip
