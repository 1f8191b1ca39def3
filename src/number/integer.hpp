// Integer and bit operations that are more than one C++ operator.
#pragma once

#include <bit>
#include <cstdint>

namespace wavetank::number {

/// v_mul_hi_u32, v_mul_hi_i32: the high 32 bits of the 64-bit product.
constexpr std::uint32_t mul_hi_u32(std::uint32_t a, std::uint32_t b);
constexpr std::int32_t mul_hi_i32(std::int32_t a, std::int32_t b);
/// The low 24 bits, sign-extended.
constexpr std::int32_t sign_extend_24(std::uint32_t a);
/// v_mul_i32_i24, v_mul_u32_u24: low 32 bits of the product of the low 24 bits.
constexpr std::uint32_t mul_i32_i24(std::uint32_t a, std::uint32_t b);
constexpr std::uint32_t mul_u32_u24(std::uint32_t a, std::uint32_t b);
/// v_mul_hi_i32_i24, v_mul_hi_u32_u24: bits 47:32 of that product, sign- or zero-extended.
constexpr std::uint32_t mul_hi_i32_i24(std::uint32_t a, std::uint32_t b);
constexpr std::uint32_t mul_hi_u32_u24(std::uint32_t a, std::uint32_t b);

/// Sums and differences that stop at the ends of the type: what clamp does to integer adds.
template <class T>
constexpr T add_saturate(T a, T b);
template <class T>
constexpr T sub_saturate(T a, T b);
/// a * b + c computed exactly and clamped to T (v_mad_u16 and the like with clamp).
template <class T>
constexpr T mad_saturate(T a, T b, T c);

/// v_bfe_u32, v_bfe_i32: `width`[4:0] bits of a from bit `offset`[4:0] on; width 0 gives 0.
constexpr std::uint32_t bfe_u32(std::uint32_t a, std::uint32_t offset, std::uint32_t width);
constexpr std::int32_t bfe_i32(std::uint32_t a, std::uint32_t offset, std::uint32_t width);
/// v_bfi_b32: the bits of b where mask is one, of c elsewhere.
constexpr std::uint32_t bfi_b32(std::uint32_t mask, std::uint32_t b, std::uint32_t c);
/// v_bfm_b32: `width`[4:0] ones from bit `offset`[4:0] on.
constexpr std::uint32_t bfm_b32(std::uint32_t width, std::uint32_t offset);
/// v_bfrev_b32, s_brev_b32, s_brev_b64.
constexpr std::uint32_t bitreverse(std::uint32_t a);
constexpr std::uint64_t bitreverse(std::uint64_t a);
/// v_ffbh_u32, s_flbit_i32_b32 / b64: zeros above the highest one; all ones if there is none.
constexpr std::uint32_t ffbh_u32(std::uint32_t a);
constexpr std::uint32_t ffbh_u64(std::uint64_t a);
/// v_ffbh_i32, s_flbit_i32 / _i64: copies of the sign bit at the top; all ones if all are equal.
constexpr std::uint32_t ffbh_i32(std::int32_t a);
constexpr std::uint32_t ffbh_i64(std::int64_t a);
/// v_ffbl_b32, s_ff1_i32_b32 / b64: position of the lowest one; all ones if there is none.
constexpr std::uint32_t ffbl_b32(std::uint32_t a);
constexpr std::uint32_t ffbl_b64(std::uint64_t a);

/// v_alignbit_b32: {a, b} >> shift[4:0], low 32 bits. v_alignbyte_b32: shift[1:0] bytes.
constexpr std::uint32_t alignbit_b32(std::uint32_t a, std::uint32_t b, std::uint32_t shift);
constexpr std::uint32_t alignbyte_b32(std::uint32_t a, std::uint32_t b, std::uint32_t shift);
/// v_perm_b32: four bytes chosen from {a, b} by the bytes of `selector`.
constexpr std::uint32_t perm_b32(std::uint32_t a, std::uint32_t b, std::uint32_t selector);
/// v_lerp_u8: per byte (a + b + round[bit 0 of the byte]) / 2.
constexpr std::uint32_t lerp_u8(std::uint32_t a, std::uint32_t b, std::uint32_t round);

/// v_med3_*: the middle of three integers.
template <class T>
constexpr T med3_integer(T a, T b, T c);

/// What v_mad_u64_u32 and v_mad_i64_i32 write.
struct WideMad {
  std::uint64_t value;
  bool carry;  ///< bit 64 of the sum: carry-out (u64) or sign of the exact sum (i64)
};
constexpr WideMad mad_u64_u32(std::uint32_t a, std::uint32_t b, std::uint64_t c);
constexpr WideMad mad_i64_i32(std::int32_t a, std::int32_t b, std::int64_t c);

}  // namespace wavetank::number
