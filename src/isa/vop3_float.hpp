// VOP3 float instructions and conversions (CDNA3 ISA guide, "VOP3A & VOP3B Instructions").
#pragma once

#include "isa/rare_functions.hpp"

namespace wavetank::isa {

inline constexpr auto kVop3Float = table(
    valu<F32(F32, F32, F32)>("v_fma_f32", "Multiplies and adds, rounded once.", vop3(459), fma)
        .means(Meaning::kFused),
    valu<F64(F64, F64, F64)>("v_fma_f64", "Multiplies and adds, rounded once.", vop3(460), fma)
        .means(Meaning::kFused),
    valu<F64(F64, F64)>("v_add_f64", "Adds.", vop3(640), [](auto a, auto b) { return a + b; })
        .means(Meaning::kAdd),
    valu<F64(F64, F64)>("v_mul_f64", "Multiplies.", vop3(641), [](auto a, auto b) { return a * b; })
        .means(Meaning::kMultiply),
    valu<F64(F64, F64)>("v_min_f64", "Smaller of both.", vop3(642), min).means(Meaning::kMinimum),
    valu<F64(F64, F64)>("v_max_f64", "Larger of both.", vop3(643), max).means(Meaning::kMaximum),
    valu<F32(F32, F32, F32)>("v_min3_f32", "Smallest of three.", vop3(464),
                             [](auto a, auto b, auto c) { return min(min(a, b), c); }),
    valu<F32(F32, F32, F32)>("v_max3_f32", "Largest of three.", vop3(467),
                             [](auto a, auto b, auto c) { return max(max(a, b), c); }),
    valu<F32(F32, F32, F32)>("v_med3_f32", "Middle of three.", vop3(470), med3));

inline constexpr auto kVop3Divide =
    table(valu<F32(F32, F32, F32)>("v_div_fixup_f32",
                                   "Special cases of src2 / src1 on the quotient src0.", vop3(478),
                                   div_fixup)
              .means(Meaning::kDivideFixup),
          valu<F64(F64, F64, F64)>("v_div_fixup_f64",
                                   "Special cases of src2 / src1 on the quotient src0.", vop3(479),
                                   div_fixup)
              .means(Meaning::kDivideFixup),
          valu<WithMask<F32>(F32, F32, F32)>(
              "v_div_scale_f32", "Scales src0, an operand of src2 / src1.", vop3(480), div_scale)
              .means(Meaning::kDivideScale),
          valu<WithMask<F64>(F64, F64, F64)>(
              "v_div_scale_f64", "Scales src0, an operand of src2 / src1.", vop3(481), div_scale)
              .means(Meaning::kDivideScale),
          valu<F32(F32, F32, F32, ImplicitVcc)>(
              "v_div_fmas_f32", "fma, scaled back where VCC is set.", vop3(482), div_fmas)
              .means(Meaning::kDivideFuse),
          valu<F64(F64, F64, F64, ImplicitVcc)>(
              "v_div_fmas_f64", "fma, scaled back where VCC is set.", vop3(483), div_fmas)
              .means(Meaning::kDivideFuse),
          valu<F64(F64, I32)>("v_ldexp_f64", "Times 2 to the power src1.", vop3(644), ldexp),
          valu<F32(F32, I32)>("v_ldexp_f32", "Times 2 to the power src1.", vop3(648), ldexp));

inline constexpr auto kVop3Rare = table(
    valu<F32(F32, F32, F32)>("v_mad_legacy_f32", "Product, 0 where a factor is, plus src2.",
                             vop3(448), mad_legacy)
        .counts_as(Arithmetic::kFma)
        .until(Version::kGfx90a),
    valu<F32(F32, F32, F32)>("v_mad_f32", "Product rounded, plus src2.", vop3(449), mad)
        .counts_as(Arithmetic::kFma)
        .until(Version::kGfx90a),
    valu<F32(F32, F32, F32)>("v_cubeid_f32", "Cube face of a direction.", vop3(452), cubeid),
    valu<F32(F32, F32, F32)>("v_cubesc_f32", "S coordinate on the cube face.", vop3(453), cubesc),
    valu<F32(F32, F32, F32)>("v_cubetc_f32", "T coordinate on the cube face.", vop3(454), cubetc),
    valu<F32(F32, F32, F32)>("v_cubema_f32", "Twice the major axis.", vop3(455), cubema),
    valu<F32(F32, F32)>("v_mul_legacy_f32", "Product, 0 where a factor is.", vop3(673), mul_legacy)
        .counts_as(Arithmetic::kMultiply),
    valu<F64(F64, U32)>("v_trig_preop_f64", "Digits of 2/pi that reduce a large angle.", vop3(658),
                        trig_preop));

inline constexpr auto kVop3Half = table(
    valu<F16(F16, F16, F16)>("v_mad_legacy_f16",
                             "Product rounded, plus src2; clears the upper half.", vop3(490), mad)
        .selects(OpSel::kNothing)
        .counts_as(Arithmetic::kFma),
    valu<F16(F16, F16, F16)>("v_fma_legacy_f16", "Multiplies and adds; clears the upper half.",
                             vop3(494), fma)
        .selects(OpSel::kNothing)
        .counts_as(Arithmetic::kFma),
    valu<F16(F16, F16, F16)>("v_div_fixup_legacy_f16",
                             "Special cases of src2 / src1; clears the upper half.", vop3(495),
                             div_fixup)
        .selects(OpSel::kNothing)
        .means(Meaning::kDivideFixup),
    valu<F16(F16, F16, F16)>("v_min3_f16", "Smallest of three.", vop3(500),
                             [](auto a, auto b, auto c) { return min(min(a, b), c); })
        .keeps_high_half(),
    valu<F16(F16, F16, F16)>("v_max3_f16", "Largest of three.", vop3(503),
                             [](auto a, auto b, auto c) { return max(max(a, b), c); })
        .keeps_high_half(),
    valu<F16(F16, F16, F16)>("v_med3_f16", "Middle of three.", vop3(506), med3).keeps_high_half(),
    valu<F16(F16, F16, F16)>("v_mad_f16", "Product rounded, plus src2.", vop3(515), mad)
        .counts_as(Arithmetic::kFma)
        .keeps_high_half(),
    valu<F16(F16, F16, F16)>("v_fma_f16", "Multiplies and adds, rounded once.", vop3(518), fma)
        .means(Meaning::kFused)
        .keeps_high_half(),
    valu<F16(F16, F16, F16)>("v_div_fixup_f16",
                             "Special cases of src2 / src1 on the quotient src0.", vop3(519),
                             div_fixup)
        .means(Meaning::kDivideFixup)
        .keeps_high_half());

inline constexpr auto kVop3Pack =
    table(valu<U32(F32, U32, U32)>("v_cvt_pk_u8_f32", "src0 as a byte, at byte src1[1:0] of src2.",
                                   vop3(477), cvt_pk_u8)
              .means(Meaning::kConvert),
          valu<U32(F32, U32, Accumulate<U32>)>(
              "v_cvt_pkaccum_u8_f32", "src0 as a byte, at byte src1[1:0] of the destination.",
              vop3(496), cvt_pk_u8)
              .means(Meaning::kConvert),
          valu<U32(F32, F32)>("v_cvt_pknorm_i16_f32", "Both in [-1, 1] times 32767, packed.",
                              vop3(660), cvt_pknorm_i16)
              .means(Meaning::kConvert),
          valu<U32(F32, F32)>("v_cvt_pknorm_u16_f32", "Both in [0, 1] times 65535, packed.",
                              vop3(661), cvt_pknorm_u16)
              .means(Meaning::kConvert),
          valu<U32(F32, F32)>("v_cvt_pkrtz_f16_f32", "Both to f16 towards zero, packed.", vop3(662),
                              cvt_pkrtz_f16_f32)
              .means(Meaning::kConvert),
          valu<U32(F16, F16)>("v_cvt_pknorm_i16_f16", "Both in [-1, 1] times 32767, packed.",
                              vop3(665), cvt_pknorm_i16)
              .means(Meaning::kConvert),
          valu<U32(F16, F16)>("v_cvt_pknorm_u16_f16", "Both in [0, 1] times 65535, packed.",
                              vop3(666), cvt_pknorm_u16)
              .means(Meaning::kConvert),
          valu<U32(F16, F16)>("v_pack_b32_f16", "src0 in the low half, src1 in the upper.",
                              vop3(672), [](auto a, auto b) {
                                const auto high = convert<U32>(as<U16>(b));
                                return convert<U32>(as<U16>(a)) | (high << decltype(high)(16u));
                              }));

inline constexpr auto kVop3Fp8 = table_of(
    Meaning::kConvert,
    valu<U16(F32, F32)>("v_cvt_pk_fp8_f32", "Both to fp8, to the half that op_sel names.",
                        vop3(674), pk_f32_to_fp8)
        .selects(OpSel::kResultHalf)
        .keeps_high_half()
        .since(Version::kGfx942),
    valu<U16(F32, F32)>("v_cvt_pk_bf8_f32", "Both to bf8, to the half that op_sel names.",
                        vop3(675), pk_f32_to_bf8)
        .selects(OpSel::kResultHalf)
        .keeps_high_half()
        .since(Version::kGfx942),
    valu<ByteResult(F32, U32)>("v_cvt_sr_fp8_f32", "To fp8, rounded with the random bits of src1.",
                               vop3(676), f32_to_fp8_stochastic)
        .selects(OpSel::kResultByte)
        .since(Version::kGfx942),
    valu<ByteResult(F32, U32)>("v_cvt_sr_bf8_f32", "To bf8, rounded with the random bits of src1.",
                               vop3(677), f32_to_bf8_stochastic)
        .selects(OpSel::kResultByte)
        .since(Version::kGfx942));

inline constexpr auto kVop3FloatTables =
    tables(kVop3Float, kVop3Divide, kVop3Rare, kVop3Half, kVop3Pack, kVop3Fp8);

}  // namespace wavetank::isa
