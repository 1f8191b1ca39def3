#include "execute/invalid_op.hpp"

namespace wavetank::execute {

const Op* run_invalid(machine::Wave& wave, const Op* op) {
  wave.stop = machine::Stop::kUnsupported;
  wave.next = op;
  return nullptr;
}

}  // namespace wavetank::execute
