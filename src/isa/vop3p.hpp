// VOP3P: packed instructions, dot products and mixed-precision fma (CDNA3 ISA guide, "VOP3P
// Instructions"). Matrix instructions share the encoding but not this file.
#pragma once

#include "isa/rare_functions.hpp"

namespace wavetank::isa {

inline constexpr auto kVop3pFloat = table(
    packed<F16(F16, F16, F16)>("v_pk_fma_f16", "Multiplies and adds, rounded once.", vop3p(14), fma)
        .counts_as(Arithmetic::kFma),
    packed<F16(F16, F16)>("v_pk_add_f16", "Adds.", vop3p(15), [](auto a, auto b) { return a + b; })
        .counts_as(Arithmetic::kAdd),
    packed<F16(F16, F16)>("v_pk_mul_f16", "Multiplies.", vop3p(16),
                          [](auto a, auto b) { return a * b; })
        .counts_as(Arithmetic::kMultiply),
    packed<F16(F16, F16)>("v_pk_min_f16", "Smaller of both.", vop3p(17), min),
    packed<F16(F16, F16)>("v_pk_max_f16", "Larger of both.", vop3p(18), max),
    packed<F32(F32, F32, F32)>("v_pk_fma_f32", "Multiplies and adds, rounded once.", vop3p(48), fma)
        .counts_as(Arithmetic::kFma),
    packed<F32(F32, F32)>("v_pk_mul_f32", "Multiplies.", vop3p(49),
                          [](auto a, auto b) { return a * b; })
        .counts_as(Arithmetic::kMultiply),
    packed<F32(F32, F32)>("v_pk_add_f32", "Adds.", vop3p(50), [](auto a, auto b) {
      return a + b;
    }).counts_as(Arithmetic::kAdd));

inline constexpr auto kVop3pInteger = table(
    packed<I16(I16, I16, I16)>("v_pk_mad_i16", "Product plus src2.", vop3p(0),
                               [](auto a, auto b, auto c) { return a * b + c; })
        .saturates_with(mad_saturate),
    packed<U16(U16, U16)>("v_pk_mul_lo_u16", "Low half of the product.", vop3p(1),
                          [](auto a, auto b) { return a * b; })
        .saturates_with([](auto a, auto b) { return mad_saturate(a, b, a ^ a); }),
    packed<I16(I16, I16)>("v_pk_add_i16", "Adds.", vop3p(2), [](auto a, auto b) { return a + b; })
        .saturates_with(add_saturate),
    packed<I16(I16, I16)>("v_pk_sub_i16", "Subtracts src1 from src0.", vop3p(3),
                          [](auto a, auto b) { return a - b; })
        .saturates_with(sub_saturate),
    packed<U16(U16, U16)>("v_pk_lshlrev_b16", "Shifts src1 left by src0[3:0].", vop3p(4),
                          [](auto a, auto b) { return b << (a & 15u); }),
    packed<U16(U16, U16)>("v_pk_lshrrev_b16", "Shifts src1 right by src0[3:0].", vop3p(5),
                          [](auto a, auto b) { return b >> (a & 15u); }),
    packed<I16(U16, I16)>("v_pk_ashrrev_i16", "Shifts src1 right by src0[3:0], keeping the sign.",
                          vop3p(6), [](auto a, auto b) { return b >> as<I16>(a & 15u); }),
    packed<I16(I16, I16)>("v_pk_max_i16", "Larger of both.", vop3p(7), max),
    packed<I16(I16, I16)>("v_pk_min_i16", "Smaller of both.", vop3p(8), min),
    packed<U16(U16, U16, U16)>("v_pk_mad_u16", "Product plus src2.", vop3p(9),
                               [](auto a, auto b, auto c) { return a * b + c; })
        .saturates_with(mad_saturate),
    packed<U16(U16, U16)>("v_pk_add_u16", "Adds.", vop3p(10), [](auto a, auto b) { return a + b; })
        .saturates_with(add_saturate),
    packed<U16(U16, U16)>("v_pk_sub_u16", "Subtracts src1 from src0.", vop3p(11),
                          [](auto a, auto b) { return a - b; })
        .saturates_with(sub_saturate),
    packed<U16(U16, U16)>("v_pk_max_u16", "Larger of both.", vop3p(12), max),
    packed<U16(U16, U16)>("v_pk_min_u16", "Smaller of both.", vop3p(13), min));

inline constexpr auto kVop3pMixed = table(
    mixed<F32(MixF32, MixF32, MixF32)>("v_fma_mix_f32", "fma of f16 and f32 sources.", vop3p(32),
                                       fma)
        .counts_as(Arithmetic::kFma),
    mixed<F16(MixF32, MixF32, MixF32)>(
        "v_fma_mixlo_f16", "fma of f16 and f32, to the low half.", vop3p(33),
        [](auto a, auto b, auto c) { return convert<F16>(fma(a, b, c)); })
        .counts_as(Arithmetic::kFma)
        .keeps_high_half(),
    mixed<HighHalf<F16>(MixF32, MixF32, MixF32)>(
        "v_fma_mixhi_f16", "fma of f16 and f32, to the upper half.", vop3p(34),
        [](auto a, auto b, auto c) { return convert<F16>(fma(a, b, c)); })
        .counts_as(Arithmetic::kFma)
        .keeps_high_half(),
    mixed<U64(WordOfPair, WordOfPair)>("v_pk_mov_b32", "Copies a register of each pair.", vop3p(51),
                                       [](auto a, auto b) {
                                         const auto high = convert<U64>(b);
                                         return convert<U64>(a) | (high << decltype(high)(32u));
                                       })
        .counts_as(Arithmetic::kNothing));

inline constexpr auto kVop3pDot = dot_products(
    mixed<F32(PkF16, PkF16, F32)>("v_dot2_f32_f16", "Products of both halves, plus src2.",
                                  vop3p(35), dot2_f32_f16)
        .counts_as(Arithmetic::kFma),
    mixed<I32(PkI16, PkI16, I32)>("v_dot2_i32_i16", "Products of both halves, plus src2.",
                                  vop3p(38), dot2_i32_i16)
        .saturates_with(stopped(dot2_i32_i16)),
    mixed<U32(PkU16, PkU16, U32)>("v_dot2_u32_u16", "Products of both halves, plus src2.",
                                  vop3p(39), dot2_u32_u16)
        .saturates_with(stopped(dot2_u32_u16)),
    mixed<I32(U32, U32, I32)>("v_dot4_i32_i8", "Products of four signed bytes, plus src2.",
                              vop3p(40), dot4_i32_i8)
        .saturates_with(stopped(dot4_i32_i8)),
    mixed<U32(U32, U32, U32)>("v_dot4_u32_u8", "Products of four bytes, plus src2.", vop3p(41),
                              dot4_u32_u8)
        .saturates_with(stopped(dot4_u32_u8)),
    mixed<I32(U32, U32, I32)>("v_dot8_i32_i4", "Products of eight signed nibbles, plus src2.",
                              vop3p(42), dot8_i32_i4)
        .saturates_with(stopped(dot8_i32_i4)),
    mixed<U32(U32, U32, U32)>("v_dot8_u32_u4", "Products of eight nibbles, plus src2.", vop3p(43),
                              dot8_u32_u4)
        .saturates_with(stopped(dot8_u32_u4)));

inline constexpr auto kVop3pTables = tables(kVop3pFloat, kVop3pInteger, kVop3pMixed, kVop3pDot);

}  // namespace wavetank::isa
