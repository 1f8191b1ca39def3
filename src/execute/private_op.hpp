// What a wave may execute before others know of it.
#pragma once

#include "execute/op.hpp"

namespace wavetank::execute {

/// True for an instruction that neither reads nor changes anything but its wave's registers, and
/// goes on behind itself: when it is executed shows nowhere. Clocks are read by scalar memory
/// instructions.
bool is_private(const Op& op);

}  // namespace wavetank::execute
