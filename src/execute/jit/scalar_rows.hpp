// The drawings of scalar rows.
#pragma once

#include "execute/jit/scalar_drawn.hpp"
#include "execute/op.hpp"

namespace wavetank::execute::jit {

/// Draws an op of the scalar ALU, or a branch. False if it has no drawing.
bool draw_scalar(ScalarSketch& sketch, const Op& op, const isa::Row& row);

/// True if ops use the pair of SGPRs from this one on by naming it only, unlike EXEC and M0.
bool is_used_by_name(unsigned sgpr);

/// True if ops of the row are drawn, and not a branch.
bool draws_scalar(const isa::Row& row);

}  // namespace wavetank::execute::jit
