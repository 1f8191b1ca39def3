// VOP2: two sources, the second a vector register (CDNA3 ISA guide, "VOP2 Instructions").
#pragma once

#include "isa/rare_functions.hpp"

namespace wavetank::isa {

inline constexpr auto kVop2Float = table(
    valu<F32(F32, F32, Mask)>("v_cndmask_b32", "Selects src1 where the mask is set, else src0.",
                              vop2(0), [](auto a, auto b, auto mask) { return select(mask, b, a); })
        .keeps_denormals(),
    valu<F32(F32, F32)>("v_add_f32", "Adds.", vop2(1), [](auto a, auto b) { return a + b; })
        .means(Meaning::kAdd),
    valu<F32(F32, F32)>("v_sub_f32", "Subtracts src1 from src0.", vop2(2),
                        [](auto a, auto b) { return a - b; })
        .means(Meaning::kSubtract),
    valu<F32(F32, F32)>("v_subrev_f32", "Subtracts src0 from src1.", vop2(3),
                        [](auto a, auto b) { return b - a; })
        .means(Meaning::kSubtractReversed),
    valu<F64(F64, F64, Accumulate<F64>)>("v_fmac_f64", "Multiplies and adds to the destination.",
                                         vop2(4).without_sdwa(), fma)
        .means(Meaning::kFused),
    valu<F32(F32, F32)>("v_mul_f32", "Multiplies.", vop2(5), [](auto a, auto b) { return a * b; })
        .means(Meaning::kMultiply),
    valu<F32(F32, F32)>("v_min_f32", "Smaller of both.", vop2(10), min).means(Meaning::kMinimum),
    valu<F32(F32, F32)>("v_max_f32", "Larger of both.", vop2(11), max).means(Meaning::kMaximum),
    valu<F32(F32, F32, Accumulate<F32>)>("v_fmac_f32", "Multiplies and adds to the destination.",
                                         vop2(59).without_sdwa(), fma)
        .means(Meaning::kFused));

inline constexpr auto kVop2Multiply = table(
    valu<F32(F32, F32, Accumulate<F32>)>(
        "v_mac_f32", "Adds the rounded product to the destination.", vop2(22).without_sdwa(), mad)
        .counts_as(Arithmetic::kFma)
        .until(Version::kGfx90a),
    valu<F32(F32, Literal<F32>, F32)>("v_madmk_f32", "Multiplies by the literal, rounds, adds.",
                                      vop2(23).only_e32(), mad)
        .counts_as(Arithmetic::kFma)
        .until(Version::kGfx90a),
    valu<F32(F32, F32, Literal<F32>)>("v_madak_f32", "Multiplies, rounds, adds the literal.",
                                      vop2(24).only_e32(), mad)
        .counts_as(Arithmetic::kFma)
        .until(Version::kGfx90a),
    valu<F32(F32, Literal<F32>, F32)>("v_fmamk_f32", "Multiplies by the literal and adds.",
                                      vop2(23).only_e32(), fma)
        .counts_as(Arithmetic::kFma)
        .since(Version::kGfx942),
    valu<F32(F32, F32, Literal<F32>)>("v_fmaak_f32", "Multiplies and adds the literal.",
                                      vop2(24).only_e32(), fma)
        .counts_as(Arithmetic::kFma)
        .since(Version::kGfx942));

inline constexpr auto kVop2Integer = table(
    valu<I32(I32, I32)>("v_min_i32", "Smaller of both.", vop2(12), min).means(Meaning::kMinimum),
    valu<I32(I32, I32)>("v_max_i32", "Larger of both.", vop2(13), max).means(Meaning::kMaximum),
    valu<U32(U32, U32)>("v_min_u32", "Smaller of both.", vop2(14), min).means(Meaning::kMinimum),
    valu<U32(U32, U32)>("v_max_u32", "Larger of both.", vop2(15), max).means(Meaning::kMaximum),
    valu<U32(U32, U32)>("v_lshrrev_b32", "Shifts src1 right by src0[4:0].", vop2(16),
                        [](auto a, auto b) { return b >> (a & 31u); })
        .means(Meaning::kShiftRightReversed),
    valu<I32(U32, I32)>("v_ashrrev_i32", "Shifts src1 right by src0[4:0], keeping the sign.",
                        vop2(17), [](auto a, auto b) { return b >> as<I32>(a & 31u); }),
    valu<U32(U32, U32)>("v_lshlrev_b32", "Shifts src1 left by src0[4:0].", vop2(18),
                        [](auto a, auto b) { return b << (a & 31u); })
        .means(Meaning::kShiftLeftReversed),
    valu<U32(U32, U32)>("v_and_b32", "Bitwise and.", vop2(19), [](auto a, auto b) { return a & b; })
        .means(Meaning::kAnd),
    valu<U32(U32, U32)>("v_or_b32", "Bitwise or.", vop2(20), [](auto a, auto b) { return a | b; })
        .means(Meaning::kOr),
    valu<U32(U32, U32)>("v_xor_b32", "Bitwise exclusive or.", vop2(21),
                        [](auto a, auto b) { return a ^ b; })
        .means(Meaning::kXor),
    valu<U32(U32, U32)>("v_xnor_b32", "Inverted exclusive or.", vop2(61),
                        [](auto a, auto b) { return ~(a ^ b); }),
    valu<U32(U32, U32)>("v_add_u32", "Adds.", vop2(52), [](auto a, auto b) { return a + b; })
        .means(Meaning::kAdd)
        .saturates_with(add_saturate),
    valu<U32(U32, U32)>("v_sub_u32", "Subtracts src1 from src0.", vop2(53),
                        [](auto a, auto b) { return a - b; })
        .means(Meaning::kSubtract)
        .saturates_with(sub_saturate),
    valu<U32(U32, U32)>("v_subrev_u32", "Subtracts src0 from src1.", vop2(54),
                        [](auto a, auto b) { return b - a; })
        .means(Meaning::kSubtractReversed)
        .saturates_with([](auto a, auto b) { return sub_saturate(b, a); }));

inline constexpr auto kVop2Carry = table(
    valu<WithMask<U32>(U32, U32)>("v_add_co_u32", "Adds, with the carries in a lane mask.",
                                  vop2(25),
                                  [](auto a, auto b) {
                                    const auto sum = a + b;
                                    return with_mask(sum, sum < a);
                                  })
        .means(Meaning::kAdd)
        .saturates_with([](auto a, auto b) { return add_carry_saturate(a, b, as_false(a)); }),
    valu<WithMask<U32>(U32, U32)>("v_sub_co_u32", "Subtracts, with the borrows in a lane mask.",
                                  vop2(26), [](auto a, auto b) { return with_mask(a - b, a < b); })
        .means(Meaning::kSubtract)
        .saturates_with([](auto a, auto b) { return sub_borrow_saturate(a, b, as_false(a)); }),
    valu<WithMask<U32>(U32, U32)>("v_subrev_co_u32", "Subtracts src0 from src1, with the borrows.",
                                  vop2(27), [](auto a, auto b) { return with_mask(b - a, b < a); })
        .means(Meaning::kSubtractReversed)
        .saturates_with([](auto a, auto b) { return sub_borrow_saturate(b, a, as_false(a)); }),
    valu<WithMask<U32>(U32, U32, Mask)>("v_addc_co_u32", "Adds with carry in and out.", vop2(28),
                                        add_carry)
        .means(Meaning::kAddCarry)
        .saturates_with(add_carry_saturate),
    valu<WithMask<U32>(U32, U32, Mask)>("v_subb_co_u32", "Subtracts with borrow in and out.",
                                        vop2(29), sub_borrow)
        .saturates_with(sub_borrow_saturate),
    valu<WithMask<U32>(U32, U32, Mask)>(
        "v_subbrev_co_u32", "Subtracts src0 from src1 with borrow in and out.", vop2(30),
        [](auto a, auto b, auto borrow) { return sub_borrow(b, a, borrow); })
        .saturates_with([](auto a, auto b, auto c) { return sub_borrow_saturate(b, a, c); }));

inline constexpr auto kVop2Multiply24 = table(
    valu<I32(I32, I32)>("v_mul_i32_i24", "Multiplies signed 24-bit numbers.", vop2(6),
                        [](auto a, auto b) { return low_24(a) * low_24(b); })
        .saturates_with([](auto a, auto b) { return mad_saturate(low_24(a), low_24(b), a ^ a); }),
    valu<I32(I32, I32)>("v_mul_hi_i32_i24", "Upper half of the product of signed 24-bit numbers.",
                        vop2(7), [](auto a, auto b) { return mul_hi(low_24(a), low_24(b)); }),
    valu<U32(U32, U32)>("v_mul_u32_u24", "Multiplies 24-bit numbers.", vop2(8),
                        [](auto a, auto b) { return low_24(a) * low_24(b); })
        .saturates_with([](auto a, auto b) { return mad_saturate(low_24(a), low_24(b), a ^ a); }),
    valu<U32(U32, U32)>("v_mul_hi_u32_u24", "Upper half of the product of 24-bit numbers.", vop2(9),
                        [](auto a, auto b) { return mul_hi(low_24(a), low_24(b)); }));

inline constexpr auto kVop2Half = table(
    valu<F16(F16, F16)>("v_add_f16", "Adds.", vop2(31), [](auto a, auto b) { return a + b; })
        .means(Meaning::kAdd),
    valu<F16(F16, F16)>("v_sub_f16", "Subtracts src1 from src0.", vop2(32),
                        [](auto a, auto b) { return a - b; })
        .means(Meaning::kSubtract),
    valu<F16(F16, F16)>("v_subrev_f16", "Subtracts src0 from src1.", vop2(33),
                        [](auto a, auto b) { return b - a; })
        .means(Meaning::kSubtractReversed),
    valu<F16(F16, F16)>("v_mul_f16", "Multiplies.", vop2(34), [](auto a, auto b) { return a * b; })
        .means(Meaning::kMultiply),
    valu<F16(F16, F16)>("v_max_f16", "Larger of both.", vop2(45), max).means(Meaning::kMaximum),
    valu<F16(F16, F16)>("v_min_f16", "Smaller of both.", vop2(46), min).means(Meaning::kMinimum),
    valu<F16(F16, F16, Accumulate<F16>)>(
        "v_mac_f16", "Adds the rounded product to the destination.", vop2(35).without_sdwa(), mad)
        .counts_as(Arithmetic::kFma)
        .keeps_high_half(),
    valu<F16(F16, Literal<F16>, F16)>("v_madmk_f16", "Multiplies by the literal, rounds, adds.",
                                      vop2(36).only_e32(), mad)
        .counts_as(Arithmetic::kFma)
        .keeps_high_half(),
    valu<F16(F16, F16, Literal<F16>)>("v_madak_f16", "Multiplies, rounds, adds the literal.",
                                      vop2(37).only_e32(), mad)
        .counts_as(Arithmetic::kFma)
        .keeps_high_half(),
    valu<F16(F16, I16)>("v_ldexp_f16", "Times 2 to the power src1.", vop2(51), ldexp));

inline constexpr auto kVop2Short = table(
    valu<U16(U16, U16)>("v_add_u16", "Adds.", vop2(38), [](auto a, auto b) { return a + b; })
        .means(Meaning::kAdd)
        .saturates_with(add_saturate),
    valu<U16(U16, U16)>("v_sub_u16", "Subtracts src1 from src0.", vop2(39),
                        [](auto a, auto b) { return a - b; })
        .means(Meaning::kSubtract)
        .saturates_with(sub_saturate),
    valu<U16(U16, U16)>("v_subrev_u16", "Subtracts src0 from src1.", vop2(40),
                        [](auto a, auto b) { return b - a; })
        .means(Meaning::kSubtractReversed)
        .saturates_with([](auto a, auto b) { return sub_saturate(b, a); }),
    valu<U16(U16, U16)>("v_mul_lo_u16", "Low half of the product.", vop2(41),
                        [](auto a, auto b) { return a * b; })
        .means(Meaning::kMultiply),
    valu<U16(U16, U16)>("v_lshlrev_b16", "Shifts src1 left by src0[3:0].", vop2(42),
                        [](auto a, auto b) { return b << (a & 15u); })
        .means(Meaning::kShiftLeftReversed),
    valu<U16(U16, U16)>("v_lshrrev_b16", "Shifts src1 right by src0[3:0].", vop2(43),
                        [](auto a, auto b) { return b >> (a & 15u); })
        .means(Meaning::kShiftRightReversed),
    valu<I16(U16, I16)>("v_ashrrev_i16", "Shifts src1 right by src0[3:0], keeping the sign.",
                        vop2(44), [](auto a, auto b) { return b >> as<I16>(a & 15u); }),
    valu<U16(U16, U16)>("v_max_u16", "Larger of both.", vop2(47), max).means(Meaning::kMaximum),
    valu<I16(I16, I16)>("v_max_i16", "Larger of both.", vop2(48), max).means(Meaning::kMaximum),
    valu<U16(U16, U16)>("v_min_u16", "Smaller of both.", vop2(49), min).means(Meaning::kMinimum),
    valu<I16(I16, I16)>("v_min_i16", "Smaller of both.", vop2(50), min).means(Meaning::kMinimum));

/// Dot products that add to the destination.
inline constexpr auto kVop2Dot = dot_products(
    valu<F32(PkF16, PkF16, Accumulate<F32>)>("v_dot2c_f32_f16",
                                             "Adds the products of both halves to the destination.",
                                             vop2(55).without_sdwa(), dot2_f32_f16)
        .counts_as(Arithmetic::kFma),
    valu<I32(PkI16, PkI16, Accumulate<I32>)>("v_dot2c_i32_i16",
                                             "Adds the products of both halves to the destination.",
                                             vop2(56).without_sdwa(), dot2_i32_i16)
        .saturates_with(stopped(dot2_i32_i16)),
    valu<I32(U32, U32, Accumulate<I32>)>("v_dot4c_i32_i8",
                                         "Adds the products of the four bytes to the destination.",
                                         vop2(57).without_sdwa(), dot4_i32_i8)
        .saturates_with(stopped(dot4_i32_i8)),
    valu<I32(U32, U32, Accumulate<I32>)>(
        "v_dot8c_i32_i4", "Adds the products of the eight nibbles to the destination.",
        vop2(58).without_sdwa(), dot8_i32_i4)
        .saturates_with(stopped(dot8_i32_i4)));

inline constexpr auto kVop2Packed =
    table(packed<F16(F16, F16, Accumulate<F16>)>(
              "v_pk_fmac_f16", "Multiplies and adds to the destination, both halves.",
              vop2(60).only_e32(), fma)
              .counts_as(Arithmetic::kFma));

inline constexpr auto kVop2Tables =
    tables(kVop2Float, kVop2Multiply, kVop2Integer, kVop2Carry, kVop2Multiply24, kVop2Half,
           kVop2Short, kVop2Dot, kVop2Packed);

}  // namespace wavetank::isa
