#include "execute/invalid_op.hpp"

namespace wavetank::execute {

const Op* run_invalid(machine::Wave& wave, const Op* op) {
  return leave(wave, op, machine::Stop::kUnsupported);
}

}  // namespace wavetank::execute
