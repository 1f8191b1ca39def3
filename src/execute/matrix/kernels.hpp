// The kernels of src/execute/matrix, one family per rule of number/fused_dot.hpp. Handlers for a
// shape; all serve every MODE and any EXEC, which matrix instructions ignore (CDNA3 ISA guide).
#pragma once

#include "execute/op.hpp"
#include "isa/matrix_shape.hpp"

namespace wavetank::execute::WAVETANK_HOST {

/// Chains of f32 or f64 FMAs.
Handler chain_handler(const isa::MatrixShape& shape);
/// CDNA2's pairwise sums of f16 and bf16 products.
Handler pairwise_handler(const isa::MatrixShape& shape);
/// CDNA3's fused dot products.
Handler fused_handler(const isa::MatrixShape& shape);
/// Signed bytes into i32, modulo 2^32.
Handler integer_handler(const isa::MatrixShape& shape);

}  // namespace wavetank::execute::WAVETANK_HOST
