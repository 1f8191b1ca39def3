// What the rules find: one function for each, which appends to `findings` without Finding::rule.
#pragma once

#include "lint/rule.hpp"

namespace wavetank::lint {

void find_occupancy_step(const Subject& subject, Findings& findings);
void find_launch_bounds(const Subject& subject, Findings& findings);
void find_spill_in_loop(const Subject& subject, Findings& findings);

}  // namespace wavetank::lint
