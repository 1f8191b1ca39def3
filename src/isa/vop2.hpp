// VOP2: two sources, one of them a vector register (CDNA3 ISA guide, "VOP2 Instructions").
#pragma once

#include "isa/define.hpp"

namespace wavetank::isa {

inline constexpr auto kVop2Float = table(
    valu<F32(F32, F32)>("v_add_f32", "Adds.", vop2(1), [](auto a, auto b) { return a + b; }),
    valu<F32(F32, F32)>("v_sub_f32", "Subtracts src1 from src0.", vop2(2),
                        [](auto a, auto b) { return a - b; }),
    valu<F32(F32, F32)>("v_mul_f32", "Multiplies.", vop2(5), [](auto a, auto b) { return a * b; }),
    valu<F32(F32, F32, Accumulate<F32>)>("v_fmac_f32", "Multiplies and adds to the destination.",
                                         vop2(59).without_sdwa(),
                                         [](auto a, auto b, auto d) { return fma(a, b, d); }));

inline constexpr auto kVop2Integer = table(
    valu<U32(U32, U32, Mask)>("v_cndmask_b32", "Selects src1 where the mask is set, else src0.",
                              vop2(0),
                              [](auto a, auto b, auto mask) { return select(mask, b, a); }),
    valu<U32(U32, U32)>("v_and_b32", "Bitwise and.", vop2(19), [](auto a, auto b) { return a & b; }),
    valu<U32(U32, U32)>("v_lshlrev_b32", "Shifts src1 left by src0[4:0].", vop2(18),
                        [](auto a, auto b) { return b << (a & 31u); }),
    valu<WithMask<U32>(U32, U32)>("v_add_co_u32", "Adds, with the carries in a lane mask.", vop2(25),
                                  [](auto a, auto b) {
                                    auto sum = a + b;
                                    return with_mask(sum, sum < a);
                                  }));

}  // namespace wavetank::isa
