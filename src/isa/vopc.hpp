// VOPC: comparisons that write a lane mask (CDNA3 ISA guide, "VOPC Instructions"). v_cmpx writes
// EXEC too. No row has a DPP form, those of 64 bits no SDWA form.
#pragma once

#include "isa/lane_functions.hpp"

namespace wavetank::isa {

// The predicates. Those whose name starts with `not` are true for NaN.
inline constexpr auto never = [](auto a, auto) { return as_false(a); };
inline constexpr auto always = [](auto a, auto) { return !as_false(a); };
inline constexpr auto is_less = [](auto a, auto b) { return a < b; };
inline constexpr auto is_equal = [](auto a, auto b) { return a == b; };
inline constexpr auto is_at_most = [](auto a, auto b) { return a <= b; };
inline constexpr auto is_greater = [](auto a, auto b) { return a > b; };
inline constexpr auto is_at_least = [](auto a, auto b) { return a >= b; };
inline constexpr auto is_different = [](auto a, auto b) { return (a < b) | (b < a); };
inline constexpr auto is_ordered = [](auto a, auto b) { return !unordered(a, b); };
inline constexpr auto not_less = [](auto a, auto b) { return !(a < b); };
inline constexpr auto not_equal = [](auto a, auto b) { return !(a == b); };
inline constexpr auto not_at_most = [](auto a, auto b) { return !(a <= b); };
inline constexpr auto not_greater = [](auto a, auto b) { return !(a > b); };
inline constexpr auto not_at_least = [](auto a, auto b) { return !(a >= b); };
inline constexpr auto not_different = [](auto a, auto b) { return !((a < b) | (b < a)); };

/// A compare, and one that writes EXEC as well, at opcode `op` without the DPP form.
template <class T, class Body>
constexpr auto compare(std::string_view name, std::string_view summary, std::uint16_t op,
                       Body body) {
  const Encoding encoding = vopc(op).without_dpp();
  return valu<Mask(T, T)>(name, summary,
                          dwords_of(T::type) == 2 ? encoding.without_sdwa() : encoding, body)
      .means(Meaning::kCompare);
}
template <class T, class Body>
constexpr auto compare_exec(std::string_view name, std::string_view summary, std::uint16_t op,
                            Body body) {
  const Encoding encoding = vopc(op).without_dpp();
  return compare_x<Mask(T, T)>(name, summary,
                               dwords_of(T::type) == 2 ? encoding.without_sdwa() : encoding, body)
      .means(Meaning::kCompare);
}

inline constexpr auto kVopcClass =
    table_of(Meaning::kCompare,
             valu<Mask(F32, U32)>("v_cmp_class_f32", "src0 is of a class in src1.",
                                  vopc(16).without_dpp(), is_class),
             valu<Mask(F64, U32)>("v_cmp_class_f64", "src0 is of a class in src1.",
                                  vopc(18).without_sdwa_dpp(), is_class),
             valu<Mask(F16, U32)>("v_cmp_class_f16", "src0 is of a class in src1.",
                                  vopc(20).without_dpp(), is_class));
inline constexpr auto kVopcClassExec =
    table_of(Meaning::kCompare,
             compare_x<Mask(F32, U32)>("v_cmpx_class_f32", "src0 is of a class in src1; to EXEC.",
                                       vopc(17).without_dpp(), is_class),
             compare_x<Mask(F64, U32)>("v_cmpx_class_f64", "src0 is of a class in src1; to EXEC.",
                                       vopc(19).without_sdwa_dpp(), is_class),
             compare_x<Mask(F16, U32)>("v_cmpx_class_f16", "src0 is of a class in src1; to EXEC.",
                                       vopc(21).without_dpp(), is_class));

inline constexpr auto kVopcF16 =
    table(compare<F16>("v_cmp_f_f16", "False everywhere.", 32, never),
          compare<F16>("v_cmp_lt_f16", "src0 < src1.", 33, is_less),
          compare<F16>("v_cmp_eq_f16", "src0 == src1.", 34, is_equal),
          compare<F16>("v_cmp_le_f16", "src0 <= src1.", 35, is_at_most),
          compare<F16>("v_cmp_gt_f16", "src0 > src1.", 36, is_greater),
          compare<F16>("v_cmp_lg_f16", "src0 < src1 or src0 > src1.", 37, is_different),
          compare<F16>("v_cmp_ge_f16", "src0 >= src1.", 38, is_at_least),
          compare<F16>("v_cmp_o_f16", "Neither is a NaN.", 39, is_ordered),
          compare<F16>("v_cmp_u_f16", "Either is a NaN.", 40, unordered),
          compare<F16>("v_cmp_nge_f16", "Not src0 >= src1.", 41, not_at_least),
          compare<F16>("v_cmp_nlg_f16", "Equal, or either is a NaN.", 42, not_different),
          compare<F16>("v_cmp_ngt_f16", "Not src0 > src1.", 43, not_greater),
          compare<F16>("v_cmp_nle_f16", "Not src0 <= src1.", 44, not_at_most),
          compare<F16>("v_cmp_neq_f16", "Not src0 == src1.", 45, not_equal),
          compare<F16>("v_cmp_nlt_f16", "Not src0 < src1.", 46, not_less),
          compare<F16>("v_cmp_tru_f16", "True everywhere.", 47, always));
inline constexpr auto kVopcF16Exec = table(
    compare_exec<F16>("v_cmpx_f_f16", "False everywhere; to EXEC.", 48, never),
    compare_exec<F16>("v_cmpx_lt_f16", "src0 < src1; to EXEC.", 49, is_less),
    compare_exec<F16>("v_cmpx_eq_f16", "src0 == src1; to EXEC.", 50, is_equal),
    compare_exec<F16>("v_cmpx_le_f16", "src0 <= src1; to EXEC.", 51, is_at_most),
    compare_exec<F16>("v_cmpx_gt_f16", "src0 > src1; to EXEC.", 52, is_greater),
    compare_exec<F16>("v_cmpx_lg_f16", "src0 < src1 or src0 > src1; to EXEC.", 53, is_different),
    compare_exec<F16>("v_cmpx_ge_f16", "src0 >= src1; to EXEC.", 54, is_at_least),
    compare_exec<F16>("v_cmpx_o_f16", "Neither is a NaN; to EXEC.", 55, is_ordered),
    compare_exec<F16>("v_cmpx_u_f16", "Either is a NaN; to EXEC.", 56, unordered),
    compare_exec<F16>("v_cmpx_nge_f16", "Not src0 >= src1; to EXEC.", 57, not_at_least),
    compare_exec<F16>("v_cmpx_nlg_f16", "Equal, or either is a NaN; to EXEC.", 58, not_different),
    compare_exec<F16>("v_cmpx_ngt_f16", "Not src0 > src1; to EXEC.", 59, not_greater),
    compare_exec<F16>("v_cmpx_nle_f16", "Not src0 <= src1; to EXEC.", 60, not_at_most),
    compare_exec<F16>("v_cmpx_neq_f16", "Not src0 == src1; to EXEC.", 61, not_equal),
    compare_exec<F16>("v_cmpx_nlt_f16", "Not src0 < src1; to EXEC.", 62, not_less),
    compare_exec<F16>("v_cmpx_tru_f16", "True everywhere; to EXEC.", 63, always));

inline constexpr auto kVopcF32 =
    table(compare<F32>("v_cmp_f_f32", "False everywhere.", 64, never),
          compare<F32>("v_cmp_lt_f32", "src0 < src1.", 65, is_less),
          compare<F32>("v_cmp_eq_f32", "src0 == src1.", 66, is_equal),
          compare<F32>("v_cmp_le_f32", "src0 <= src1.", 67, is_at_most),
          compare<F32>("v_cmp_gt_f32", "src0 > src1.", 68, is_greater),
          compare<F32>("v_cmp_lg_f32", "src0 < src1 or src0 > src1.", 69, is_different),
          compare<F32>("v_cmp_ge_f32", "src0 >= src1.", 70, is_at_least),
          compare<F32>("v_cmp_o_f32", "Neither is a NaN.", 71, is_ordered),
          compare<F32>("v_cmp_u_f32", "Either is a NaN.", 72, unordered),
          compare<F32>("v_cmp_nge_f32", "Not src0 >= src1.", 73, not_at_least),
          compare<F32>("v_cmp_nlg_f32", "Equal, or either is a NaN.", 74, not_different),
          compare<F32>("v_cmp_ngt_f32", "Not src0 > src1.", 75, not_greater),
          compare<F32>("v_cmp_nle_f32", "Not src0 <= src1.", 76, not_at_most),
          compare<F32>("v_cmp_neq_f32", "Not src0 == src1.", 77, not_equal),
          compare<F32>("v_cmp_nlt_f32", "Not src0 < src1.", 78, not_less),
          compare<F32>("v_cmp_tru_f32", "True everywhere.", 79, always));
inline constexpr auto kVopcF32Exec = table(
    compare_exec<F32>("v_cmpx_f_f32", "False everywhere; to EXEC.", 80, never),
    compare_exec<F32>("v_cmpx_lt_f32", "src0 < src1; to EXEC.", 81, is_less),
    compare_exec<F32>("v_cmpx_eq_f32", "src0 == src1; to EXEC.", 82, is_equal),
    compare_exec<F32>("v_cmpx_le_f32", "src0 <= src1; to EXEC.", 83, is_at_most),
    compare_exec<F32>("v_cmpx_gt_f32", "src0 > src1; to EXEC.", 84, is_greater),
    compare_exec<F32>("v_cmpx_lg_f32", "src0 < src1 or src0 > src1; to EXEC.", 85, is_different),
    compare_exec<F32>("v_cmpx_ge_f32", "src0 >= src1; to EXEC.", 86, is_at_least),
    compare_exec<F32>("v_cmpx_o_f32", "Neither is a NaN; to EXEC.", 87, is_ordered),
    compare_exec<F32>("v_cmpx_u_f32", "Either is a NaN; to EXEC.", 88, unordered),
    compare_exec<F32>("v_cmpx_nge_f32", "Not src0 >= src1; to EXEC.", 89, not_at_least),
    compare_exec<F32>("v_cmpx_nlg_f32", "Equal, or either is a NaN; to EXEC.", 90, not_different),
    compare_exec<F32>("v_cmpx_ngt_f32", "Not src0 > src1; to EXEC.", 91, not_greater),
    compare_exec<F32>("v_cmpx_nle_f32", "Not src0 <= src1; to EXEC.", 92, not_at_most),
    compare_exec<F32>("v_cmpx_neq_f32", "Not src0 == src1; to EXEC.", 93, not_equal),
    compare_exec<F32>("v_cmpx_nlt_f32", "Not src0 < src1; to EXEC.", 94, not_less),
    compare_exec<F32>("v_cmpx_tru_f32", "True everywhere; to EXEC.", 95, always));

inline constexpr auto kVopcF64 =
    table(compare<F64>("v_cmp_f_f64", "False everywhere.", 96, never),
          compare<F64>("v_cmp_lt_f64", "src0 < src1.", 97, is_less),
          compare<F64>("v_cmp_eq_f64", "src0 == src1.", 98, is_equal),
          compare<F64>("v_cmp_le_f64", "src0 <= src1.", 99, is_at_most),
          compare<F64>("v_cmp_gt_f64", "src0 > src1.", 100, is_greater),
          compare<F64>("v_cmp_lg_f64", "src0 < src1 or src0 > src1.", 101, is_different),
          compare<F64>("v_cmp_ge_f64", "src0 >= src1.", 102, is_at_least),
          compare<F64>("v_cmp_o_f64", "Neither is a NaN.", 103, is_ordered),
          compare<F64>("v_cmp_u_f64", "Either is a NaN.", 104, unordered),
          compare<F64>("v_cmp_nge_f64", "Not src0 >= src1.", 105, not_at_least),
          compare<F64>("v_cmp_nlg_f64", "Equal, or either is a NaN.", 106, not_different),
          compare<F64>("v_cmp_ngt_f64", "Not src0 > src1.", 107, not_greater),
          compare<F64>("v_cmp_nle_f64", "Not src0 <= src1.", 108, not_at_most),
          compare<F64>("v_cmp_neq_f64", "Not src0 == src1.", 109, not_equal),
          compare<F64>("v_cmp_nlt_f64", "Not src0 < src1.", 110, not_less),
          compare<F64>("v_cmp_tru_f64", "True everywhere.", 111, always));
inline constexpr auto kVopcF64Exec = table(
    compare_exec<F64>("v_cmpx_f_f64", "False everywhere; to EXEC.", 112, never),
    compare_exec<F64>("v_cmpx_lt_f64", "src0 < src1; to EXEC.", 113, is_less),
    compare_exec<F64>("v_cmpx_eq_f64", "src0 == src1; to EXEC.", 114, is_equal),
    compare_exec<F64>("v_cmpx_le_f64", "src0 <= src1; to EXEC.", 115, is_at_most),
    compare_exec<F64>("v_cmpx_gt_f64", "src0 > src1; to EXEC.", 116, is_greater),
    compare_exec<F64>("v_cmpx_lg_f64", "src0 < src1 or src0 > src1; to EXEC.", 117, is_different),
    compare_exec<F64>("v_cmpx_ge_f64", "src0 >= src1; to EXEC.", 118, is_at_least),
    compare_exec<F64>("v_cmpx_o_f64", "Neither is a NaN; to EXEC.", 119, is_ordered),
    compare_exec<F64>("v_cmpx_u_f64", "Either is a NaN; to EXEC.", 120, unordered),
    compare_exec<F64>("v_cmpx_nge_f64", "Not src0 >= src1; to EXEC.", 121, not_at_least),
    compare_exec<F64>("v_cmpx_nlg_f64", "Equal, or either is a NaN; to EXEC.", 122, not_different),
    compare_exec<F64>("v_cmpx_ngt_f64", "Not src0 > src1; to EXEC.", 123, not_greater),
    compare_exec<F64>("v_cmpx_nle_f64", "Not src0 <= src1; to EXEC.", 124, not_at_most),
    compare_exec<F64>("v_cmpx_neq_f64", "Not src0 == src1; to EXEC.", 125, not_equal),
    compare_exec<F64>("v_cmpx_nlt_f64", "Not src0 < src1; to EXEC.", 126, not_less),
    compare_exec<F64>("v_cmpx_tru_f64", "True everywhere; to EXEC.", 127, always));

inline constexpr auto kVopcI16 =
    table(compare<I16>("v_cmp_f_i16", "False everywhere.", 160, never),
          compare<I16>("v_cmp_lt_i16", "src0 < src1.", 161, is_less),
          compare<I16>("v_cmp_eq_i16", "src0 == src1.", 162, is_equal),
          compare<I16>("v_cmp_le_i16", "src0 <= src1.", 163, is_at_most),
          compare<I16>("v_cmp_gt_i16", "src0 > src1.", 164, is_greater),
          compare<I16>("v_cmp_ne_i16", "src0 != src1.", 165, not_equal),
          compare<I16>("v_cmp_ge_i16", "src0 >= src1.", 166, is_at_least),
          compare<I16>("v_cmp_t_i16", "True everywhere.", 167, always));
inline constexpr auto kVopcI16Exec =
    table(compare_exec<I16>("v_cmpx_f_i16", "False everywhere; to EXEC.", 176, never),
          compare_exec<I16>("v_cmpx_lt_i16", "src0 < src1; to EXEC.", 177, is_less),
          compare_exec<I16>("v_cmpx_eq_i16", "src0 == src1; to EXEC.", 178, is_equal),
          compare_exec<I16>("v_cmpx_le_i16", "src0 <= src1; to EXEC.", 179, is_at_most),
          compare_exec<I16>("v_cmpx_gt_i16", "src0 > src1; to EXEC.", 180, is_greater),
          compare_exec<I16>("v_cmpx_ne_i16", "src0 != src1; to EXEC.", 181, not_equal),
          compare_exec<I16>("v_cmpx_ge_i16", "src0 >= src1; to EXEC.", 182, is_at_least),
          compare_exec<I16>("v_cmpx_t_i16", "True everywhere; to EXEC.", 183, always));

inline constexpr auto kVopcU16 =
    table(compare<U16>("v_cmp_f_u16", "False everywhere.", 168, never),
          compare<U16>("v_cmp_lt_u16", "src0 < src1.", 169, is_less),
          compare<U16>("v_cmp_eq_u16", "src0 == src1.", 170, is_equal),
          compare<U16>("v_cmp_le_u16", "src0 <= src1.", 171, is_at_most),
          compare<U16>("v_cmp_gt_u16", "src0 > src1.", 172, is_greater),
          compare<U16>("v_cmp_ne_u16", "src0 != src1.", 173, not_equal),
          compare<U16>("v_cmp_ge_u16", "src0 >= src1.", 174, is_at_least),
          compare<U16>("v_cmp_t_u16", "True everywhere.", 175, always));
inline constexpr auto kVopcU16Exec =
    table(compare_exec<U16>("v_cmpx_f_u16", "False everywhere; to EXEC.", 184, never),
          compare_exec<U16>("v_cmpx_lt_u16", "src0 < src1; to EXEC.", 185, is_less),
          compare_exec<U16>("v_cmpx_eq_u16", "src0 == src1; to EXEC.", 186, is_equal),
          compare_exec<U16>("v_cmpx_le_u16", "src0 <= src1; to EXEC.", 187, is_at_most),
          compare_exec<U16>("v_cmpx_gt_u16", "src0 > src1; to EXEC.", 188, is_greater),
          compare_exec<U16>("v_cmpx_ne_u16", "src0 != src1; to EXEC.", 189, not_equal),
          compare_exec<U16>("v_cmpx_ge_u16", "src0 >= src1; to EXEC.", 190, is_at_least),
          compare_exec<U16>("v_cmpx_t_u16", "True everywhere; to EXEC.", 191, always));

inline constexpr auto kVopcI32 =
    table(compare<I32>("v_cmp_f_i32", "False everywhere.", 192, never),
          compare<I32>("v_cmp_lt_i32", "src0 < src1.", 193, is_less),
          compare<I32>("v_cmp_eq_i32", "src0 == src1.", 194, is_equal),
          compare<I32>("v_cmp_le_i32", "src0 <= src1.", 195, is_at_most),
          compare<I32>("v_cmp_gt_i32", "src0 > src1.", 196, is_greater),
          compare<I32>("v_cmp_ne_i32", "src0 != src1.", 197, not_equal),
          compare<I32>("v_cmp_ge_i32", "src0 >= src1.", 198, is_at_least),
          compare<I32>("v_cmp_t_i32", "True everywhere.", 199, always));
inline constexpr auto kVopcI32Exec =
    table(compare_exec<I32>("v_cmpx_f_i32", "False everywhere; to EXEC.", 208, never),
          compare_exec<I32>("v_cmpx_lt_i32", "src0 < src1; to EXEC.", 209, is_less),
          compare_exec<I32>("v_cmpx_eq_i32", "src0 == src1; to EXEC.", 210, is_equal),
          compare_exec<I32>("v_cmpx_le_i32", "src0 <= src1; to EXEC.", 211, is_at_most),
          compare_exec<I32>("v_cmpx_gt_i32", "src0 > src1; to EXEC.", 212, is_greater),
          compare_exec<I32>("v_cmpx_ne_i32", "src0 != src1; to EXEC.", 213, not_equal),
          compare_exec<I32>("v_cmpx_ge_i32", "src0 >= src1; to EXEC.", 214, is_at_least),
          compare_exec<I32>("v_cmpx_t_i32", "True everywhere; to EXEC.", 215, always));

inline constexpr auto kVopcU32 =
    table(compare<U32>("v_cmp_f_u32", "False everywhere.", 200, never),
          compare<U32>("v_cmp_lt_u32", "src0 < src1.", 201, is_less),
          compare<U32>("v_cmp_eq_u32", "src0 == src1.", 202, is_equal),
          compare<U32>("v_cmp_le_u32", "src0 <= src1.", 203, is_at_most),
          compare<U32>("v_cmp_gt_u32", "src0 > src1.", 204, is_greater),
          compare<U32>("v_cmp_ne_u32", "src0 != src1.", 205, not_equal),
          compare<U32>("v_cmp_ge_u32", "src0 >= src1.", 206, is_at_least),
          compare<U32>("v_cmp_t_u32", "True everywhere.", 207, always));
inline constexpr auto kVopcU32Exec =
    table(compare_exec<U32>("v_cmpx_f_u32", "False everywhere; to EXEC.", 216, never),
          compare_exec<U32>("v_cmpx_lt_u32", "src0 < src1; to EXEC.", 217, is_less),
          compare_exec<U32>("v_cmpx_eq_u32", "src0 == src1; to EXEC.", 218, is_equal),
          compare_exec<U32>("v_cmpx_le_u32", "src0 <= src1; to EXEC.", 219, is_at_most),
          compare_exec<U32>("v_cmpx_gt_u32", "src0 > src1; to EXEC.", 220, is_greater),
          compare_exec<U32>("v_cmpx_ne_u32", "src0 != src1; to EXEC.", 221, not_equal),
          compare_exec<U32>("v_cmpx_ge_u32", "src0 >= src1; to EXEC.", 222, is_at_least),
          compare_exec<U32>("v_cmpx_t_u32", "True everywhere; to EXEC.", 223, always));

inline constexpr auto kVopcI64 =
    table(compare<I64>("v_cmp_f_i64", "False everywhere.", 224, never),
          compare<I64>("v_cmp_lt_i64", "src0 < src1.", 225, is_less),
          compare<I64>("v_cmp_eq_i64", "src0 == src1.", 226, is_equal),
          compare<I64>("v_cmp_le_i64", "src0 <= src1.", 227, is_at_most),
          compare<I64>("v_cmp_gt_i64", "src0 > src1.", 228, is_greater),
          compare<I64>("v_cmp_ne_i64", "src0 != src1.", 229, not_equal),
          compare<I64>("v_cmp_ge_i64", "src0 >= src1.", 230, is_at_least),
          compare<I64>("v_cmp_t_i64", "True everywhere.", 231, always));
inline constexpr auto kVopcI64Exec =
    table(compare_exec<I64>("v_cmpx_f_i64", "False everywhere; to EXEC.", 240, never),
          compare_exec<I64>("v_cmpx_lt_i64", "src0 < src1; to EXEC.", 241, is_less),
          compare_exec<I64>("v_cmpx_eq_i64", "src0 == src1; to EXEC.", 242, is_equal),
          compare_exec<I64>("v_cmpx_le_i64", "src0 <= src1; to EXEC.", 243, is_at_most),
          compare_exec<I64>("v_cmpx_gt_i64", "src0 > src1; to EXEC.", 244, is_greater),
          compare_exec<I64>("v_cmpx_ne_i64", "src0 != src1; to EXEC.", 245, not_equal),
          compare_exec<I64>("v_cmpx_ge_i64", "src0 >= src1; to EXEC.", 246, is_at_least),
          compare_exec<I64>("v_cmpx_t_i64", "True everywhere; to EXEC.", 247, always));

inline constexpr auto kVopcU64 =
    table(compare<U64>("v_cmp_f_u64", "False everywhere.", 232, never),
          compare<U64>("v_cmp_lt_u64", "src0 < src1.", 233, is_less),
          compare<U64>("v_cmp_eq_u64", "src0 == src1.", 234, is_equal),
          compare<U64>("v_cmp_le_u64", "src0 <= src1.", 235, is_at_most),
          compare<U64>("v_cmp_gt_u64", "src0 > src1.", 236, is_greater),
          compare<U64>("v_cmp_ne_u64", "src0 != src1.", 237, not_equal),
          compare<U64>("v_cmp_ge_u64", "src0 >= src1.", 238, is_at_least),
          compare<U64>("v_cmp_t_u64", "True everywhere.", 239, always));
inline constexpr auto kVopcU64Exec =
    table(compare_exec<U64>("v_cmpx_f_u64", "False everywhere; to EXEC.", 248, never),
          compare_exec<U64>("v_cmpx_lt_u64", "src0 < src1; to EXEC.", 249, is_less),
          compare_exec<U64>("v_cmpx_eq_u64", "src0 == src1; to EXEC.", 250, is_equal),
          compare_exec<U64>("v_cmpx_le_u64", "src0 <= src1; to EXEC.", 251, is_at_most),
          compare_exec<U64>("v_cmpx_gt_u64", "src0 > src1; to EXEC.", 252, is_greater),
          compare_exec<U64>("v_cmpx_ne_u64", "src0 != src1; to EXEC.", 253, not_equal),
          compare_exec<U64>("v_cmpx_ge_u64", "src0 >= src1; to EXEC.", 254, is_at_least),
          compare_exec<U64>("v_cmpx_t_u64", "True everywhere; to EXEC.", 255, always));

inline constexpr auto kVopcTables =
    tables(kVopcClass, kVopcClassExec, kVopcF16, kVopcF16Exec, kVopcF32, kVopcF32Exec, kVopcF64,
           kVopcF64Exec, kVopcI16, kVopcI16Exec, kVopcU16, kVopcU16Exec, kVopcI32, kVopcI32Exec,
           kVopcU32, kVopcU32Exec, kVopcI64, kVopcI64Exec, kVopcU64, kVopcU64Exec);

}  // namespace wavetank::isa
