// Scalar ops that do the same to each bit of pairs of SGPRs: copies and combinations of lane masks,
// as compilers write between comparisons and what is chosen by them. They can be drawn among
// per-lane ops.
#pragma once

#include "execute/jit/scalar_drawn.hpp"
#include "execute/jit/sketch.hpp"
#include "execute/op.hpp"

namespace wavetank::execute::jit {

/// Draws such an op, of the run's place `number`, by what its row's body computes; not SCC, which
/// must be dead. False if it is none, or writes what other ops use without naming it.
bool draw_mask_op(Sketch& sketch, ScalarSketch& scalar, const Op& op, unsigned number);

}  // namespace wavetank::execute::jit
