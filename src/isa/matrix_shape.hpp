// The facts of a matrix instruction: sizes, element types, how it adds, how long it takes.
//
// Sources: register counts and modifiers, AMD matrix instruction calculator
// (github.com/ROCm/amd_matrix_instruction_calculator), `--detail-instruction`; passes, LLVM
// SISchedule.td (gfx90a, gfx940) and the calculator's execution cycles, which agree; XDL, LLVM
// VOP3PInstructions.td, "is_gfx940_xdl".
#pragma once

#include <cstdint>

namespace wavetank::isa {

/// What an element of A, B, C or D is.
enum class MatrixElement : std::uint8_t {
  kNone,
  kF64,
  kF32,
  kXf32,  ///< an f32 of which sign, exponent and the upper 10 mantissa bits count
  kF16,
  kBf16,
  kFp8,
  kBf8,
  kI8,
  kI32,
};

/// Bits of an element in a register.
constexpr unsigned bits_of(MatrixElement element) {
  switch (element) {
    case MatrixElement::kF64: return 64;
    case MatrixElement::kF16:
    case MatrixElement::kBf16: return 16;
    case MatrixElement::kFp8:
    case MatrixElement::kBf8:
    case MatrixElement::kI8: return 8;
    default: return 32;
  }
}

/// How products become a sum; number/fused_dot.hpp has the arithmetic and its source.
enum class MatrixRule : std::uint8_t {
  kNone,
  kFmaChain,          ///< C + a0 * b0, rounded, + a1 * b1, rounded ...
  kPairwise,          ///< groups summed as a tree, each step rounded; denormals are zero
  kFusedDot,          ///< groups aligned to their largest product and added to C, rounded once
  kFusedDotEvenOdd,   ///< the same, with products of even and odd k aligned apart
  kInteger,           ///< modulo 2^32
};

/// The shape of a matrix row: D = A * B + C in `blocks` independent products, A m x k, B k x n.
/// m is 0 in all other rows.
struct MatrixShape {
  std::uint8_t m = 0, n = 0, k = 0, blocks = 0;
  MatrixElement a = MatrixElement::kNone, b = MatrixElement::kNone;
  MatrixElement c = MatrixElement::kNone;  ///< C and D
  MatrixRule rule = MatrixRule::kNone;
  std::uint8_t group = 1;                  ///< products that are summed before C is added
  bool sparse = false;                     ///< A holds 2 of 4 neighbours; src2 says which
  std::uint8_t passes = 0;                 ///< 4 cycles each
  bool xdl = false;                        ///< false: the FP32 and FP64 ("SMFMA", "DGEMM") path
  std::uint8_t co_executes_after_cycles = 0;  ///< VALU may issue then; 0: not before the end
  bool broadcasts_a = false;               ///< CBSZ and ABID choose A's block
  bool swizzles_b = false;                 ///< BLGP chooses B's lanes
  bool negates = false;                    ///< BLGP negates A, B, C

  /// Whether the row is a matrix row.
  constexpr bool present() const { return m != 0; }
  /// Columns of A in registers: half of k where A is sparse.
  constexpr unsigned stored_k() const { return sparse ? k / 2u : k; }
  /// 32-bit registers per lane.
  constexpr unsigned a_dwords() const { return m * stored_k() * blocks * bits_of(a) / 2048; }
  constexpr unsigned b_dwords() const { return unsigned{n} * k * blocks * bits_of(b) / 2048; }
  constexpr unsigned c_dwords() const { return unsigned{m} * n * blocks * bits_of(c) / 2048; }
  /// Elements of A and B in one lane.
  constexpr unsigned a_per_lane() const { return m * stored_k() * blocks / 64; }
  constexpr unsigned b_per_lane() const { return unsigned{n} * k * blocks / 64; }
  /// Floating-point (or integer) operations of one wave-instruction.
  constexpr std::uint32_t operations() const { return 2u * m * n * k * blocks; }
  friend constexpr bool operator==(const MatrixShape&, const MatrixShape&) = default;
};

/// Register element and lane of a matrix element.
struct MatrixPlace {
  unsigned element;  ///< counted in the element's own size from the operand's first register
  unsigned lane;
};

/// Where A[i][k] of a block is (k counts stored columns); also B[k][j] with rows = n, i = j.
/// Source: AMD matrix instruction calculator, gfx9 input layout.
constexpr MatrixPlace input_place(unsigned rows, unsigned blocks, unsigned per_lane, unsigned i,
                                  unsigned k, unsigned block) {
  return {k % per_lane, (k / per_lane * blocks + block) * rows + i};
}

/// Where C[i][j] and D[i][j] of a block are. Rows come in bands (4 high, f64: 1) of n lanes that
/// fill a register's 64 lanes, first with blocks, then with further bands.
/// Source: AMD matrix instruction calculator, gfx9 output layout.
constexpr MatrixPlace output_place(const MatrixShape& shape, unsigned i, unsigned j,
                                   unsigned block) {
  const unsigned band = bits_of(shape.c) == 64 ? 1 : 4;
  const unsigned bands_per_register = 64u / shape.n;
  const unsigned block_lanes = unsigned{shape.m} * shape.n / band;
  const unsigned blocks_per_register = block_lanes >= 64 ? 1 : 64 / block_lanes;
  const unsigned block_elements = unsigned{shape.m} * shape.n / 64;
  return {block * block_elements + i / (band * bands_per_register) * band + i % band,
          (block % blocks_per_register + i / band % bands_per_register * blocks_per_register) *
                  shape.n + j};
}

/// The block of A that feeds `block` under CBSZ and ABID: one of 2^cbsz neighbours feeds them all.
constexpr unsigned broadcast_block(unsigned block, unsigned cbsz, unsigned abid) {
  return (block >> cbsz << cbsz) + abid;
}

/// The lane of B that feeds `lane` under BLGP: halves, a rotation by 16, or quarters.
constexpr unsigned swizzled_lane(unsigned lane, unsigned blgp) {
  switch (blgp) {
    case 0: return lane;
    case 1: return lane % 32;
    case 2: return lane % 32 + 32;
    case 3: return (lane + 16) % 64;
    default: return lane % 16 + (blgp - 4) * 16;
  }
}

/// The row of B that stored column k of a sparse A meets, by the index register of A's lane: each
/// stored element has two bits, and ABID chooses the set of bits if CBSZ is 0 (AMD matrix
/// instruction calculator, "compression index"; CDNA3 ISA guide, "Sparse Matrix Instructions").
constexpr unsigned sparse_row(const MatrixShape& shape, unsigned k, std::uint32_t index,
                              unsigned cbsz, unsigned abid) {
  const unsigned per_lane = shape.a_per_lane();
  const unsigned set = cbsz == 0 ? abid * per_lane * 2 : 0;
  const unsigned chosen = index >> ((set + k % per_lane * 2) & 31) & 3;
  return k / 2 * 4 + chosen;
}

}  // namespace wavetank::isa
