// Which lane masks are parts of others, as far as the instructions that made them tell.
#pragma once

#include <cstdint>

#include "lint/values.hpp"

namespace wavetank::lint {

/// True if the lanes that are active at an instruction surely were at another one, in the same
/// round of its loops.
bool were_active(const Values& values, std::uint32_t at, std::uint32_t before);

}  // namespace wavetank::lint
