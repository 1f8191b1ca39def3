#include "hip/rtc/program.hpp"

namespace wavetank::hip::rtc {

// Never destroyed: exit handlers of the program may still use them.
Registry<Program>& programs() {
  static auto* registry = new Registry<Program>;
  return *registry;
}

Registry<LinkState>& link_states() {
  static auto* registry = new Registry<LinkState>;
  return *registry;
}

}  // namespace wavetank::hip::rtc
