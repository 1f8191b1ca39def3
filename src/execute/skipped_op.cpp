#include "execute/skipped_op.hpp"

namespace wavetank::execute {

const Op* run_skipped(machine::Wave&, const Op* op) { return op + op->dwords; }

}  // namespace wavetank::execute
