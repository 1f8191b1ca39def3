// Numbers by which looks at a wave tell whether it got further.
#pragma once

#include <cstdint>

#include "machine/wave.hpp"

namespace wavetank::dispatch {

/// Another number, almost certainly, if the wave's place or scalar registers are others ...
std::uint64_t scalar_number(const machine::Wave& wave);
/// ... or its vector registers, which are many.
std::uint64_t vector_number(const machine::Wave& wave);

}  // namespace wavetank::dispatch
