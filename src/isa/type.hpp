// Operand types. A type is what an operand's bits mean; the register count follows from it.
// The same names are C++ tags, so that an instruction's function type is its operand list:
//   valu<F32(F32, F32)>(...)   writes an f32, reads two.
#pragma once

#include <array>
#include <cstdint>
#include <type_traits>

namespace wavetank::isa {

enum class Type : std::uint8_t {
  kNone,
  kU16,
  kI16,
  kF16,
  kU32,
  kI32,
  kF32,
  kU64,
  kI64,
  kF64,
  kPkF16,
  kPkI16,
  kPkU16,
  kPkF32,  ///< two values: halves of a register, or two registers
  kMask,   ///< one bit per lane, in a pair of SGPRs
  kB96,
  kB128,
  kB256,
  kB512,
  kB1024,
};

/// Registers (32-bit) that a value of this type takes.
constexpr unsigned dwords_of(Type type) {
  switch (type) {
    case Type::kNone: return 0;
    case Type::kU64:
    case Type::kI64:
    case Type::kF64:
    case Type::kPkF32:
    case Type::kMask: return 2;
    case Type::kB96: return 3;
    case Type::kB128: return 4;
    case Type::kB256: return 8;
    case Type::kB512: return 16;
    case Type::kB1024: return 32;
    default: return 1;
  }
}

/// True where neg and abs, or as a result omod and clamp, apply (CDNA3 ISA guide, VOP3).
constexpr bool is_float(Type type) {
  return type == Type::kF16 || type == Type::kF32 || type == Type::kF64 || type == Type::kPkF16 ||
         type == Type::kPkF32;
}

struct U16 {
  static constexpr Type type = Type::kU16;
  using Bits = std::uint16_t;
};
struct I16 {
  static constexpr Type type = Type::kI16;
  using Bits = std::int16_t;
};
struct F16 {
  static constexpr Type type = Type::kF16;
  using Bits = std::uint16_t;
};
struct U32 {
  static constexpr Type type = Type::kU32;
  using Bits = std::uint32_t;
};
struct I32 {
  static constexpr Type type = Type::kI32;
  using Bits = std::int32_t;
};
struct F32 {
  static constexpr Type type = Type::kF32;
  using Bits = std::uint32_t;
};
struct U64 {
  static constexpr Type type = Type::kU64;
  using Bits = std::uint64_t;
};
struct I64 {
  static constexpr Type type = Type::kI64;
  using Bits = std::int64_t;
};
struct F64 {
  static constexpr Type type = Type::kF64;
  using Bits = std::uint64_t;
};
/// A lane mask: v_cmp's result, the carry of v_add_co_u32, the selector of v_cndmask_b32.
struct Mask {
  static constexpr Type type = Type::kMask;
  using Bits = std::uint64_t;
};

/// Two halves of one register, which the body sees as a whole: the factors of a dot product.
struct PkF16 {
  static constexpr Type type = Type::kPkF16;
  using Bits = std::uint32_t;
};
struct PkI16 {
  static constexpr Type type = Type::kPkI16;
  using Bits = std::uint32_t;
};
struct PkU16 {
  static constexpr Type type = Type::kPkU16;
  using Bits = std::uint32_t;
};
/// A factor of v_fma_mix: a whole f32 or one half of a register, as op_sel_hi says.
struct MixF32 {
  static constexpr Type type = Type::kF16;
  using Bits = std::uint32_t;
};
/// The register of a pair that op_sel names: v_pk_mov_b32.
struct WordOfPair {
  static constexpr Type type = Type::kPkF32;
  using Bits = std::uint32_t;
};
/// 16-bit result that goes to the register's upper half: v_fma_mixhi_f16.
template <class T>
struct HighHalf {
  using Value = T;
};
/// A byte that replaces the one op_sel[3:2] names: v_cvt_sr_fp8_f32.
struct ByteResult {
  static constexpr Type type = Type::kU32;
  using Value = U32;
};
/// Four registers: the sums of v_mqsad_u32_u8.
struct B128 {
  static constexpr Type type = Type::kB128;
  using Bits = std::array<std::uint32_t, 4>;
};

/// The type of two values of a type side by side.
constexpr Type packed_type(Type half) {
  switch (half) {
    case Type::kF16: return Type::kPkF16;
    case Type::kI16: return Type::kPkI16;
    case Type::kU16: return Type::kPkU16;
    case Type::kF32: return Type::kPkF32;
    default: return half;
  }
}

/// Source that is also the destination: the addend of v_fmac_f32.
template <class T>
struct Accumulate {
  using Value = T;
};
/// Source that is the 32-bit literal behind the instruction: K of v_fmamk_f32.
template <class T>
struct Literal {
  using Value = T;
};
/// A lane mask that is always VCC: the scale selector of v_div_fmas_f32.
struct ImplicitVcc {
  using Value = Mask;
};
/// The lane's number in its wave, which no operand names.
struct LaneNumber {
  using Value = U32;
};
/// A value in an AccVGPR.
template <class T>
struct Acc {
  using Value = T;
  static constexpr Type type = T::type;
};
/// A source that is a vector register, never a scalar one or a constant.
template <class T>
struct Vgpr {
  using Value = T;
  static constexpr Type type = T::type;
};
/// A source that is an SGPR, M0 or an inline constant: the lane of v_readlane_b32.
template <class T>
struct Uniform {
  using Value = T;
  static constexpr Type type = T::type;
};
/// A source that is a scalar register, never a constant: the target of s_setpc_b64.
template <class T>
struct Sgpr {
  using Value = T;
  static constexpr Type type = T::type;
};
/// An immediate field of the encoding; Kind is an ImmediateKind of row.hpp.
template <auto Kind>
struct Immediate {
  using Value = I32;
};
/// Result with a lane mask beside it: v_add_co_u32, v_div_scale_f32.
template <class T>
struct WithMask {
  using Value = T;
};

}  // namespace wavetank::isa
