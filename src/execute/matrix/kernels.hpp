// The kernels of src/execute/matrix, one file for each rule of number/fused_dot.hpp. Each function
// adds the rows that follow its rule.
#pragma once

#include "execute/registry.hpp"

namespace wavetank::execute::WAVETANK_HOST {

/// Chains of f32 or f64 FMAs.
void append_matrix_chains(Entries& entries);
/// CDNA2's pairwise sums of f16 and bf16 products.
void append_matrix_pairwise(Entries& entries);
/// CDNA3's fused dot products.
void append_matrix_fused(Entries& entries);
/// Signed bytes into i32, modulo 2^32.
void append_matrix_integer(Entries& entries);

}  // namespace wavetank::execute::WAVETANK_HOST
