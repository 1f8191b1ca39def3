// What the rules find: one function for each, which appends to `findings` without Finding::rule.
#pragma once

#include "lint/rule.hpp"

namespace wavetank::lint {

void find_occupancy_step(const Subject& subject, Findings& findings);
void find_launch_bounds(const Subject& subject, Findings& findings);
void find_spill_in_loop(const Subject& subject, Findings& findings);

void find_narrow_access(const Subject& subject, Findings& findings);
void find_flat_access(const Subject& subject, Findings& findings);
void find_scratch_array(const Subject& subject, Findings& findings);
void find_float_division(const Subject& subject, Findings& findings);
void find_integer_division(const Subject& subject, Findings& findings);
void find_square_root(const Subject& subject, Findings& findings);

void find_accumulator_spill(const Subject& subject, Findings& findings);
void find_double_literal(const Subject& subject, Findings& findings);
void find_swap_loop(const Subject& subject, Findings& findings);
void find_uniform_load(const Subject& subject, Findings& findings);
void find_uniform_branch(const Subject& subject, Findings& findings);
void find_early_wait(const Subject& subject, Findings& findings);
void find_may_alias(const Subject& subject, Findings& findings);

}  // namespace wavetank::lint
