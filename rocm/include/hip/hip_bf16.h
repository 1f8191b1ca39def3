// bfloat16 for HIP 5, which has no header of this name: the types and functions of HIP 6's
// hip_bf16.h that programs use. Arithmetic is done in float and rounded to nearest even.
#pragma once

#include <hip/hip_runtime.h>
#include <hip/hip_vector_types.h>

#include <cstring>

#if !__has_include_next(<hip/hip_bf16.h>)

#pragma push_macro("BF16")
#define BF16 __host__ __device__ inline

struct __attribute__((aligned(2))) __hip_bfloat16_raw {
  unsigned short x;
};
struct __attribute__((aligned(4))) __hip_bfloat162_raw {
  unsigned short x, y;
};

namespace wavetank_hip {

BF16 unsigned short bf16_from_float(float value) {
  unsigned bits;
  memcpy(&bits, &value, 4);
  // A NaN stays one: its upper half, quiet.
  if ((bits & 0x7fffffffu) > 0x7f800000u) return static_cast<unsigned short>((bits >> 16) | 0x40);
  return static_cast<unsigned short>((bits + 0x7fffu + ((bits >> 16) & 1)) >> 16);
}

BF16 float bf16_to_float(unsigned short value) {
  const unsigned bits = static_cast<unsigned>(value) << 16;
  float result;
  memcpy(&result, &bits, 4);
  return result;
}

}  // namespace wavetank_hip

struct __attribute__((aligned(2))) __hip_bfloat16 {
  unsigned short __x;

  __hip_bfloat16() = default;
  BF16 __hip_bfloat16(const __hip_bfloat16_raw& raw) : __x(raw.x) {}
  BF16 __hip_bfloat16(float value) : __x(wavetank_hip::bf16_from_float(value)) {}
  template <class T, class = typename std::enable_if<std::is_arithmetic<T>::value>::type>
  BF16 __hip_bfloat16(T value) : __hip_bfloat16(static_cast<float>(value)) {}
  BF16 operator float() const { return wavetank_hip::bf16_to_float(__x); }
  BF16 operator __hip_bfloat16_raw() const { return {__x}; }
};
struct __attribute__((aligned(4))) __hip_bfloat162 {
  __hip_bfloat16 x, y;

  __hip_bfloat162() = default;
  BF16 __hip_bfloat162(const __hip_bfloat16& low, const __hip_bfloat16& high) : x(low), y(high) {}
  BF16 __hip_bfloat162(const __hip_bfloat162_raw& raw)
      : x(__hip_bfloat16_raw{raw.x}), y(__hip_bfloat16_raw{raw.y}) {}
  BF16 __hip_bfloat162(const float2& pair) : x(pair.x), y(pair.y) {}
  BF16 operator float2() const { return make_float2(x, y); }
  BF16 operator __hip_bfloat162_raw() const { return {x.__x, y.__x}; }
};

// Conversions.
BF16 __hip_bfloat16 __float2bfloat16(float f) { return __hip_bfloat16(f); }
BF16 __hip_bfloat16 __double2bfloat16(double d) { return __hip_bfloat16(static_cast<float>(d)); }
BF16 float __bfloat162float(__hip_bfloat16 a) { return a; }
BF16 __hip_bfloat16 __ushort_as_bfloat16(unsigned short bits) { return __hip_bfloat16_raw{bits}; }
BF16 __hip_bfloat16 __short_as_bfloat16(short bits) {
  return __hip_bfloat16_raw{static_cast<unsigned short>(bits)};
}
BF16 unsigned short __bfloat16_as_ushort(__hip_bfloat16 a) { return a.__x; }
BF16 short __bfloat16_as_short(__hip_bfloat16 a) { return static_cast<short>(a.__x); }
BF16 __hip_bfloat162 __bfloat162bfloat162(__hip_bfloat16 a) { return {a, a}; }
BF16 __hip_bfloat162 __halves2bfloat162(__hip_bfloat16 a, __hip_bfloat16 b) { return {a, b}; }
BF16 __hip_bfloat162 __float22bfloat162_rn(float2 a) { return {a.x, a.y}; }
BF16 float2 __bfloat1622float2(__hip_bfloat162 a) { return a; }
BF16 float __low2float(__hip_bfloat162 a) { return a.x; }
BF16 float __high2float(__hip_bfloat162 a) { return a.y; }
BF16 __hip_bfloat16 __low2bfloat16(__hip_bfloat162 a) { return a.x; }
BF16 __hip_bfloat16 __high2bfloat16(__hip_bfloat162 a) { return a.y; }
BF16 __hip_bfloat162 __low2bfloat162(__hip_bfloat162 a) { return {a.x, a.x}; }
BF16 __hip_bfloat162 __high2bfloat162(__hip_bfloat162 a) { return {a.y, a.y}; }
BF16 __hip_bfloat162 __lowhigh2highlow(__hip_bfloat162 a) { return {a.y, a.x}; }
BF16 __hip_bfloat162 __lows2bfloat162(__hip_bfloat162 a, __hip_bfloat162 b) { return {a.x, b.x}; }
BF16 __hip_bfloat162 __highs2bfloat162(__hip_bfloat162 a, __hip_bfloat162 b) { return {a.y, b.y}; }

#include <wavetank/bf16_arithmetic.h>

#undef BF16
#pragma pop_macro("BF16")

#else
#include_next <hip/hip_bf16.h>
#endif
