// Types of every width and operations with one right answer for every operand.
//
// Integer overflow wraps (-fwrapv), shifts are masked, divisions and conversions are guarded,
// floating point is IEEE with round-to-nearest-even, and NaNs are seen only through bits(), which
// makes them equal, since IEEE 754 does not define their payload.
#pragma once

#include "common/check.hpp"

#include <cstdint>
#include <cstring>

#define RANDOM_FN __host__ __device__ static inline
#define RANDOM_CALL __host__ __device__ __attribute__((noinline)) static

using u8 = uint8_t;
using u16 = uint16_t;
using u32 = uint32_t;
using u64 = unsigned long long;
using u128 = unsigned __int128;
using s8 = int8_t;
using s16 = int16_t;
using s32 = int32_t;
using s64 = long long;
using s128 = __int128;
using f16 = _Float16;
using f32 = float;
using f64 = double;
typedef u16 v2u16 __attribute__((ext_vector_type(2)));
typedef f16 v2f16 __attribute__((ext_vector_type(2)));
typedef f32 v2f32 __attribute__((ext_vector_type(2)));
typedef u32 v4u32 __attribute__((ext_vector_type(4)));
struct u32x3 {
  u32 word[3];
};

template <typename To, typename From>
RANDOM_FN To bit_cast(From value) {
  static_assert(sizeof(To) == sizeof(From));
  return __builtin_bit_cast(To, value);
}

// ---- integers ----------------------------------------------------------------------------------

// Hides a value from the optimiser where LLVM 19 makes code with another result:
// - it divides unsigned numbers in 24 bits when it knows that the upper bits of the dividend are
//   equal, even if they are ones (AMDGPUCodeGenPrepare, expandDivRem24): 0xfffffff0 / threadIdx.x;
// - it rounds f16(a * b) once, as v_fma_mixlo_f16 a, b, 0, which also loses the sign of -0;
// - it takes 0.0 - x for -x where an operand may have a sign (AMDGPUISelDAGToDAG,
//   SelectVOP3ModsImpl): -0 for x = 0;
// - it reads a signed field of bits as an SDWA operand with sign extension, also where a
//   floating-point instruction uses it: there that bit negates (SIPeepholeSDWA);
// - it builds a vector of f16 of which one half is the constant -0.0 with +0.0 there.
template <typename T>
RANDOM_FN T opaque(T value) {
#ifdef __HIP_DEVICE_COMPILE__
  if constexpr (sizeof(T) == 4 || sizeof(T) == 8) __asm__("" : "+v"(value));
  if constexpr (sizeof(T) == 2) {
    u32 word = bit_cast<u16>(value);
    __asm__("" : "+v"(word));
    value = bit_cast<T>(static_cast<u16>(word));
  }
#endif
  return value;
}

// The value, or +0 for -0. LLVM 19 takes x < 0 ? x : 0 for a minimum, as if -0 and +0 were the same
// (ValueTracking, matchSelectPattern), and v_min and v_max of the device order zeros by their sign:
// for an integer i = 0, f64(i) > -0.0 ? f64(i) : -0.0 gives +0.
template <typename T>
RANDOM_FN T without_minus_zero(T value) {
  if constexpr (T(0.5) != T(0)) return opaque(value) + T(0);
  return value;
}

template <typename T>
RANDOM_FN T quotient(T a, T b) {
  const bool overflow = T(-1) < T(0) && b == T(-1);
  return b == T(0) || overflow ? a : T(opaque(a) / b);
}
template <typename T>
RANDOM_FN T modulo(T a, T b) {
  const bool overflow = T(-1) < T(0) && b == T(-1);
  return b == T(0) || overflow ? T(1) : T(opaque(a) % b);
}
RANDOM_FN u32 count_zeros_high(u32 a) { return a ? __builtin_clz(a) : 32; }
RANDOM_FN u32 count_zeros_low(u32 a) { return a ? __builtin_ctz(a) : 32; }
RANDOM_FN u64 count_zeros_high(u64 a) { return a ? __builtin_clzll(a) : 64; }
RANDOM_FN u64 count_zeros_low(u64 a) { return a ? __builtin_ctzll(a) : 64; }
RANDOM_FN u128 count_zeros_high(u128 a) {
  const u64 high = static_cast<u64>(a >> 64);
  return high ? count_zeros_high(high) : 64 + count_zeros_high(static_cast<u64>(a));
}
RANDOM_FN u128 count_zeros_low(u128 a) {
  const u64 low = static_cast<u64>(a);
  return low ? count_zeros_low(low) : 64 + count_zeros_low(static_cast<u64>(a >> 64));
}
template <typename T>
RANDOM_FN T population(T a) {
  if constexpr (sizeof(T) == 16)
    return __builtin_popcountll(static_cast<u64>(a)) +
           __builtin_popcountll(static_cast<u64>(a >> 64));
  else
    return static_cast<T>(__builtin_popcountll(a));
}
RANDOM_FN u32 first_set(u32 a) { return __builtin_ffs(static_cast<int>(a)); }
RANDOM_FN u64 first_set(u64 a) { return __builtin_ffsll(static_cast<s64>(a)); }
RANDOM_FN u32 difference(u32 a, u32 b) { return a > b ? a - b : b - a; }
RANDOM_FN u32 high_product(u32 a, u32 b) { return static_cast<u32>((u64{a} * b) >> 32); }
RANDOM_FN u32 high_product_signed(u32 a, u32 b) {
  return static_cast<u32>((s64{static_cast<s32>(a)} * static_cast<s32>(b)) >> 32);
}
RANDOM_FN u64 high_product(u64 a, u64 b) { return static_cast<u64>((u128{a} * b) >> 64); }
RANDOM_FN u64 high_product_signed(u64 a, u64 b) {
  return static_cast<u64>((s128{static_cast<s64>(a)} * static_cast<s64>(b)) >> 64);
}
RANDOM_FN u32 product_24(u32 a, u32 b) { return (a & 0xffffff) * (b & 0xffffff); }
template <typename T>
RANDOM_FN T median(T a, T b, T c) {
  const T low = a < b ? a : b, high = a < b ? b : a;
  return without_minus_zero(c < low ? low : c > high ? high : c);
}
RANDOM_FN u32 average_bytes(u32 a, u32 b) {
  u32 sum = 0;
  for (int i = 0; i < 32; i += 8) sum |= ((((a >> i) & 255) + ((b >> i) & 255)) >> 1) << i;
  return sum;
}
RANDOM_FN u32 funnel(u32 high, u32 low, u32 n) {
  return static_cast<u32>((u64{high} << 32 | low) >> (n & 31));
}
RANDOM_FN u64 funnel(u64 high, u64 low, u64 n) {
  return static_cast<u64>((u128{high} << 64 | low) >> (n & 63));
}
RANDOM_FN u32 bit_field(u32 a, u32 offset, u32 width) {
  return (a >> (offset & 31)) & ((1u << (width & 31)) - 1);
}
RANDOM_FN u32 bit_field_signed(u32 a, u32 offset, u32 width) {
  const u32 n = 31 - (width & 31);
  return static_cast<u32>(static_cast<s32>((a >> (offset & 31)) << n) >> n);
}
RANDOM_FN u32 merge_bits(u32 mask, u32 a, u32 b) { return (mask & a) | (~mask & b); }
// The sum modulo 2^n, plus one when it overflowed.
template <typename T>
RANDOM_FN T end_around_sum(T a, T b) {
  T sum;
  const bool carry = __builtin_add_overflow(a, b, &sum);
  return sum + carry;
}
template <typename T>
RANDOM_FN T product_or_zero(T a, T b) {
  T product;
  return __builtin_mul_overflow(a, b, &product) ? T(0) : product;
}

// ---- instructions without a word in C++: the builtin on the device, its meaning on the host ----

RANDOM_FN u32 sum_of_byte_differences(u32 a, u32 b, u32 sum) {
#ifdef __HIP_DEVICE_COMPILE__
  return __builtin_amdgcn_sad_u8(a, b, sum);
#else
  for (int i = 0; i < 32; i += 8) sum += difference(a >> i & 255, b >> i & 255);
  return sum;
#endif
}
RANDOM_FN u32 dot_of_bytes(u32 a, u32 b, u32 sum) {
#ifdef __HIP_DEVICE_COMPILE__
  return __builtin_amdgcn_udot4(a, b, sum, false);
#else
  for (int i = 0; i < 32; i += 8) sum += (a >> i & 255) * (b >> i & 255);
  return sum;
#endif
}
RANDOM_FN u32 dot_of_signed_bytes(u32 a, u32 b, u32 sum) {
#ifdef __HIP_DEVICE_COMPILE__
  return static_cast<u32>(__builtin_amdgcn_sdot4(static_cast<int>(a), static_cast<int>(b),
                                                 static_cast<int>(sum), false));
#else
  for (int i = 0; i < 32; i += 8)
    sum += static_cast<u32>(static_cast<s8>(a >> i) * static_cast<s8>(b >> i));
  return sum;
#endif
}
// v_perm_b32 with selectors 0 to 7: bytes 0 to 3 of `low` and 4 to 7 of `high`.
RANDOM_FN u32 select_bytes(u32 high, u32 low, u32 selectors) {
  selectors &= 0x07070707;
#ifdef __HIP_DEVICE_COMPILE__
  return __builtin_amdgcn_perm(high, low, selectors);
#else
  const u64 bytes = u64{high} << 32 | low;
  u32 result = 0;
  for (int i = 0; i < 32; i += 8)
    result |= static_cast<u32>(bytes >> (8 * (selectors >> i & 7)) & 255) << i;
  return result;
#endif
}
RANDOM_FN u32 shift_out_bytes(u32 high, u32 low, u32 bytes) {
#ifdef __HIP_DEVICE_COMPILE__
  return __builtin_amdgcn_alignbyte(high, low, bytes);
#else
  return static_cast<u32>((u64{high} << 32 | low) >> (8 * (bytes & 3)));
#endif
}
