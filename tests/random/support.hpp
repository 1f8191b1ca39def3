// What the generated programs share: types of every width, operations that are defined for every
// operand, and the record of a work-item's variables that device and host must agree on.
//
// Only operations with one right answer appear: integer overflow wraps, divisions and conversions
// are guarded, floating point is IEEE with round-to-nearest-even, and a NaN is recorded as one fixed
// pattern, since its payload is not defined by IEEE 754.
#pragma once

#include "common/check.hpp"

#include <cstdint>
#include <cstring>

#define RANDOM_FN __host__ __device__ static inline

using u8 = uint8_t;
using u16 = uint16_t;
using u32 = uint32_t;
using u64 = unsigned long long;
using s8 = int8_t;
using s16 = int16_t;
using s32 = int32_t;
using s64 = long long;
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
// - it rounds f16(a * b) once, as v_fma_mixlo_f16 a, b, 0, which also loses the sign of -0.
template <typename T>
RANDOM_FN T opaque(T value) {
#ifdef __HIP_DEVICE_COMPILE__
  if constexpr (sizeof(T) >= 4) __asm__("" : "+v"(value));
#endif
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
RANDOM_FN u32 difference(u32 a, u32 b) { return a > b ? a - b : b - a; }
RANDOM_FN u32 high_product(u32 a, u32 b) { return static_cast<u32>((u64{a} * b) >> 32); }
RANDOM_FN u32 high_product_signed(u32 a, u32 b) {
  return static_cast<u32>((s64{static_cast<s32>(a)} * static_cast<s32>(b)) >> 32);
}
RANDOM_FN u32 product_24(u32 a, u32 b) { return (a & 0xffffff) * (b & 0xffffff); }
RANDOM_FN u32 median(u32 a, u32 b, u32 c) {
  const u32 low = a < b ? a : b, high = a < b ? b : a;
  return c < low ? low : c > high ? high : c;
}
RANDOM_FN u32 average_bytes(u32 a, u32 b) {
  u32 sum = 0;
  for (int i = 0; i < 32; i += 8) sum |= ((((a >> i) & 255) + ((b >> i) & 255)) >> 1) << i;
  return sum;
}

// ---- floating point ----------------------------------------------------------------------------

RANDOM_FN f32 root(f32 a) { return sqrtf(a); }
RANDOM_FN f64 root(f64 a) { return sqrt(a); }
RANDOM_FN f32 fused(f32 a, f32 b, f32 c) { return __builtin_fmaf(a, b, c); }
RANDOM_FN f64 fused(f64 a, f64 b, f64 c) { return __builtin_fma(a, b, c); }
RANDOM_FN f32 down(f32 a) { return __builtin_floorf(a); }
RANDOM_FN f64 down(f64 a) { return __builtin_floor(a); }
RANDOM_FN f32 up(f32 a) { return __builtin_ceilf(a); }
RANDOM_FN f64 up(f64 a) { return __builtin_ceil(a); }
RANDOM_FN f32 nearest(f32 a) { return __builtin_rintf(a); }
RANDOM_FN f64 nearest(f64 a) { return __builtin_rint(a); }
RANDOM_FN f32 towards_zero(f32 a) { return __builtin_truncf(a); }
RANDOM_FN f64 towards_zero(f64 a) { return __builtin_trunc(a); }
RANDOM_FN f32 magnitude(f32 a) { return __builtin_fabsf(a); }
RANDOM_FN f64 magnitude(f64 a) { return __builtin_fabs(a); }
template <typename T>
RANDOM_FN T smaller(T a, T b) {
  return a < b ? a : b;
}
template <typename T>
RANDOM_FN T larger(T a, T b) {
  return a > b ? a : b;
}
template <typename T>
RANDOM_FN T clamped(T a) {  // 0 for a NaN
  return a > T(0) ? (a < T(1) ? a : T(1)) : T(0);
}

// Conversions to integers, 0 where the value does not fit.
template <typename F>
RANDOM_FN s32 to_s32(F a) {
  return a > F(-2.1e9) && a < F(2.1e9) ? static_cast<s32>(a) : 0;
}
template <typename F>
RANDOM_FN u32 to_u32(F a) {
  return a > F(-0.9) && a < F(4.2e9) ? static_cast<u32>(a) : 0;
}
template <typename F>
RANDOM_FN s64 to_s64(F a) {
  return a > F(-9.2e18) && a < F(9.2e18) ? static_cast<s64>(a) : 0;
}
template <typename F>
RANDOM_FN u64 to_u64(F a) {
  return a > F(-0.9) && a < F(1.84e19) ? static_cast<u64>(a) : 0;
}

RANDOM_FN u16 bits(f16 a) { return a == a ? bit_cast<u16>(a) : u16{0x7e00}; }
RANDOM_FN u32 bits(f32 a) { return a == a ? bit_cast<u32>(a) : 0x7fc00000u; }
RANDOM_FN u64 bits(f64 a) { return a == a ? bit_cast<u64>(a) : 0x7ff8000000000000ull; }

// ---- a work-item -------------------------------------------------------------------------------

constexpr int kTableWords = 256;
constexpr int kMemoryWords = 512;  // 64-bit words of memory for each workgroup's exchanges

// The variables of a work-item: what the generated statements read and write.
struct State {
  u8 b[2];
  u16 h[2];
  u32 i[5];
  u64 l[3];
  f16 p[2];
  f32 f[4];
  f64 d[3];
  v2u16 w[2];
  v2f16 q[2];
  v2f32 g[2];
};

// Values that are the same for a whole workgroup; the compiler keeps them in scalar registers.
struct Uniform {
  u32 a, b;
  u64 c;
  f32 e;
};

// A State as words, NaNs made equal.
struct Record {
  static constexpr int kWords = 30;
  u32 word[kWords];
};

RANDOM_FN u32 pair(u32 low, u32 high) { return low | high << 16; }

RANDOM_FN Record record(const State& s) {
  Record r;
  int n = 0;
  r.word[n++] = pair(s.b[0], s.b[1]);
  r.word[n++] = pair(s.h[0], s.h[1]);
  for (int k = 0; k < 5; ++k) r.word[n++] = s.i[k];
  for (int k = 0; k < 3; ++k) {
    r.word[n++] = static_cast<u32>(s.l[k]);
    r.word[n++] = static_cast<u32>(s.l[k] >> 32);
  }
  r.word[n++] = pair(bits(s.p[0]), bits(s.p[1]));
  for (int k = 0; k < 4; ++k) r.word[n++] = bits(s.f[k]);
  for (int k = 0; k < 3; ++k) {
    r.word[n++] = static_cast<u32>(bits(s.d[k]));
    r.word[n++] = static_cast<u32>(bits(s.d[k]) >> 32);
  }
  for (int k = 0; k < 2; ++k) r.word[n++] = pair(s.w[k].x, s.w[k].y);
  r.word[n++] = pair(bits(s.q[0].x), bits(s.q[0].y)) ^ pair(bits(s.q[1].y), bits(s.q[1].x));
  for (int k = 0; k < 2; ++k) {
    r.word[n++] = bits(s.g[k].x) + (bits(s.g[k].y) << 3);
  }
  r.word[n++] = 0;
  return r;
}

inline const char* const kWordNames[Record::kWords] = {
    "b[0], b[1]", "h[0], h[1]", "i[0]", "i[1]", "i[2]", "i[3]", "i[4]", "l[0] low", "l[0] high",
    "l[1] low", "l[1] high", "l[2] low", "l[2] high", "p[0], p[1]", "f[0]", "f[1]", "f[2]", "f[3]",
    "d[0] low", "d[0] high", "d[1] low", "d[1] high", "d[2] low", "d[2] high", "w[0]", "w[1]",
    "q[0] ^ q[1]", "g[0].x + 8 g[0].y", "g[1].x + 8 g[1].y", "unused"};

// Starts every variable with bits of the table, so that all classes of numbers occur.
RANDOM_FN u32 at(const u32* table, u32 index) { return table[index % kTableWords]; }

RANDOM_FN State start(const u32* table, u32 thread, u32 block) {
  State s;
  u32 n = thread * 29 + block * 101;
  for (u8& value : s.b) value = static_cast<u8>(at(table, n++));
  for (u16& value : s.h) value = static_cast<u16>(at(table, n++));
  for (u32& value : s.i) value = at(table, n++);
  for (u64& value : s.l) {
    value = at(table, n) | u64{at(table, n + 1)} << 32;
    n += 2;
  }
  for (f16& value : s.p) value = bit_cast<f16>(static_cast<u16>(at(table, n++)));
  for (f32& value : s.f) value = bit_cast<f32>(at(table, n++));
  for (f64& value : s.d) {
    value = bit_cast<f64>(at(table, n) | u64{at(table, n + 1)} << 32);
    n += 2;
  }
  for (v2u16& value : s.w) value = bit_cast<v2u16>(at(table, n++));
  for (v2f16& value : s.q) value = bit_cast<v2f16>(at(table, n++));
  for (v2f32& value : s.g) {
    value = v2f32{bit_cast<f32>(at(table, n)), bit_cast<f32>(at(table, n + 1))};
    n += 2;
  }
  return s;
}

// ---- exchanges between lanes, as the host sees them --------------------------------------------

constexpr u32 kWave = 64;

// The lane that feeds `lane` under a DPP control, or `lane` itself when the source does not exist
// (bound_ctrl off and old = own value). Control values as in the CDNA2 ISA, section 12.14.
inline u32 dpp_source(u32 control, u32 lane) {
  const u32 row = lane & ~15u, in_row = lane & 15;
  if (control <= 0xff) return (lane & ~3u) + ((control >> (2 * (lane & 3))) & 3);
  const u32 amount = control & 15;
  if (control >= 0x101 && control <= 0x10f) return in_row + amount < 16 ? lane + amount : lane;
  if (control >= 0x111 && control <= 0x11f) return in_row >= amount ? lane - amount : lane;
  if (control >= 0x121 && control <= 0x12f) return row + ((in_row - amount) & 15);
  if (control == 0x130) return lane + 1 < kWave ? lane + 1 : lane;          // wave_shl:1
  if (control == 0x134) return (lane + 1) % kWave;                          // wave_rol:1
  if (control == 0x138) return lane > 0 ? lane - 1 : lane;                  // wave_shr:1
  if (control == 0x13c) return (lane + kWave - 1) % kWave;                  // wave_ror:1
  if (control == 0x140) return row + 15 - in_row;                           // row_mirror
  if (control == 0x141) return (lane & ~7u) + 7 - (lane & 7);               // row_half_mirror
  if (control == 0x142) return lane >= 16 ? row - 1 : lane;                 // row_bcast:15
  return lane >= 32 ? 31 : lane;                                            // row_bcast:31
}

// The lane that feeds `lane` under a ds_swizzle_b32 pattern in bit-mask mode.
inline u32 swizzle_source(u32 pattern, u32 lane) {
  const u32 in_group = lane & 31;
  return (lane & 32) |
         (((in_group & (pattern & 31)) | ((pattern >> 5) & 31)) ^ ((pattern >> 10) & 31));
}
