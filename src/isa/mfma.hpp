// Matrix instructions (CDNA3 ISA guide, "Matrix Arithmetic Instructions"): v_mfma_* and v_smfmac_*.
// A line is name, opcode, shape and passes; gfx90a and gfx942 differ in names, speed and rounding,
// so each target has its own rows. Opcodes: LLVM VOP3PInstructions.td.
#pragma once

#include "isa/define.hpp"

namespace wavetank::isa {

/// Size of a matrix product.
struct MatrixSize {
  std::uint8_t m, n, k, blocks = 1;
};
/// Rows of one input type that are alike in all but size.
struct MatrixFamily {
  std::string_view summary;
  Lifetime lifetime;
  MatrixShape shape;
};

/// Size, types and sum; C and D have the type in which the unit adds.
constexpr MatrixShape matrix_shape(MatrixSize size, MatrixElement a, MatrixElement b,
                                   MatrixRule rule, unsigned group = 1) {
  MatrixShape shape;
  shape.m = size.m, shape.n = size.n, shape.k = size.k, shape.blocks = size.blocks;
  shape.a = a, shape.b = b;
  shape.c = a == MatrixElement::kF64  ? MatrixElement::kF64
            : a == MatrixElement::kI8 ? MatrixElement::kI32
                                      : MatrixElement::kF32;
  shape.rule = rule, shape.group = static_cast<std::uint8_t>(group);
  return shape;
}

/// gfx90a: every row but f64 is XDL, takes BLGP, and CBSZ where there are blocks to choose from.
constexpr MatrixFamily cdna2(std::string_view summary, MatrixShape shape) {
  shape.xdl = shape.swizzles_b = shape.a != MatrixElement::kF64;
  shape.broadcasts_a = shape.xdl && shape.blocks > 1;
  shape.co_executes_after_cycles = shape.xdl ? 4 : 0;
  return {summary, until(Version::kGfx90a), shape};
}
/// gfx942: BLGP is left to the sizes with blocks and to f32; in f64 it negates.
constexpr MatrixFamily cdna3(std::string_view summary, MatrixShape shape) {
  shape.negates = shape.a == MatrixElement::kF64;
  shape.xdl = !shape.negates && shape.a != MatrixElement::kF32;
  shape.broadcasts_a = shape.blocks > 1 && !shape.negates;
  shape.swizzles_b = shape.broadcasts_a || shape.a == MatrixElement::kF32;
  shape.co_executes_after_cycles = shape.xdl ? 4 : 0;
  return {summary, since(Version::kGfx942), shape};
}

constexpr MatrixShape f64_shape(MatrixSize s) {
  return matrix_shape(s, MatrixElement::kF64, MatrixElement::kF64, MatrixRule::kFmaChain);
}
constexpr MatrixShape f32_shape(MatrixSize s) {
  return matrix_shape(s, MatrixElement::kF32, MatrixElement::kF32, MatrixRule::kFmaChain);
}
constexpr MatrixShape i8_shape(MatrixSize s) {
  return matrix_shape(s, MatrixElement::kI8, MatrixElement::kI8, MatrixRule::kInteger);
}
inline constexpr std::string_view kF64Summary = "Multiplies f64 matrices and adds C.";
inline constexpr std::string_view kF32Summary = "Multiplies f32 matrices and adds C.";
inline constexpr std::string_view kF16Summary = "Multiplies f16 matrices and adds C.";
inline constexpr std::string_view kBf16Summary = "Multiplies bf16 matrices and adds C.";
inline constexpr std::string_view kI8Summary = "Multiplies signed byte matrices and adds C.";

constexpr MatrixFamily cdna2_f64(MatrixSize s) { return cdna2(kF64Summary, f64_shape(s)); }
constexpr MatrixFamily cdna2_f32(MatrixSize s) { return cdna2(kF32Summary, f32_shape(s)); }
constexpr MatrixFamily cdna2_i8(MatrixSize s) { return cdna2(kI8Summary, i8_shape(s)); }
constexpr MatrixFamily cdna2_f16(MatrixSize s) {
  constexpr auto kType = MatrixElement::kF16;
  return cdna2(kF16Summary, matrix_shape(s, kType, kType, MatrixRule::kPairwise, 4));
}
constexpr MatrixFamily cdna2_bf16(MatrixSize s) {
  constexpr auto kType = MatrixElement::kBf16;
  return cdna2(kBf16Summary, matrix_shape(s, kType, kType, MatrixRule::kPairwise, 2));
}
/// The later bf16 rows: twice as many elements a lane.
constexpr MatrixFamily cdna2_bf16_1k(MatrixSize s) {
  constexpr auto kType = MatrixElement::kBf16;
  return cdna2(kBf16Summary, matrix_shape(s, kType, kType, MatrixRule::kPairwise, 4));
}

constexpr MatrixFamily cdna3_f64(MatrixSize s) { return cdna3(kF64Summary, f64_shape(s)); }
constexpr MatrixFamily cdna3_f32(MatrixSize s) { return cdna3(kF32Summary, f32_shape(s)); }
constexpr MatrixFamily cdna3_i8(MatrixSize s) { return cdna3(kI8Summary, i8_shape(s)); }
constexpr MatrixFamily cdna3_xf32(MatrixSize s) {
  constexpr auto kType = MatrixElement::kXf32;
  return cdna3("Multiplies f32 matrices cut to 10 mantissa bits and adds C.",
               matrix_shape(s, kType, kType, MatrixRule::kFusedDot, 4));
}
constexpr MatrixFamily cdna3_f16(MatrixSize s) {
  constexpr auto kType = MatrixElement::kF16;
  return cdna3(kF16Summary,
               matrix_shape(s, kType, kType, MatrixRule::kFusedDot, s.k < 8 ? s.k : 8));
}
constexpr MatrixFamily cdna3_bf16(MatrixSize s) {
  constexpr auto kType = MatrixElement::kBf16;
  return cdna3(kBf16Summary,
               matrix_shape(s, kType, kType, MatrixRule::kFusedDot, s.k < 8 ? s.k : 8));
}
constexpr MatrixFamily cdna3_fp8(MatrixElement a, MatrixElement b, MatrixSize s) {
  return cdna3("Multiplies 8-bit float matrices and adds C.",
               matrix_shape(s, a, b, MatrixRule::kFusedDotEvenOdd, 16));
}
/// The sparse form: A holds the two of each four neighbours that src2 names; D is also C.
constexpr MatrixFamily sparse(MatrixFamily family) {
  family.summary = "Multiplies a 4:2 sparse matrix, placed by src2, and accumulates.";
  family.shape.sparse = family.shape.broadcasts_a = true;
  family.shape.co_executes_after_cycles = 8;
  return family;
}

/// A matrix instruction of `passes` times 4 cycles.
constexpr auto mfma(std::string_view name, std::uint16_t opcode, MatrixFamily family,
                    unsigned passes) {
  family.shape.passes = static_cast<std::uint8_t>(passes);
  return matrix(name, family.summary, vop3p(opcode), family.shape).during(family.lifetime);
}

inline constexpr auto kMfmaCdna2 =
    table(mfma("v_mfma_f32_32x32x1f32", 0x40, cdna2_f32({32, 32, 1, 2}), 16),
          mfma("v_mfma_f32_16x16x1f32", 0x41, cdna2_f32({16, 16, 1, 4}), 8),
          mfma("v_mfma_f32_4x4x1f32", 0x42, cdna2_f32({4, 4, 1, 16}), 2),
          mfma("v_mfma_f32_32x32x2f32", 0x44, cdna2_f32({32, 32, 2}), 16),
          mfma("v_mfma_f32_16x16x4f32", 0x45, cdna2_f32({16, 16, 4}), 8),
          mfma("v_mfma_f32_32x32x4f16", 0x48, cdna2_f16({32, 32, 4, 2}), 16),
          mfma("v_mfma_f32_16x16x4f16", 0x49, cdna2_f16({16, 16, 4, 4}), 8),
          mfma("v_mfma_f32_4x4x4f16", 0x4a, cdna2_f16({4, 4, 4, 16}), 2),
          mfma("v_mfma_f32_32x32x8f16", 0x4c, cdna2_f16({32, 32, 8}), 16),
          mfma("v_mfma_f32_16x16x16f16", 0x4d, cdna2_f16({16, 16, 16}), 8),
          mfma("v_mfma_i32_32x32x4i8", 0x50, cdna2_i8({32, 32, 4, 2}), 16),
          mfma("v_mfma_i32_16x16x4i8", 0x51, cdna2_i8({16, 16, 4, 4}), 8),
          mfma("v_mfma_i32_4x4x4i8", 0x52, cdna2_i8({4, 4, 4, 16}), 2),
          mfma("v_mfma_i32_32x32x8i8", 0x54, cdna2_i8({32, 32, 8}), 16),
          mfma("v_mfma_i32_16x16x16i8", 0x55, cdna2_i8({16, 16, 16}), 8),
          mfma("v_mfma_f32_32x32x4bf16_1k", 0x63, cdna2_bf16_1k({32, 32, 4, 2}), 16),
          mfma("v_mfma_f32_16x16x4bf16_1k", 0x64, cdna2_bf16_1k({16, 16, 4, 4}), 8),
          mfma("v_mfma_f32_4x4x4bf16_1k", 0x65, cdna2_bf16_1k({4, 4, 4, 16}), 2),
          mfma("v_mfma_f32_32x32x8bf16_1k", 0x66, cdna2_bf16_1k({32, 32, 8}), 16),
          mfma("v_mfma_f32_16x16x16bf16_1k", 0x67, cdna2_bf16_1k({16, 16, 16}), 8),
          mfma("v_mfma_f32_32x32x2bf16", 0x68, cdna2_bf16({32, 32, 2, 2}), 16),
          mfma("v_mfma_f32_16x16x2bf16", 0x69, cdna2_bf16({16, 16, 2, 4}), 8),
          mfma("v_mfma_f32_4x4x2bf16", 0x6b, cdna2_bf16({4, 4, 2, 16}), 2),
          mfma("v_mfma_f32_32x32x4bf16", 0x6c, cdna2_bf16({32, 32, 4}), 16),
          mfma("v_mfma_f32_16x16x8bf16", 0x6d, cdna2_bf16({16, 16, 8}), 8),
          mfma("v_mfma_f64_16x16x4f64", 0x6e, cdna2_f64({16, 16, 4}), 8),
          mfma("v_mfma_f64_4x4x4f64", 0x6f, cdna2_f64({4, 4, 4, 4}), 4));

inline constexpr auto kMfmaCdna3 =
    table(mfma("v_mfma_f32_16x16x8_xf32", 0x3e, cdna3_xf32({16, 16, 8}), 4),
          mfma("v_mfma_f32_32x32x4_xf32", 0x3f, cdna3_xf32({32, 32, 4}), 8),
          mfma("v_mfma_f32_32x32x1_2b_f32", 0x40, cdna3_f32({32, 32, 1, 2}), 16),
          mfma("v_mfma_f32_16x16x1_4b_f32", 0x41, cdna3_f32({16, 16, 1, 4}), 8),
          mfma("v_mfma_f32_4x4x1_16b_f32", 0x42, cdna3_f32({4, 4, 1, 16}), 2),
          mfma("v_mfma_f32_32x32x2_f32", 0x44, cdna3_f32({32, 32, 2}), 16),
          mfma("v_mfma_f32_16x16x4_f32", 0x45, cdna3_f32({16, 16, 4}), 8),
          mfma("v_mfma_f32_32x32x4_2b_f16", 0x48, cdna3_f16({32, 32, 4, 2}), 16),
          mfma("v_mfma_f32_16x16x4_4b_f16", 0x49, cdna3_f16({16, 16, 4, 4}), 8),
          mfma("v_mfma_f32_4x4x4_16b_f16", 0x4a, cdna3_f16({4, 4, 4, 16}), 2),
          mfma("v_mfma_f32_32x32x8_f16", 0x4c, cdna3_f16({32, 32, 8}), 8),
          mfma("v_mfma_f32_16x16x16_f16", 0x4d, cdna3_f16({16, 16, 16}), 4),
          mfma("v_mfma_i32_32x32x4_2b_i8", 0x50, cdna3_i8({32, 32, 4, 2}), 16),
          mfma("v_mfma_i32_16x16x4_4b_i8", 0x51, cdna3_i8({16, 16, 4, 4}), 8),
          mfma("v_mfma_i32_4x4x4_16b_i8", 0x52, cdna3_i8({4, 4, 4, 16}), 2),
          mfma("v_mfma_i32_32x32x16_i8", 0x56, cdna3_i8({32, 32, 16}), 8),
          mfma("v_mfma_i32_16x16x32_i8", 0x57, cdna3_i8({16, 16, 32}), 4),
          mfma("v_mfma_f32_32x32x4_2b_bf16", 0x5d, cdna3_bf16({32, 32, 4, 2}), 16),
          mfma("v_mfma_f32_16x16x4_4b_bf16", 0x5e, cdna3_bf16({16, 16, 4, 4}), 8),
          mfma("v_mfma_f32_4x4x4_16b_bf16", 0x5f, cdna3_bf16({4, 4, 4, 16}), 2),
          mfma("v_mfma_f32_32x32x8_bf16", 0x60, cdna3_bf16({32, 32, 8}), 8),
          mfma("v_mfma_f32_16x16x16_bf16", 0x61, cdna3_bf16({16, 16, 16}), 4),
          mfma("v_mfma_f64_16x16x4_f64", 0x6e, cdna3_f64({16, 16, 4}), 8),
          mfma("v_mfma_f64_4x4x4_4b_f64", 0x6f, cdna3_f64({4, 4, 4, 4}), 4));

inline constexpr auto kFp8 = MatrixElement::kFp8, kBf8 = MatrixElement::kBf8;
inline constexpr auto kMfmaFp8 =
    table(mfma("v_mfma_f32_16x16x32_bf8_bf8", 0x70, cdna3_fp8(kBf8, kBf8, {16, 16, 32}), 4),
          mfma("v_mfma_f32_16x16x32_bf8_fp8", 0x71, cdna3_fp8(kBf8, kFp8, {16, 16, 32}), 4),
          mfma("v_mfma_f32_16x16x32_fp8_bf8", 0x72, cdna3_fp8(kFp8, kBf8, {16, 16, 32}), 4),
          mfma("v_mfma_f32_16x16x32_fp8_fp8", 0x73, cdna3_fp8(kFp8, kFp8, {16, 16, 32}), 4),
          mfma("v_mfma_f32_32x32x16_bf8_bf8", 0x74, cdna3_fp8(kBf8, kBf8, {32, 32, 16}), 8),
          mfma("v_mfma_f32_32x32x16_bf8_fp8", 0x75, cdna3_fp8(kBf8, kFp8, {32, 32, 16}), 8),
          mfma("v_mfma_f32_32x32x16_fp8_bf8", 0x76, cdna3_fp8(kFp8, kBf8, {32, 32, 16}), 8),
          mfma("v_mfma_f32_32x32x16_fp8_fp8", 0x77, cdna3_fp8(kFp8, kFp8, {32, 32, 16}), 8));

inline constexpr auto kSmfmac = table(
    mfma("v_smfmac_f32_16x16x32_f16", 0x62, sparse(cdna3_f16({16, 16, 32})), 4),
    mfma("v_smfmac_f32_32x32x16_f16", 0x64, sparse(cdna3_f16({32, 32, 16})), 8),
    mfma("v_smfmac_f32_16x16x32_bf16", 0x66, sparse(cdna3_bf16({16, 16, 32})), 4),
    mfma("v_smfmac_f32_32x32x16_bf16", 0x68, sparse(cdna3_bf16({32, 32, 16})), 8),
    mfma("v_smfmac_i32_16x16x64_i8", 0x6a, sparse(cdna3_i8({16, 16, 64})), 4),
    mfma("v_smfmac_i32_32x32x32_i8", 0x6c, sparse(cdna3_i8({32, 32, 32})), 8),
    mfma("v_smfmac_f32_16x16x64_bf8_bf8", 0x78, sparse(cdna3_fp8(kBf8, kBf8, {16, 16, 64})), 4),
    mfma("v_smfmac_f32_16x16x64_bf8_fp8", 0x79, sparse(cdna3_fp8(kBf8, kFp8, {16, 16, 64})), 4),
    mfma("v_smfmac_f32_16x16x64_fp8_bf8", 0x7a, sparse(cdna3_fp8(kFp8, kBf8, {16, 16, 64})), 4),
    mfma("v_smfmac_f32_16x16x64_fp8_fp8", 0x7b, sparse(cdna3_fp8(kFp8, kFp8, {16, 16, 64})), 4),
    mfma("v_smfmac_f32_32x32x32_bf8_bf8", 0x7c, sparse(cdna3_fp8(kBf8, kBf8, {32, 32, 32})), 8),
    mfma("v_smfmac_f32_32x32x32_bf8_fp8", 0x7d, sparse(cdna3_fp8(kBf8, kFp8, {32, 32, 32})), 8),
    mfma("v_smfmac_f32_32x32x32_fp8_bf8", 0x7e, sparse(cdna3_fp8(kFp8, kBf8, {32, 32, 32})), 8),
    mfma("v_smfmac_f32_32x32x32_fp8_fp8", 0x7f, sparse(cdna3_fp8(kFp8, kFp8, {32, 32, 32})), 8));

inline constexpr auto kMatrixTables = tables(kMfmaCdna2, kMfmaCdna3, kMfmaFp8, kSmfmac);

}  // namespace wavetank::isa
