// Scalar ALU instructions: SOP1, SOP2, SOPK, SOPC (CDNA3 ISA guide, "Scalar ALU Operations").
// A body gets the wave (for SCC, EXEC and M0) and the sources as plain integers.
#pragma once

#include <bit>
#include <cstdint>

#include "isa/define.hpp"

namespace wavetank::isa {

/// Sets SCC to "the result is not zero" and passes the result on: the rule of bitwise rows.
constexpr auto nonzero(auto& wave, auto result) {
  wave.scc = result != 0;
  return result;
}
/// SCC takes a carry or an overflow.
constexpr auto flagged(auto& wave, auto result, auto scc) {
  wave.scc = scc;
  return result;
}

// What bodies call instead of casts and ?:, so that a domain can have its own, found through the
// arguments.

/// One of two values.
template <class T>
constexpr T select(bool condition, T yes, T no) {
  return condition ? yes : no;
}
/// Twice as many bits, extended by its own signedness, and half as many.
constexpr std::uint64_t wide(std::uint32_t value) { return value; }
constexpr std::int64_t wide(std::int32_t value) { return value; }
constexpr std::uint32_t low_word(std::uint64_t value) { return static_cast<std::uint32_t>(value); }
constexpr std::int32_t low_word(std::int64_t value) { return static_cast<std::int32_t>(value); }
constexpr std::uint32_t low_half(std::int32_t value) { return static_cast<std::uint16_t>(value); }
/// The same bits as a number of the other signedness.
constexpr std::uint32_t as_unsigned(std::int32_t value) {
  return static_cast<std::uint32_t>(value);
}
constexpr std::int32_t as_signed(std::uint32_t value) { return static_cast<std::int32_t>(value); }
/// The lowest 8 or 16 bits, sign-extended.
constexpr std::uint32_t sign_extended_8(std::uint32_t value) {
  return static_cast<std::uint32_t>(std::int32_t{static_cast<std::int8_t>(value)});
}
constexpr std::uint32_t sign_extended_16(std::uint32_t value) {
  return static_cast<std::uint32_t>(std::int32_t{static_cast<std::int16_t>(value)});
}
/// The distance from zero, modulo 2^32.
constexpr std::int32_t magnitude(std::int32_t value) {
  return value < 0 ? static_cast<std::int32_t>(0u - static_cast<std::uint32_t>(value)) : value;
}
/// Ones of a number.
template <class T>
constexpr std::uint32_t count_ones(T value) {
  return static_cast<std::uint32_t>(std::popcount(value));
}
/// Signed overflow of a + b = sum.
constexpr auto add_overflows(auto a, auto b, auto sum) {
  return (((a ^ sum) & (b ^ sum)) >> 31) != 0;
}
/// Position of the first one from bit 0, or -1.
template <class T>
constexpr std::uint32_t first_one(T value) {
  return value == 0 ? ~0u : static_cast<std::uint32_t>(std::countr_zero(value));
}
/// Leading zeros, or -1 for zero.
template <class T>
constexpr std::uint32_t leading_zeros(T value) {
  return value == 0 ? ~0u : static_cast<std::uint32_t>(std::countl_zero(value));
}
/// Leading sign bits' count, or -1 if all bits are alike.
template <class T>
constexpr std::uint32_t leading_signs(T value) {
  using S = std::make_signed_t<T>;
  return leading_zeros<T>(static_cast<S>(value) < 0 ? static_cast<T>(~value) : value);
}
/// Bits reversed.
template <class T>
constexpr T reversed(T value) {
  T result = 0;
  for (unsigned i = 0; i < 8 * sizeof(T); ++i)
    result |= ((value >> i) & 1) << (8 * sizeof(T) - 1 - i);
  return result;
}
/// Whole-quad mode: every group of four bits with any bit set becomes all ones.
constexpr std::uint64_t whole_quads(std::uint64_t value) {
  std::uint64_t any = (value | value >> 1 | value >> 2 | value >> 3) & 0x1111111111111111u;
  return any * 15;
}
/// One bit for each group of four that has any bit set.
constexpr std::uint64_t quad_mask(std::uint64_t value) {
  std::uint64_t result = 0;
  for (unsigned i = 0; i < 16; ++i) result |= std::uint64_t{((value >> (4 * i)) & 15) != 0} << i;
  return result;
}
/// Bits doubled: bit i goes to 2i and 2i + 1.
constexpr std::uint64_t replicate_bits(std::uint32_t value) {
  std::uint64_t result = 0;
  for (unsigned i = 0; i < 32; ++i) result |= std::uint64_t{((value >> i) & 1) * 3} << (2 * i);
  return result;
}
/// Bit field of `width` bits from `offset`, zero-extended; widths past the end take what there is.
template <class T>
constexpr T extract_bits(T value, unsigned offset, unsigned width) {
  if (width == 0) return 0;
  const T field = value >> offset;
  return width >= 8 * sizeof(T) ? field : field & ((T{1} << width) - 1);
}
/// The same, sign-extended from the field's top bit.
template <class T>
constexpr T extract_signed(T value, unsigned offset, unsigned width) {
  using S = std::make_signed_t<T>;
  constexpr unsigned kBits = 8 * sizeof(T);
  if (width == 0) return 0;
  const T field = static_cast<T>(static_cast<S>(value) >> offset);
  if (width >= kBits) return field;
  return static_cast<T>(static_cast<S>(field << (kBits - width)) >> (kBits - width));
}

inline constexpr auto kSop2 = table(
    scalar<U32(U32, U32)>("s_add_u32", "Adds; SCC is the carry.", sop2(0),
                          [](auto& w, auto a, auto b) { return flagged(w, a + b, a + b < a); })
        .means(Meaning::kAdd),
    scalar<U32(U32, U32)>("s_sub_u32", "Subtracts; SCC is the borrow.", sop2(1),
                          [](auto& w, auto a, auto b) { return flagged(w, a - b, b > a); })
        .means(Meaning::kSubtract),
    scalar<I32(U32, U32)>(
        "s_add_i32", "Adds; SCC is signed overflow.", sop2(2),
        [](auto& w, auto a, auto b) { return flagged(w, a + b, add_overflows(a, b, a + b)); })
        .means(Meaning::kAdd),
    scalar<I32(U32, U32)>("s_sub_i32", "Subtracts; SCC is signed overflow.", sop2(3),
                          [](auto& w, auto a, auto b) {
                            return flagged(w, a - b, (((a ^ b) & (a ^ (a - b))) >> 31) != 0);
                          })
        .means(Meaning::kSubtract),
    scalar<U32(U32, U32)>("s_addc_u32", "Adds with SCC as carry in and out.", sop2(4),
                          [](auto& w, auto a, auto b) {
                            const auto sum = wide(a) + b + w.scc;
                            return flagged(w, low_word(sum), (sum >> 32) != 0);
                          })
        .means(Meaning::kAddCarry),
    scalar<U32(U32, U32)>("s_subb_u32", "Subtracts with SCC as borrow in and out.", sop2(5),
                          [](auto& w, auto a, auto b) {
                            const auto rest = wide(a) - b - w.scc;
                            return flagged(w, low_word(rest), (rest >> 32) != 0);
                          }),
    scalar<I32(I32, I32)>(
        "s_min_i32", "Signed minimum; SCC: src0 was it.", sop2(6),
        [](auto& w, auto a, auto b) { return flagged(w, select(a < b, a, b), a < b); }),
    scalar<U32(U32, U32)>(
        "s_min_u32", "Unsigned minimum; SCC: src0 was it.", sop2(7),
        [](auto& w, auto a, auto b) { return flagged(w, select(a < b, a, b), a < b); }),
    scalar<I32(I32, I32)>(
        "s_max_i32", "Signed maximum; SCC: src0 was it.", sop2(8),
        [](auto& w, auto a, auto b) { return flagged(w, select(a > b, a, b), a > b); }),
    scalar<U32(U32, U32)>(
        "s_max_u32", "Unsigned maximum; SCC: src0 was it.", sop2(9),
        [](auto& w, auto a, auto b) { return flagged(w, select(a > b, a, b), a > b); }),
    scalar<U32(U32, U32)>("s_cselect_b32", "src0 if SCC, else src1.", sop2(10),
                          [](auto& w, auto a, auto b) { return select(w.scc != 0, a, b); }),
    scalar<U64(U64, U64)>("s_cselect_b64", "src0 if SCC, else src1.", sop2(11),
                          [](auto& w, auto a, auto b) { return select(w.scc != 0, a, b); }),
    scalar<U32(U32, U32)>("s_and_b32", "Bitwise and.", sop2(12),
                          [](auto& w, auto a, auto b) { return nonzero(w, a & b); })
        .means(Meaning::kAnd),
    scalar<U64(U64, U64)>("s_and_b64", "Bitwise and.", sop2(13),
                          [](auto& w, auto a, auto b) { return nonzero(w, a & b); })
        .means(Meaning::kAnd),
    scalar<U32(U32, U32)>("s_or_b32", "Bitwise or.", sop2(14),
                          [](auto& w, auto a, auto b) { return nonzero(w, a | b); })
        .means(Meaning::kOr),
    scalar<U64(U64, U64)>("s_or_b64", "Bitwise or.", sop2(15),
                          [](auto& w, auto a, auto b) { return nonzero(w, a | b); })
        .means(Meaning::kOr),
    scalar<U32(U32, U32)>("s_xor_b32", "Bitwise exclusive or.", sop2(16),
                          [](auto& w, auto a, auto b) { return nonzero(w, a ^ b); })
        .means(Meaning::kXor),
    scalar<U64(U64, U64)>("s_xor_b64", "Bitwise exclusive or.", sop2(17),
                          [](auto& w, auto a, auto b) { return nonzero(w, a ^ b); })
        .means(Meaning::kXor),
    scalar<U32(U32, U32)>("s_andn2_b32", "src0 and not src1.", sop2(18),
                          [](auto& w, auto a, auto b) { return nonzero(w, a & ~b); })
        .means(Meaning::kAndNot),
    scalar<U64(U64, U64)>("s_andn2_b64", "src0 and not src1.", sop2(19),
                          [](auto& w, auto a, auto b) { return nonzero(w, a & ~b); })
        .means(Meaning::kAndNot),
    scalar<U32(U32, U32)>("s_orn2_b32", "src0 or not src1.", sop2(20),
                          [](auto& w, auto a, auto b) { return nonzero(w, a | ~b); }),
    scalar<U64(U64, U64)>("s_orn2_b64", "src0 or not src1.", sop2(21),
                          [](auto& w, auto a, auto b) { return nonzero(w, a | ~b); }),
    scalar<U32(U32, U32)>("s_nand_b32", "Not (src0 and src1).", sop2(22),
                          [](auto& w, auto a, auto b) { return nonzero(w, ~(a & b)); }),
    scalar<U64(U64, U64)>("s_nand_b64", "Not (src0 and src1).", sop2(23),
                          [](auto& w, auto a, auto b) { return nonzero(w, ~(a & b)); }),
    scalar<U32(U32, U32)>("s_nor_b32", "Not (src0 or src1).", sop2(24),
                          [](auto& w, auto a, auto b) { return nonzero(w, ~(a | b)); }),
    scalar<U64(U64, U64)>("s_nor_b64", "Not (src0 or src1).", sop2(25),
                          [](auto& w, auto a, auto b) { return nonzero(w, ~(a | b)); }),
    scalar<U32(U32, U32)>("s_xnor_b32", "Not (src0 xor src1).", sop2(26),
                          [](auto& w, auto a, auto b) { return nonzero(w, ~(a ^ b)); }),
    scalar<U64(U64, U64)>("s_xnor_b64", "Not (src0 xor src1).", sop2(27),
                          [](auto& w, auto a, auto b) { return nonzero(w, ~(a ^ b)); }),
    scalar<U32(U32, U32)>("s_lshl_b32", "Shifts left by src1[4:0].", sop2(28),
                          [](auto& w, auto a, auto b) { return nonzero(w, a << (b & 31)); })
        .means(Meaning::kShiftLeft),
    scalar<U64(U64, U32)>("s_lshl_b64", "Shifts left by src1[5:0].", sop2(29),
                          [](auto& w, auto a, auto b) { return nonzero(w, a << (b & 63)); })
        .means(Meaning::kShiftLeft),
    scalar<U32(U32, U32)>("s_lshr_b32", "Shifts right by src1[4:0].", sop2(30),
                          [](auto& w, auto a, auto b) { return nonzero(w, a >> (b & 31)); })
        .means(Meaning::kShiftRight),
    scalar<U64(U64, U32)>("s_lshr_b64", "Shifts right by src1[5:0].", sop2(31),
                          [](auto& w, auto a, auto b) { return nonzero(w, a >> (b & 63)); }),
    scalar<I32(I32, U32)>("s_ashr_i32", "Shifts right by src1[4:0], copying the sign.", sop2(32),
                          [](auto& w, auto a, auto b) { return nonzero(w, a >> (b & 31)); }),
    scalar<I64(I64, U32)>("s_ashr_i64", "Shifts right by src1[5:0], copying the sign.", sop2(33),
                          [](auto& w, auto a, auto b) { return nonzero(w, a >> (b & 63)); }),
    scalar<U32(U32, U32)>("s_bfm_b32", "A mask of src0[4:0] ones from bit src1[4:0].", sop2(34),
                          [](auto&, auto a, auto b) { return ((1u << (a & 31)) - 1) << (b & 31); }),
    scalar<U64(U32, U32)>(
        "s_bfm_b64", "A mask of src0[5:0] ones from bit src1[5:0].", sop2(35),
        [](auto&, auto a, auto b) { return ((std::uint64_t{1} << (a & 63)) - 1) << (b & 63); }),
    scalar<U32(U32, U32)>("s_mul_i32", "Low half of the product.", sop2(36),
                          [](auto&, auto a, auto b) { return a * b; })
        .means(Meaning::kMultiply),
    scalar<U32(U32, U32)>("s_bfe_u32", "Bit field: offset src1[4:0], width src1[22:16].", sop2(37),
                          [](auto& w, auto a, auto b) {
                            return nonzero(w, extract_bits(a, b & 31, (b >> 16) & 127));
                          })
        .means(Meaning::kBitField),
    scalar<U32(U32, U32)>(
        "s_bfe_i32", "Signed bit field: offset src1[4:0], width src1[22:16].", sop2(38),
        [](auto& w, auto a, auto b) {
          return nonzero(w, extract_signed(a, b & 31, (b >> 16) & 127));
        })
        .means(Meaning::kBitField),
    scalar<U64(U64, U32)>("s_bfe_u64", "Bit field: offset src1[5:0], width src1[22:16].", sop2(39),
                          [](auto& w, auto a, auto b) {
                            return nonzero(w, extract_bits(a, b & 63, (b >> 16) & 127));
                          }),
    scalar<U64(U64, U32)>(
        "s_bfe_i64", "Signed bit field: offset src1[5:0], width src1[22:16].", sop2(40),
        [](auto& w, auto a, auto b) {
          return nonzero(w, extract_signed(a, b & 63, (b >> 16) & 127));
        }),
    scalar<I32(I32, I32)>("s_absdiff_i32", "Absolute difference.", sop2(42),
                          [](auto& w, auto a, auto b) {
                            return nonzero(w,
                                           magnitude(as_signed(as_unsigned(a) - as_unsigned(b))));
                          }),
    scalar<U32(U32, U32)>("s_mul_hi_u32", "High half of the unsigned product.", sop2(44),
                          [](auto&, auto a, auto b) { return low_word((wide(a) * b) >> 32); }),
    scalar<I32(I32, I32)>("s_mul_hi_i32", "High half of the signed product.", sop2(45),
                          [](auto&, auto a, auto b) { return low_word((wide(a) * b) >> 32); }),
    scalar<U32(U32, U32)>("s_lshl1_add_u32", "(src0 << 1) + src1; SCC is the carry.", sop2(46),
                          [](auto& w, auto a, auto b) {
                            const auto sum = (wide(a) << 1) + b;
                            return flagged(w, low_word(sum), (sum >> 32) != 0);
                          }),
    scalar<U32(U32, U32)>("s_lshl2_add_u32", "(src0 << 2) + src1; SCC is the carry.", sop2(47),
                          [](auto& w, auto a, auto b) {
                            const auto sum = (wide(a) << 2) + b;
                            return flagged(w, low_word(sum), (sum >> 32) != 0);
                          }),
    scalar<U32(U32, U32)>("s_lshl3_add_u32", "(src0 << 3) + src1; SCC is the carry.", sop2(48),
                          [](auto& w, auto a, auto b) {
                            const auto sum = (wide(a) << 3) + b;
                            return flagged(w, low_word(sum), (sum >> 32) != 0);
                          }),
    scalar<U32(U32, U32)>("s_lshl4_add_u32", "(src0 << 4) + src1; SCC is the carry.", sop2(49),
                          [](auto& w, auto a, auto b) {
                            const auto sum = (wide(a) << 4) + b;
                            return flagged(w, low_word(sum), (sum >> 32) != 0);
                          }),
    scalar<U32(U32, U32)>("s_pack_ll_b32_b16", "Low halves of src0 and src1.", sop2(50),
                          [](auto&, auto a, auto b) { return (a & 0xffff) | (b << 16); }),
    scalar<U32(U32, U32)>("s_pack_lh_b32_b16", "Low half of src0, high half of src1.", sop2(51),
                          [](auto&, auto a, auto b) { return (a & 0xffff) | (b & 0xffff0000); }),
    scalar<U32(U32, U32)>("s_pack_hh_b32_b16", "High halves of src0 and src1.", sop2(52),
                          [](auto&, auto a, auto b) { return (a >> 16) | (b & 0xffff0000); }));

inline constexpr auto kSop1 = table(
    scalar<U32(U32)>("s_mov_b32", "Copies.", sop1(0), [](auto&, auto a) { return a; })
        .means(Meaning::kMove),
    scalar<U64(U64)>("s_mov_b64", "Copies.", sop1(1), [](auto&, auto a) { return a; })
        .means(Meaning::kMove),
    scalar<U32(U32, Accumulate<U32>)>(
        "s_cmov_b32", "Copies if SCC.", sop1(2),
        [](auto& w, auto a, auto d) { return select(w.scc != 0, a, d); }),
    scalar<U64(U64, Accumulate<U64>)>(
        "s_cmov_b64", "Copies if SCC.", sop1(3),
        [](auto& w, auto a, auto d) { return select(w.scc != 0, a, d); }),
    scalar<U32(U32)>("s_not_b32", "Bitwise not.", sop1(4),
                     [](auto& w, auto a) { return nonzero(w, ~a); }),
    scalar<U64(U64)>("s_not_b64", "Bitwise not.", sop1(5),
                     [](auto& w, auto a) { return nonzero(w, ~a); }),
    scalar<U32(U32)>("s_wqm_b32", "Whole quads of set bits.", sop1(6),
                     [](auto& w, auto a) { return nonzero(w, low_word(whole_quads(a))); }),
    scalar<U64(U64)>("s_wqm_b64", "Whole quads of set bits.", sop1(7),
                     [](auto& w, auto a) { return nonzero(w, whole_quads(a)); }),
    scalar<U32(U32)>("s_brev_b32", "Reverses the bits.", sop1(8),
                     [](auto&, auto a) { return reversed(a); }),
    scalar<U64(U64)>("s_brev_b64", "Reverses the bits.", sop1(9),
                     [](auto&, auto a) { return reversed(a); }),
    scalar<U32(U32)>("s_bcnt0_i32_b32", "Counts zeros.", sop1(10),
                     [](auto& w, auto a) { return nonzero(w, count_ones(~a)); }),
    scalar<U32(U64)>("s_bcnt0_i32_b64", "Counts zeros.", sop1(11),
                     [](auto& w, auto a) { return nonzero(w, count_ones(~a)); }),
    scalar<U32(U32)>("s_bcnt1_i32_b32", "Counts ones.", sop1(12),
                     [](auto& w, auto a) { return nonzero(w, count_ones(a)); }),
    scalar<U32(U64)>("s_bcnt1_i32_b64", "Counts ones.", sop1(13),
                     [](auto& w, auto a) { return nonzero(w, count_ones(a)); }),
    scalar<U32(U32)>("s_ff0_i32_b32", "First zero from bit 0, or -1.", sop1(14),
                     [](auto&, auto a) { return first_one(~a); }),
    scalar<U32(U64)>("s_ff0_i32_b64", "First zero from bit 0, or -1.", sop1(15),
                     [](auto&, auto a) { return first_one(~a); }),
    scalar<U32(U32)>("s_ff1_i32_b32", "First one from bit 0, or -1.", sop1(16),
                     [](auto&, auto a) { return first_one(a); }),
    scalar<U32(U64)>("s_ff1_i32_b64", "First one from bit 0, or -1.", sop1(17),
                     [](auto&, auto a) { return first_one(a); }),
    scalar<U32(U32)>("s_flbit_i32_b32", "Leading zeros, or -1.", sop1(18),
                     [](auto&, auto a) { return leading_zeros(a); }),
    scalar<U32(U64)>("s_flbit_i32_b64", "Leading zeros, or -1.", sop1(19),
                     [](auto&, auto a) { return leading_zeros(a); }),
    scalar<U32(U32)>("s_flbit_i32", "Leading bits equal to the sign, or -1.", sop1(20),
                     [](auto&, auto a) { return leading_signs(a); }),
    scalar<U32(U64)>("s_flbit_i32_i64", "Leading bits equal to the sign, or -1.", sop1(21),
                     [](auto&, auto a) { return leading_signs(a); }),
    scalar<U32(U32)>("s_sext_i32_i8", "Sign-extends a byte.", sop1(22),
                     [](auto&, auto a) { return sign_extended_8(a); })
        .means(Meaning::kExtendByte),
    scalar<U32(U32)>("s_sext_i32_i16", "Sign-extends a half.", sop1(23),
                     [](auto&, auto a) { return sign_extended_16(a); })
        .means(Meaning::kExtendHalf),
    scalar<U32(U32, Accumulate<U32>)>("s_bitset0_b32", "Clears bit src0[4:0].", sop1(24),
                                      [](auto&, auto a, auto d) { return d & ~(1u << (a & 31)); }),
    scalar<U64(U32, Accumulate<U64>)>(
        "s_bitset0_b64", "Clears bit src0[5:0].", sop1(25),
        [](auto&, auto a, auto d) { return d & ~(std::uint64_t{1} << (a & 63)); }),
    scalar<U32(U32, Accumulate<U32>)>("s_bitset1_b32", "Sets bit src0[4:0].", sop1(26),
                                      [](auto&, auto a, auto d) { return d | (1u << (a & 31)); }),
    scalar<U64(U32, Accumulate<U64>)>(
        "s_bitset1_b64", "Sets bit src0[5:0].", sop1(27),
        [](auto&, auto a, auto d) { return d | (std::uint64_t{1} << (a & 63)); }),
    scalar<U32(U32)>("s_quadmask_b32", "One bit for each quad with a bit set.", sop1(40),
                     [](auto& w, auto a) { return nonzero(w, low_word(quad_mask(a))); }),
    scalar<U64(U64)>("s_quadmask_b64", "One bit for each quad with a bit set.", sop1(41),
                     [](auto& w, auto a) { return nonzero(w, quad_mask(a)); }),
    scalar<I32(I32)>("s_abs_i32", "Absolute value.", sop1(48),
                     [](auto& w, auto a) { return nonzero(w, magnitude(a)); }),
    scalar<U64(U32)>("s_bitreplicate_b64_b32", "Doubles every bit.", sop1(55),
                     [](auto&, auto a) { return replicate_bits(a); }));

/// EXEC rows: the old EXEC is the result, the combination becomes EXEC, SCC is "any lane left".
constexpr auto save_exec(auto& wave, auto mask) {
  const auto old = wave.exec();
  wave.set_exec(mask);
  wave.scc = mask != 0;
  return old;
}
/// The wrexec variants put the combination in the destination too.
constexpr auto write_exec(auto& wave, auto mask) {
  wave.set_exec(mask);
  wave.scc = mask != 0;
  return mask;
}

template <class Body>
constexpr auto exec_row(std::string_view name, std::string_view summary, std::uint16_t op,
                        Body body) {
  return scalar<U64(U64)>(name, summary, sop1(op), body).to_exec();
}

inline constexpr auto kSop1Exec =
    table(exec_row("s_and_saveexec_b64", "EXEC = src0 and EXEC.", 32,
                   [](auto& w, auto a) { return save_exec(w, a & w.exec()); })
              .means(Meaning::kAndSaveExec),
          exec_row("s_or_saveexec_b64", "EXEC = src0 or EXEC.", 33,
                   [](auto& w, auto a) { return save_exec(w, a | w.exec()); })
              .means(Meaning::kOrSaveExec),
          exec_row("s_xor_saveexec_b64", "EXEC = src0 xor EXEC.", 34,
                   [](auto& w, auto a) { return save_exec(w, a ^ w.exec()); }),
          exec_row("s_andn2_saveexec_b64", "EXEC = src0 and not EXEC.", 35,
                   [](auto& w, auto a) { return save_exec(w, a & ~w.exec()); })
              .means(Meaning::kAndNotSaveExec),
          exec_row("s_orn2_saveexec_b64", "EXEC = src0 or not EXEC.", 36,
                   [](auto& w, auto a) { return save_exec(w, a | ~w.exec()); }),
          exec_row("s_nand_saveexec_b64", "EXEC = not (src0 and EXEC).", 37,
                   [](auto& w, auto a) { return save_exec(w, ~(a & w.exec())); }),
          exec_row("s_nor_saveexec_b64", "EXEC = not (src0 or EXEC).", 38,
                   [](auto& w, auto a) { return save_exec(w, ~(a | w.exec())); }),
          exec_row("s_xnor_saveexec_b64", "EXEC = not (src0 xor EXEC).", 39,
                   [](auto& w, auto a) { return save_exec(w, ~(a ^ w.exec())); }),
          exec_row("s_andn1_saveexec_b64", "EXEC = not src0 and EXEC.", 51,
                   [](auto& w, auto a) { return save_exec(w, ~a & w.exec()); })
              .means(Meaning::kNotAndSaveExec),
          exec_row("s_orn1_saveexec_b64", "EXEC = not src0 or EXEC.", 52,
                   [](auto& w, auto a) { return save_exec(w, ~a | w.exec()); }),
          exec_row("s_andn1_wrexec_b64", "EXEC and result = not src0 and EXEC.", 53,
                   [](auto& w, auto a) { return write_exec(w, ~a & w.exec()); }),
          exec_row("s_andn2_wrexec_b64", "EXEC and result = src0 and not EXEC.", 54,
                   [](auto& w, auto a) { return write_exec(w, a & ~w.exec()); }));

inline constexpr auto kSopc = table(
    scalar<void(I32, I32)>("s_cmp_eq_i32", "SCC = equal.", sopc(0),
                           [](auto& w, auto a, auto b) { w.scc = a == b; }),
    scalar<void(I32, I32)>("s_cmp_lg_i32", "SCC = not equal.", sopc(1),
                           [](auto& w, auto a, auto b) { w.scc = a != b; }),
    scalar<void(I32, I32)>("s_cmp_gt_i32", "SCC = greater.", sopc(2),
                           [](auto& w, auto a, auto b) { w.scc = a > b; }),
    scalar<void(I32, I32)>("s_cmp_ge_i32", "SCC = greater or equal.", sopc(3),
                           [](auto& w, auto a, auto b) { w.scc = a >= b; }),
    scalar<void(I32, I32)>("s_cmp_lt_i32", "SCC = less.", sopc(4),
                           [](auto& w, auto a, auto b) { w.scc = a < b; }),
    scalar<void(I32, I32)>("s_cmp_le_i32", "SCC = less or equal.", sopc(5),
                           [](auto& w, auto a, auto b) { w.scc = a <= b; }),
    scalar<void(U32, U32)>("s_cmp_eq_u32", "SCC = equal.", sopc(6),
                           [](auto& w, auto a, auto b) { w.scc = a == b; }),
    scalar<void(U32, U32)>("s_cmp_lg_u32", "SCC = not equal.", sopc(7),
                           [](auto& w, auto a, auto b) { w.scc = a != b; }),
    scalar<void(U32, U32)>("s_cmp_gt_u32", "SCC = greater.", sopc(8),
                           [](auto& w, auto a, auto b) { w.scc = a > b; }),
    scalar<void(U32, U32)>("s_cmp_ge_u32", "SCC = greater or equal.", sopc(9),
                           [](auto& w, auto a, auto b) { w.scc = a >= b; }),
    scalar<void(U32, U32)>("s_cmp_lt_u32", "SCC = less.", sopc(10),
                           [](auto& w, auto a, auto b) { w.scc = a < b; }),
    scalar<void(U32, U32)>("s_cmp_le_u32", "SCC = less or equal.", sopc(11),
                           [](auto& w, auto a, auto b) { w.scc = a <= b; }),
    scalar<void(U32, U32)>("s_bitcmp0_b32", "SCC = bit src1[4:0] of src0 is 0.", sopc(12),
                           [](auto& w, auto a, auto b) { w.scc = ((a >> (b & 31)) & 1) == 0; })
        .means(Meaning::kTestBit),
    scalar<void(U32, U32)>("s_bitcmp1_b32", "SCC = bit src1[4:0] of src0 is 1.", sopc(13),
                           [](auto& w, auto a, auto b) { w.scc = ((a >> (b & 31)) & 1) != 0; })
        .means(Meaning::kTestBit),
    scalar<void(U64, U32)>("s_bitcmp0_b64", "SCC = bit src1[5:0] of src0 is 0.", sopc(14),
                           [](auto& w, auto a, auto b) { w.scc = ((a >> (b & 63)) & 1) == 0; }),
    scalar<void(U64, U32)>("s_bitcmp1_b64", "SCC = bit src1[5:0] of src0 is 1.", sopc(15),
                           [](auto& w, auto a, auto b) { w.scc = ((a >> (b & 63)) & 1) != 0; }),
    scalar<void(U64, U64)>("s_cmp_eq_u64", "SCC = equal.", sopc(18),
                           [](auto& w, auto a, auto b) { w.scc = a == b; }),
    scalar<void(U64, U64)>("s_cmp_lg_u64", "SCC = not equal.", sopc(19),
                           [](auto& w, auto a, auto b) { w.scc = a != b; }));

/// SOPK: the sign-extended SIMM16 is the source; compares read the destination register.
inline constexpr auto kSopk = table(
    scalar<I32(SignedImmediate)>("s_movk_i32", "Copies SIMM16.", sopk(0),
                                 [](auto&, auto k) { return k; })
        .means(Meaning::kMove),
    scalar<I32(SignedImmediate, Accumulate<I32>)>(
        "s_cmovk_i32", "Copies SIMM16 if SCC.", sopk(1),
        [](auto& w, auto k, auto d) { return select(w.scc != 0, k, d); }),
    scalar<void(SignedImmediate, Accumulate<I32>)>("s_cmpk_eq_i32", "SCC = equal to SIMM16.",
                                                   sopk(2),
                                                   [](auto& w, auto k, auto d) { w.scc = d == k; }),
    scalar<void(SignedImmediate, Accumulate<I32>)>("s_cmpk_lg_i32", "SCC = not equal to SIMM16.",
                                                   sopk(3),
                                                   [](auto& w, auto k, auto d) { w.scc = d != k; }),
    scalar<void(SignedImmediate, Accumulate<I32>)>("s_cmpk_gt_i32", "SCC = greater than SIMM16.",
                                                   sopk(4),
                                                   [](auto& w, auto k, auto d) { w.scc = d > k; }),
    scalar<void(SignedImmediate, Accumulate<I32>)>("s_cmpk_ge_i32", "SCC = at least SIMM16.",
                                                   sopk(5),
                                                   [](auto& w, auto k, auto d) { w.scc = d >= k; }),
    scalar<void(SignedImmediate, Accumulate<I32>)>("s_cmpk_lt_i32", "SCC = less than SIMM16.",
                                                   sopk(6),
                                                   [](auto& w, auto k, auto d) { w.scc = d < k; }),
    scalar<void(SignedImmediate, Accumulate<I32>)>("s_cmpk_le_i32", "SCC = at most SIMM16.",
                                                   sopk(7),
                                                   [](auto& w, auto k, auto d) { w.scc = d <= k; }),
    scalar<void(UnsignedImmediate, Accumulate<U32>)>(
        "s_cmpk_eq_u32", "SCC = equal to SIMM16, zero-extended.", sopk(8),
        [](auto& w, auto k, auto d) { w.scc = d == low_half(k); }),
    scalar<void(UnsignedImmediate, Accumulate<U32>)>(
        "s_cmpk_lg_u32", "SCC = not equal to SIMM16, zero-extended.", sopk(9),
        [](auto& w, auto k, auto d) { w.scc = d != low_half(k); }),
    scalar<void(UnsignedImmediate, Accumulate<U32>)>(
        "s_cmpk_gt_u32", "SCC = greater than SIMM16, zero-extended.", sopk(10),
        [](auto& w, auto k, auto d) { w.scc = d > low_half(k); }),
    scalar<void(UnsignedImmediate, Accumulate<U32>)>(
        "s_cmpk_ge_u32", "SCC = at least SIMM16, zero-extended.", sopk(11),
        [](auto& w, auto k, auto d) { w.scc = d >= low_half(k); }),
    scalar<void(UnsignedImmediate, Accumulate<U32>)>(
        "s_cmpk_lt_u32", "SCC = less than SIMM16, zero-extended.", sopk(12),
        [](auto& w, auto k, auto d) { w.scc = d < low_half(k); }),
    scalar<void(UnsignedImmediate, Accumulate<U32>)>(
        "s_cmpk_le_u32", "SCC = at most SIMM16, zero-extended.", sopk(13),
        [](auto& w, auto k, auto d) { w.scc = d <= low_half(k); }),
    scalar<I32(SignedImmediate, Accumulate<U32>)>(
        "s_addk_i32", "Adds SIMM16; SCC is signed overflow.", sopk(14),
        [](auto& w, auto k, auto d) {
          const auto b = as_unsigned(k);
          return flagged(w, d + b, add_overflows(d, b, d + b));
        })
        .means(Meaning::kAdd),
    scalar<I32(SignedImmediate, Accumulate<U32>)>(
        "s_mulk_i32", "Multiplies by SIMM16.", sopk(15),
        [](auto&, auto k, auto d) { return d * as_unsigned(k); }));

inline constexpr auto kSopTables = tables(kSop2, kSop1, kSop1Exec, kSopc, kSopk);

}  // namespace wavetank::isa
