// Cards of matrix instructions: the sum, the modifiers, and which lane and register holds what.
#pragma once

#include <string>
#include <vector>

#include "cli/isa/card_section.hpp"
#include "isa/matrix_shape.hpp"

namespace wavetank::cli {

/// "D[i][j] = C[i][j] + sum over k < 8 of A[i][k] * B[k][j]", and the ranges.
std::vector<std::string> matrix_pseudo_code(const isa::MatrixShape& shape);
/// How products are summed and rounded (number/fused_dot.hpp).
std::string matrix_rule_text(const isa::MatrixShape& shape);
/// What CBSZ, ABID and BLGP do; empty if they must be 0.
std::vector<std::string> matrix_modifiers(const isa::MatrixShape& shape);
/// One section each for A, B and D: element by register and lane, below it the formula.
std::vector<CardSection> matrix_layout(const isa::MatrixShape& shape);

}  // namespace wavetank::cli
