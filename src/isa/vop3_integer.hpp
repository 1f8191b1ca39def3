// VOP3 integer and bit instructions (CDNA3 ISA guide, "VOP3A & VOP3B Instructions").
#pragma once

#include "isa/rare_functions.hpp"

namespace wavetank::isa {

/// `base` more than bits of `mask`, which is lanes 0 to 31's, below `lane` ...
inline constexpr auto count_below = [](auto mask, auto base, auto lane) {
  using U = decltype(lane);
  const U below = select(lane < U(32u), (U(1u) << (lane & U(31u))) - U(1u), U(~0u));
  return popcount(mask & below) + base;
};
/// ... or of lanes 32 to 63's.
inline constexpr auto count_below_high = [](auto mask, auto base, auto lane) {
  using U = decltype(lane);
  const U below = (U(1u) << (max(lane, U(32u)) - U(32u))) - U(1u);
  return popcount(mask & below) + base;
};

inline constexpr auto kVop3Bits = table(
    valu<U32(U32, U32, U32)>("v_bfe_u32", "Extracts src2[4:0] bits from bit src1[4:0] on.",
                             vop3(456), bfe),
    valu<I32(I32, U32, U32)>("v_bfe_i32", "Extracts a signed bit field.", vop3(457), bfe),
    valu<U32(U32, U32, U32)>("v_bfi_b32", "Bits of src1 where src0 is one, else of src2.",
                             vop3(458),
                             [](auto mask, auto b, auto c) { return (mask & b) | (~mask & c); }),
    valu<U32(U32, U32, U32)>("v_alignbit_b32", "Shifts {src0, src1} right by src2[4:0].", vop3(462),
                             alignbit),
    valu<U32(U32, U32, U32)>("v_perm_b32", "Picks four bytes of {src0, src1}.", vop3(493), perm),
    valu<U32(U32, U32, U32)>("v_xad_u32", "Exclusive or, then adds.", vop3(499),
                             [](auto a, auto b, auto c) { return (a ^ b) + c; }),
    valu<U32(U32, U32, U32)>("v_lshl_add_u32", "Shifts src0 left by src1[4:0], then adds.",
                             vop3(509), [](auto a, auto b, auto c) { return (a << (b & 31u)) + c; })
        .means(Meaning::kShiftLeftAdd),
    valu<U32(U32, U32, U32)>("v_add_lshl_u32", "Adds, then shifts left by src2[4:0].", vop3(510),
                             [](auto a, auto b, auto c) { return (a + b) << (c & 31u); })
        .means(Meaning::kAddShiftLeft),
    valu<U32(U32, U32, U32)>("v_add3_u32", "Adds three.", vop3(511),
                             [](auto a, auto b, auto c) { return a + b + c; })
        .means(Meaning::kAdd3),
    valu<U32(U32, U32, U32)>("v_lshl_or_b32", "Shifts src0 left by src1[4:0], then or.", vop3(512),
                             [](auto a, auto b, auto c) { return (a << (b & 31u)) | c; })
        .means(Meaning::kShiftLeftOr),
    valu<U32(U32, U32, U32)>("v_and_or_b32", "And, then or.", vop3(513),
                             [](auto a, auto b, auto c) { return (a & b) | c; }),
    valu<U32(U32, U32, U32)>("v_or3_b32", "Or of three.", vop3(514),
                             [](auto a, auto b, auto c) { return a | b | c; }));

inline constexpr auto kVop3Wide = table(
    valu<U64(U64, U32, U64)>("v_lshl_add_u64", "Shifts src0 left by src1[2:0], then adds.",
                             vop3(520),
                             [](auto a, auto b, auto c) { return (a << convert<U64>(b & 7u)) + c; })
        .means(Meaning::kShiftLeftAdd)
        .since(Version::kGfx942),
    valu<U64(U32, U64)>("v_lshlrev_b64", "Shifts src1 left by src0[5:0].", vop3(655),
                        [](auto a, auto b) { return b << convert<U64>(a & 63u); })
        .means(Meaning::kShiftLeftReversed),
    valu<U64(U32, U64)>("v_lshrrev_b64", "Shifts src1 right by src0[5:0].", vop3(656),
                        [](auto a, auto b) { return b >> convert<U64>(a & 63u); }),
    valu<I64(U32, I64)>("v_ashrrev_i64", "Shifts src1 right by src0[5:0], keeping the sign.",
                        vop3(657),
                        [](auto a, auto b) { return b >> as<I64>(convert<U64>(a & 63u)); }),
    valu<WithMask<U64>(U32, U32, U64)>("v_mad_u64_u32",
                                       "64-bit product plus src2, with the carries.", vop3(488),
                                       [](auto a, auto b, auto c) {
                                         const auto sum = mul_wide(a, b) + c;
                                         return with_mask(sum, sum < c);
                                       })
        .saturates_with(mad_wide_saturate),
    valu<WithMask<I64>(I32, I32, I64)>(
        "v_mad_i64_i32", "64-bit signed product plus src2, with the exact sign.", vop3(489),
        [](auto a, auto b, auto c) {
          const auto product = mul_wide(a, b), sum = product + c;
          const auto overflow = ((product ^ sum) & (c ^ sum)) < decltype(c)(0);
          return with_mask(sum, overflow ^ (sum < decltype(c)(0)));
        })
        .saturates_with(mad_wide_saturate));

inline constexpr auto kVop3Multiply = table(
    valu<U32(U32, U32)>("v_mul_lo_u32", "Low half of the product.", vop3(645),
                        [](auto a, auto b) { return a * b; })
        .means(Meaning::kMultiply),
    valu<U32(U32, U32)>("v_mul_hi_u32", "Upper half of the product.", vop3(646), mul_hi),
    valu<I32(I32, I32)>("v_mul_hi_i32", "Upper half of the signed product.", vop3(647), mul_hi),
    valu<I32(I32, I32, I32)>("v_mad_i32_i24", "Product of signed 24-bit numbers, plus src2.",
                             vop3(450),
                             [](auto a, auto b, auto c) { return low_24(a) * low_24(b) + c; })
        .saturates_with(
            [](auto a, auto b, auto c) { return mad_saturate(low_24(a), low_24(b), c); }),
    valu<U32(U32, U32, U32)>("v_mad_u32_u24", "Product of 24-bit numbers, plus src2.", vop3(451),
                             [](auto a, auto b, auto c) { return low_24(a) * low_24(b) + c; })
        .saturates_with(
            [](auto a, auto b, auto c) { return mad_saturate(low_24(a), low_24(b), c); }),
    valu<U32(U16, U16, U32)>(
        "v_mad_u32_u16", "Product of 16-bit numbers, plus src2.", vop3(497),
        [](auto a, auto b, auto c) { return convert<U32>(a) * convert<U32>(b) + c; })
        .saturates_with([](auto a, auto b, auto c) {
          return mad_saturate(convert<U32>(a), convert<U32>(b), c);
        }),
    valu<I32(I16, I16, I32)>(
        "v_mad_i32_i16", "Product of signed 16-bit numbers, plus src2.", vop3(498),
        [](auto a, auto b, auto c) { return convert<I32>(a) * convert<I32>(b) + c; })
        .saturates_with([](auto a, auto b, auto c) {
          return mad_saturate(convert<I32>(a), convert<I32>(b), c);
        }));

inline constexpr auto kVop3Select =
    table(valu<I32(I32, I32, I32)>("v_min3_i32", "Smallest of three.", vop3(465),
                                   [](auto a, auto b, auto c) { return min(min(a, b), c); }),
          valu<U32(U32, U32, U32)>("v_min3_u32", "Smallest of three.", vop3(466),
                                   [](auto a, auto b, auto c) { return min(min(a, b), c); }),
          valu<I32(I32, I32, I32)>("v_max3_i32", "Largest of three.", vop3(468),
                                   [](auto a, auto b, auto c) { return max(max(a, b), c); }),
          valu<U32(U32, U32, U32)>("v_max3_u32", "Largest of three.", vop3(469),
                                   [](auto a, auto b, auto c) { return max(max(a, b), c); }),
          valu<I32(I32, I32, I32)>("v_med3_i32", "Middle of three.", vop3(471), med3),
          valu<U32(U32, U32, U32)>("v_med3_u32", "Middle of three.", vop3(472), med3),
          valu<U32(U32, U32)>("v_bcnt_u32_b32", "Counts the ones of src0 and adds src1.", vop3(651),
                              [](auto a, auto b) { return popcount(a) + b; }),
          valu<U32(U32, U32, LaneNumber)>("v_mbcnt_lo_u32_b32",
                                          "Counts mask bits below this lane, lanes 0-31.",
                                          vop3(652), count_below),
          valu<U32(U32, U32, LaneNumber)>("v_mbcnt_hi_u32_b32",
                                          "Counts mask bits below this lane, lanes 32-63.",
                                          vop3(653), count_below_high),
          valu<U32(U32, U32)>("v_bfm_b32", "src0[4:0] ones from bit src1[4:0] on.", vop3(659),
                              [](auto width, auto offset) {
                                using U = decltype(width);
                                return ((U(1u) << (width & 31u)) - U(1u)) << (offset & 31u);
                              }),
          valu<U32(U32, U32)>("v_cvt_pk_u16_u32", "Both saturated to u16; src0 in the low half.",
                              vop3(663), cvt_pk_u16_u32)
              .means(Meaning::kConvert),
          valu<U32(I32, I32)>("v_cvt_pk_i16_i32", "Both saturated to i16; src0 in the low half.",
                              vop3(664), cvt_pk_i16_i32)
              .means(Meaning::kConvert),
          valu<I32(I32, I32)>("v_add_i32", "Adds.", vop3(668), [](auto a, auto b) { return a + b; })
              .means(Meaning::kAdd)
              .saturates_with(add_saturate),
          valu<I32(I32, I32)>("v_sub_i32", "Subtracts src1 from src0.", vop3(669),
                              [](auto a, auto b) { return a - b; })
              .means(Meaning::kSubtract)
              .saturates_with(sub_saturate));

inline constexpr auto kVop3Short = table(
    valu<U16(U16, U16, U16)>("v_mad_legacy_u16", "Product plus src2; clears the upper half.",
                             vop3(491), [](auto a, auto b, auto c) { return a * b + c; })
        .selects(OpSel::kNothing)
        .saturates_with(mad_saturate),
    valu<I16(I16, I16, I16)>("v_mad_legacy_i16", "Product plus src2; clears the upper half.",
                             vop3(492), [](auto a, auto b, auto c) { return a * b + c; })
        .selects(OpSel::kNothing)
        .saturates_with(mad_saturate),
    valu<I16(I16, I16, I16)>("v_min3_i16", "Smallest of three.", vop3(501),
                             [](auto a, auto b, auto c) { return min(min(a, b), c); })
        .keeps_high_half(),
    valu<U16(U16, U16, U16)>("v_min3_u16", "Smallest of three.", vop3(502),
                             [](auto a, auto b, auto c) { return min(min(a, b), c); })
        .keeps_high_half(),
    valu<I16(I16, I16, I16)>("v_max3_i16", "Largest of three.", vop3(504),
                             [](auto a, auto b, auto c) { return max(max(a, b), c); })
        .keeps_high_half(),
    valu<U16(U16, U16, U16)>("v_max3_u16", "Largest of three.", vop3(505),
                             [](auto a, auto b, auto c) { return max(max(a, b), c); })
        .keeps_high_half(),
    valu<I16(I16, I16, I16)>("v_med3_i16", "Middle of three.", vop3(507), med3).keeps_high_half(),
    valu<U16(U16, U16, U16)>("v_med3_u16", "Middle of three.", vop3(508), med3).keeps_high_half(),
    valu<U16(U16, U16, U16)>("v_mad_u16", "Product plus src2.", vop3(516),
                             [](auto a, auto b, auto c) { return a * b + c; })
        .saturates_with(mad_saturate)
        .keeps_high_half(),
    valu<I16(I16, I16, I16)>("v_mad_i16", "Product plus src2.", vop3(517),
                             [](auto a, auto b, auto c) { return a * b + c; })
        .saturates_with(mad_saturate)
        .keeps_high_half(),
    valu<I16(I16, I16)>("v_add_i16", "Adds.", vop3(670), [](auto a, auto b) { return a + b; })
        .means(Meaning::kAdd)
        .saturates_with(add_saturate)
        .keeps_high_half(),
    valu<I16(I16, I16)>("v_sub_i16", "Subtracts src1 from src0.", vop3(671),
                        [](auto a, auto b) { return a - b; })
        .means(Meaning::kSubtract)
        .saturates_with(sub_saturate)
        .keeps_high_half());

inline constexpr auto kVop3Sad =
    table(valu<U32(U32, U32, U32)>("v_lerp_u8", "Averages bytes, rounded by bit 0 of src2's.",
                                   vop3(461), lerp_u8),
          valu<U32(U32, U32, U32)>(
              "v_alignbyte_b32", "Shifts {src0, src1} right by src2[1:0] bytes.", vop3(463),
              [](auto a, auto b, auto c) { return alignbit(a, b, (c & 3u) << decltype(c)(3u)); }),
          valu<U32(U32, U32, U32)>("v_sad_u8", "Adds the differences of four bytes to src2.",
                                   vop3(473), sad_u8)
              .saturates_with(
                  [](auto a, auto b, auto c) { return add_saturate(sad_u8(a, b, c ^ c), c); }),
          valu<U32(U32, U32, U32)>("v_sad_hi_u8", "Adds the differences of bytes to src2[31:16].",
                                   vop3(474), sad_hi_u8)
              .saturates_with(
                  [](auto a, auto b, auto c) { return add_saturate(sad_hi_u8(a, b, c ^ c), c); }),
          valu<U32(U32, U32, U32)>("v_sad_u16", "Adds the differences of both halves to src2.",
                                   vop3(475), sad_u16)
              .saturates_with(
                  [](auto a, auto b, auto c) { return add_saturate(sad_u16(a, b, c ^ c), c); }),
          valu<U32(U32, U32, U32)>("v_sad_u32", "Adds the difference to src2.", vop3(476), sad_u32)
              .saturates_with(
                  [](auto a, auto b, auto c) { return add_saturate(sad_u32(a, b, c ^ c), c); }),
          valu<U32(U32, U32, U32)>("v_msad_u8", "As v_sad_u8, without bytes that are 0 in src1.",
                                   vop3(484), msad_u8)
              .saturates_with(
                  [](auto a, auto b, auto c) { return add_saturate(msad_u8(a, b, c ^ c), c); }),
          valu<U64(U64, U32, U64)>("v_qsad_pk_u16_u8",
                                   "v_sad_u8 of four windows of src0, to four halves.", vop3(485),
                                   qsad_pk_u16_u8)
              .saturates_with(qsad_saturate),
          valu<U64(U64, U32, U64)>("v_mqsad_pk_u16_u8",
                                   "v_msad_u8 of four windows of src0, to four halves.", vop3(486),
                                   mqsad_pk_u16_u8)
              .saturates_with(mqsad_saturate));

/// Four 32-bit sums; only the reference runs it (reference/run.cpp). LLVM schedules four passes.
inline constexpr auto kVop3Sums = table(
    valu<B128(U64, U32, Vgpr<B128>)>(
        "v_mqsad_u32_u8", "v_msad_u8 of four windows of src0, to four registers.", vop3(487),
        lanes<"mqsad_u32_u8">([](auto a, auto b, auto c) { return number::mqsad_u32_u8(a, b, c); }))
        .at(Rate::kQuarter));

inline constexpr auto kVop3IntegerTables =
    tables(kVop3Bits, kVop3Wide, kVop3Multiply, kVop3Select, kVop3Short, kVop3Sad);

}  // namespace wavetank::isa
