// What a wave may execute before others know of it.
#pragma once

#include "execute/op.hpp"

namespace wavetank::execute {

/// True for an instruction that neither reads nor changes anything but its wave's registers, and
/// goes on behind itself: when it is executed shows nowhere. Clocks are read by scalar memory
/// instructions.
bool is_private(const Op& op);

/// True for a branch to a place that its code says: the same but for where it goes on, which its
/// wave's registers decide.
bool is_private_branch(const Op& op);

}  // namespace wavetank::execute
