// Buffer accesses that convert between registers and a memory format.
#pragma once

#include "execute/op.hpp"

namespace wavetank::execute {

/// Bytes of the texel that a formatted buffer access moves for each lane; 0 if the resource or the
/// instruction names no format.
unsigned texel_bytes(const machine::Wave& wave, const Op* op);

}  // namespace wavetank::execute
