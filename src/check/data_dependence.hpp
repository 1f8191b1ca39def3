// What a wave may do otherwise because of what it finds in memory.
#pragma once

#include "machine/flow.hpp"

namespace wavetank::check {

/// True if where a wave goes, or which memory it touches, may depend on data that it loads from
/// memory which other workgroups can change. What it loads through pointers that it was started
/// with (the kernel's arguments) is not such data. Code that calls functions is taken for
/// dependent.
bool is_led_by_data(const machine::Flow& flow);

}  // namespace wavetank::check
