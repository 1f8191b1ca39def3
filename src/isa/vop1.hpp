// VOP1: one source (CDNA3 ISA guide, "VOP1 Instructions"). f64 rows have no SDWA form.
#pragma once

#include "isa/rare_functions.hpp"

namespace wavetank::isa {

inline constexpr auto kVop1Move = table(
    valu<U32(U32)>("v_mov_b32", "Copies.", vop1(1), [](auto a) { return a; }).means(Meaning::kMove),
    valu<U64(U64)>("v_mov_b64", "Copies 64 bits.", vop1(56).without_sdwa(),
                   [](auto a) { return a; })
        .means(Meaning::kMove)
        .since(Version::kGfx942),
    valu<U32(U32)>("v_not_b32", "Inverts every bit.", vop1(43), [](auto a) { return ~a; }),
    valu<U32(U32)>("v_bfrev_b32", "Reverses the order of the bits.", vop1(44), bitreverse),
    valu<U32(U32)>("v_ffbh_u32", "Counts the zeros above the highest one; -1 if none.", vop1(45),
                   ffbh),
    valu<U32(U32)>("v_ffbl_b32", "Finds the lowest one; -1 if none.", vop1(46), ffbl),
    valu<U32(I32)>("v_ffbh_i32", "Counts the top bits equal to the sign; -1 if all.", vop1(47),
                   ffbh));

inline constexpr auto kVop1Convert = table_of(
    Meaning::kConvert,
    valu<I32(F64)>("v_cvt_i32_f64", "f64 to i32, truncated, saturating.", vop1(3).without_sdwa(),
                   convert<I32>),
    valu<F64(I32)>("v_cvt_f64_i32", "i32 to f64.", vop1(4).without_sdwa(), convert<F64>),
    valu<F32(I32)>("v_cvt_f32_i32", "i32 to f32.", vop1(5), convert<F32>).at(Rate::kQuarter),
    valu<F32(U32)>("v_cvt_f32_u32", "u32 to f32.", vop1(6), convert<F32>).at(Rate::kQuarter),
    valu<U32(F32)>("v_cvt_u32_f32", "f32 to u32, truncated, saturating.", vop1(7), convert<U32>)
        .at(Rate::kQuarter),
    valu<I32(F32)>("v_cvt_i32_f32", "f32 to i32, truncated, saturating.", vop1(8), convert<I32>)
        .at(Rate::kQuarter),
    valu<F16(F32)>("v_cvt_f16_f32", "f32 to f16.", vop1(10), convert<F16>).at(Rate::kQuarter),
    valu<F32(F16)>("v_cvt_f32_f16", "f16 to f32.", vop1(11), convert<F32>).at(Rate::kQuarter),
    valu<I32(F32)>("v_cvt_rpi_i32_f32", "f32 to i32: floor of a + 0.5.", vop1(12), f32_to_i32_rpi)
        .at(Rate::kQuarter),
    valu<I32(F32)>("v_cvt_flr_i32_f32", "f32 to i32: floor.", vop1(13), f32_to_i32_flr)
        .at(Rate::kQuarter),
    valu<F32(U32)>("v_cvt_off_f32_i4", "Signed nibble in sixteenths to f32.", vop1(14), off_f32_i4)
        .at(Rate::kQuarter),
    valu<F32(F64)>("v_cvt_f32_f64", "f64 to f32.", vop1(15).without_sdwa(), convert<F32>),
    valu<F64(F32)>("v_cvt_f64_f32", "f32 to f64.", vop1(16).without_sdwa(), convert<F64>),
    valu<F32(U32)>("v_cvt_f32_ubyte0", "Byte 0 to f32.", vop1(17),
                   [](auto a) { return convert<F32>(a & 0xffu); })
        .at(Rate::kQuarter),
    valu<F32(U32)>("v_cvt_f32_ubyte1", "Byte 1 to f32.", vop1(18),
                   [](auto a) { return convert<F32>((a >> 8u) & 0xffu); })
        .at(Rate::kQuarter),
    valu<F32(U32)>("v_cvt_f32_ubyte2", "Byte 2 to f32.", vop1(19),
                   [](auto a) { return convert<F32>((a >> 16u) & 0xffu); })
        .at(Rate::kQuarter),
    valu<F32(U32)>("v_cvt_f32_ubyte3", "Byte 3 to f32.", vop1(20),
                   [](auto a) { return convert<F32>(a >> 24u); })
        .at(Rate::kQuarter),
    valu<U32(F64)>("v_cvt_u32_f64", "f64 to u32, truncated, saturating.", vop1(21).without_sdwa(),
                   convert<U32>),
    valu<F64(U32)>("v_cvt_f64_u32", "u32 to f64.", vop1(22).without_sdwa(), convert<F64>));

inline constexpr auto kVop1Round =
    table(valu<F64(F64)>("v_trunc_f64", "Rounds towards zero.", vop1(23).without_sdwa(), trunc),
          valu<F64(F64)>("v_ceil_f64", "Rounds up.", vop1(24).without_sdwa(), ceil),
          valu<F64(F64)>("v_rndne_f64", "Rounds to nearest, ties to even.", vop1(25).without_sdwa(),
                         rndne),
          valu<F64(F64)>("v_floor_f64", "Rounds down.", vop1(26).without_sdwa(), floor),
          valu<F32(F32)>("v_fract_f32", "Fraction: a - floor(a), below 1.", vop1(27), fract),
          valu<F32(F32)>("v_trunc_f32", "Rounds towards zero.", vop1(28), trunc),
          valu<F32(F32)>("v_ceil_f32", "Rounds up.", vop1(29), ceil),
          valu<F32(F32)>("v_rndne_f32", "Rounds to nearest, ties to even.", vop1(30), rndne),
          valu<F32(F32)>("v_floor_f32", "Rounds down.", vop1(31), floor),
          valu<I32(F64)>("v_frexp_exp_i32_f64", "Exponent as of frexp.", vop1(48).without_sdwa(),
                         frexp_exp<I32>),
          valu<F64(F64)>("v_frexp_mant_f64", "Significand in [0.5, 1).", vop1(49).without_sdwa(),
                         frexp_mant),
          valu<F64(F64)>("v_fract_f64", "Fraction: a - floor(a), below 1.", vop1(50).without_sdwa(),
                         fract),
          valu<I32(F32)>("v_frexp_exp_i32_f32", "Exponent as of frexp.", vop1(51), frexp_exp<I32>),
          valu<F32(F32)>("v_frexp_mant_f32", "Significand in [0.5, 1).", vop1(52), frexp_mant));

inline constexpr auto kVop1Function = table(
    valu<F32(F32)>("v_exp_f32", "2 to the power a.", vop1(32), exp2).at(Rate::kTranscendental),
    valu<F32(F32)>("v_log_f32", "Logarithm to base 2.", vop1(33), log2).at(Rate::kTranscendental),
    valu<F32(F32)>("v_rcp_f32", "1 / a.", vop1(34), rcp)
        .means(Meaning::kReciprocal)
        .at(Rate::kTranscendental),
    valu<F32(F32)>("v_rcp_iflag_f32", "1 / a, as integer division uses it.", vop1(35), rcp)
        .means(Meaning::kReciprocalInteger)
        .at(Rate::kTranscendental),
    valu<F32(F32)>("v_rsq_f32", "1 / sqrt(a).", vop1(36), rsq).at(Rate::kTranscendental),
    valu<F64(F64)>("v_rcp_f64", "1 / a.", vop1(37).without_sdwa(), rcp)
        .means(Meaning::kReciprocal)
        .at(Rate::kTranscendental),
    valu<F64(F64)>("v_rsq_f64", "1 / sqrt(a).", vop1(38).without_sdwa(), rsq)
        .at(Rate::kTranscendental),
    valu<F32(F32)>("v_sqrt_f32", "Square root.", vop1(39), sqrt)
        .means(Meaning::kSquareRoot)
        .at(Rate::kTranscendental),
    valu<F64(F64)>("v_sqrt_f64", "Square root.", vop1(40).without_sdwa(), sqrt)
        .means(Meaning::kSquareRoot)
        .at(Rate::kTranscendental),
    valu<F32(F32)>("v_sin_f32", "Sine of a revolutions.", vop1(41), sin).at(Rate::kTranscendental),
    valu<F32(F32)>("v_cos_f32", "Cosine of a revolutions.", vop1(42), cos)
        .at(Rate::kTranscendental),
    valu<F32(F32)>("v_exp_legacy_f32", "2 to the power a.", vop1(75), exp2)
        .at(Rate::kTranscendental),
    valu<F32(F32)>("v_log_legacy_f32", "Logarithm to base 2.", vop1(76), log2)
        .at(Rate::kTranscendental));

inline constexpr auto kVop1Half = table(
    valu<F16(U16)>("v_cvt_f16_u16", "u16 to f16.", vop1(57), convert<F16>)
        .means(Meaning::kConvert)
        .at(Rate::kQuarter),
    valu<F16(I16)>("v_cvt_f16_i16", "i16 to f16.", vop1(58), convert<F16>)
        .means(Meaning::kConvert)
        .at(Rate::kQuarter),
    valu<U16(F16)>("v_cvt_u16_f16", "f16 to u16, truncated, saturating.", vop1(59), convert<U16>)
        .means(Meaning::kConvert)
        .at(Rate::kQuarter),
    valu<I16(F16)>("v_cvt_i16_f16", "f16 to i16, truncated, saturating.", vop1(60), convert<I16>)
        .means(Meaning::kConvert)
        .at(Rate::kQuarter),
    valu<F16(F16)>("v_rcp_f16", "1 / a.", vop1(61), rcp)
        .means(Meaning::kReciprocal)
        .at(Rate::kTranscendental),
    valu<F16(F16)>("v_sqrt_f16", "Square root.", vop1(62), sqrt)
        .means(Meaning::kSquareRoot)
        .at(Rate::kTranscendental),
    valu<F16(F16)>("v_rsq_f16", "1 / sqrt(a).", vop1(63), rsq).at(Rate::kTranscendental),
    valu<F16(F16)>("v_log_f16", "Logarithm to base 2.", vop1(64), log2).at(Rate::kTranscendental),
    valu<F16(F16)>("v_exp_f16", "2 to the power a.", vop1(65), exp2).at(Rate::kTranscendental),
    valu<F16(F16)>("v_frexp_mant_f16", "Significand in [0.5, 1).", vop1(66), frexp_mant),
    valu<I16(F16)>("v_frexp_exp_i16_f16", "Exponent as of frexp.", vop1(67), frexp_exp<I16>),
    valu<F16(F16)>("v_floor_f16", "Rounds down.", vop1(68), floor),
    valu<F16(F16)>("v_ceil_f16", "Rounds up.", vop1(69), ceil),
    valu<F16(F16)>("v_trunc_f16", "Rounds towards zero.", vop1(70), trunc),
    valu<F16(F16)>("v_rndne_f16", "Rounds to nearest, ties to even.", vop1(71), rndne),
    valu<F16(F16)>("v_fract_f16", "Fraction: a - floor(a), below 1.", vop1(72), fract),
    valu<F16(F16)>("v_sin_f16", "Sine of a revolutions.", vop1(73), sin).at(Rate::kTranscendental),
    valu<F16(F16)>("v_cos_f16", "Cosine of a revolutions.", vop1(74), cos)
        .at(Rate::kTranscendental),
    valu<I16(F16)>("v_cvt_norm_i16_f16", "Clamps to [-1, 1], times 32767.", vop1(77), to_snorm16)
        .means(Meaning::kConvert),
    valu<U16(F16)>("v_cvt_norm_u16_f16", "Clamps to [0, 1], times 65535.", vop1(78), to_unorm16)
        .means(Meaning::kConvert),
    valu<U32(U32)>("v_sat_pk_u8_i16", "Both signed halves to saturated bytes.", vop1(79),
                   sat_pk_u8_i16));

inline constexpr auto kVop1Fp8 =
    table_of(Meaning::kConvert,
             valu<F32(U32)>("v_cvt_f32_fp8", "fp8 in byte 0 to f32.",
                            vop1(84).with_whole_sdwa_result(), fp8_to_f32)
                 .since(Version::kGfx942),
             valu<F32(U32)>("v_cvt_f32_bf8", "bf8 in byte 0 to f32.",
                            vop1(85).with_whole_sdwa_result(), bf8_to_f32)
                 .since(Version::kGfx942),
             valu<U64(U32)>("v_cvt_pk_f32_fp8", "Two fp8 in bytes 0 and 1 to two f32.",
                            vop1(86).with_whole_sdwa_result(), pk_fp8_to_f32)
                 .since(Version::kGfx942),
             valu<U64(U32)>("v_cvt_pk_f32_bf8", "Two bf8 in bytes 0 and 1 to two f32.",
                            vop1(87).with_whole_sdwa_result(), pk_bf8_to_f32)
                 .since(Version::kGfx942));

inline constexpr auto kVop1Tables =
    tables(kVop1Move, kVop1Convert, kVop1Round, kVop1Function, kVop1Half, kVop1Fp8);

}  // namespace wavetank::isa
