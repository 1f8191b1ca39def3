// The rules of `wavetank lint`.
#pragma once

#include <span>

#include "lint/rule.hpp"

namespace wavetank::lint {

/// All rules.
std::span<const Rule> rules();

}  // namespace wavetank::lint
