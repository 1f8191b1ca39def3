// 8-bit floating point for HIP 5, which has no header of this name: the types and conversions of
// HIP 6's hip_fp8.h. Four formats (OCP OFP8 specification 1.0; the FNUZ ones are those of gfx942):
//
//   e4m3 fnuz  bias 8, largest 240     no infinity, no negative zero; 0x80 is the only NaN
//   e5m2 fnuz  bias 16, largest 57344  the same
//   e4m3       bias 7, largest 448     no infinity; 0x7f is NaN
//   e5m2       bias 15, largest 57344  0x7c is infinity, above it NaN
#pragma once

#include <hip/hip_runtime.h>
#include <hip/hip_fp16.h>
#include <hip/hip_bf16.h>

#if !__has_include_next(<hip/hip_fp8.h>)

enum __hip_fp8_interpretation_t {
  __HIP_E4M3 = 0,
  __HIP_E5M2 = 1,
  __HIP_E4M3_FNUZ = 2,
  __HIP_E5M2_FNUZ = 3,
};
enum __hip_saturation_t { __HIP_NOSAT = 0, __HIP_SATFINITE = 1 };
typedef unsigned char __hip_fp8_storage_t;
typedef unsigned short __hip_fp8x2_storage_t;
typedef unsigned int __hip_fp8x4_storage_t;

#define HIP_FP8_TYPE_OCP 1
#define HIP_FP8_TYPE_FNUZ 1

#pragma push_macro("FP8")
#define FP8 __host__ __device__ inline

namespace wavetank_hip {

/// What tells one format from another.
struct Fp8Format {
  int mantissa_bits;
  int bias;
  unsigned char largest;   ///< code of the largest finite value
  unsigned char overflow;  ///< code of what overflows without saturation
  unsigned char nan;
  bool fnuz;
};

FP8 Fp8Format fp8_format(__hip_fp8_interpretation_t interpretation) {
  switch (interpretation) {
    case __HIP_E4M3: return {3, 7, 0x7e, 0x7f, 0x7f, false};
    case __HIP_E5M2: return {2, 15, 0x7b, 0x7c, 0x7f, false};
    case __HIP_E4M3_FNUZ: return {3, 8, 0x7f, 0x80, 0x80, true};
    default: return {2, 16, 0x7f, 0x80, 0x80, true};
  }
}

/// Rounds to nearest even.
FP8 __hip_fp8_storage_t fp8_from_float(float value, __hip_saturation_t saturation,
                                       __hip_fp8_interpretation_t interpretation) {
  const Fp8Format format = fp8_format(interpretation);
  unsigned bits;
  memcpy(&bits, &value, 4);
  const unsigned sign = (bits >> 24) & 0x80;
  bits &= 0x7fffffff;
  if (bits > 0x7f800000) return format.fnuz ? format.nan : sign | format.nan;
  const int exponent = static_cast<int>(bits >> 23) - 127;
  const int lowest = 1 - format.bias;  // exponent of the smallest normal value
  const unsigned mantissa = (bits & 0x7fffff) | 0x800000;
  int shift = 23 - format.mantissa_bits;
  if (exponent < lowest) shift += lowest - exponent;
  unsigned code = 0;
  if (shift <= 24) {
    const unsigned half = 1u << (shift - 1);
    const unsigned rest = mantissa & (2 * half - 1);
    code = mantissa >> shift;
    if (rest > half || (rest == half && (code & 1))) ++code;
    if (exponent > lowest) code += static_cast<unsigned>(exponent - lowest) << format.mantissa_bits;
  }
  if (code > format.largest) {
    code = saturation == __HIP_SATFINITE ? format.largest : format.overflow;
  }
  if (format.fnuz && (code == 0 || code == 0x80)) return static_cast<__hip_fp8_storage_t>(code);
  return static_cast<__hip_fp8_storage_t>(sign | code);
}

FP8 float fp8_to_float(__hip_fp8_storage_t code, __hip_fp8_interpretation_t interpretation) {
  const Fp8Format format = fp8_format(interpretation);
  const unsigned magnitude = code & 0x7f;
  if (format.fnuz ? code == 0x80 : magnitude > format.largest) {
    if (interpretation == __HIP_E5M2 && magnitude == 0x7c) {
      return code & 0x80 ? -__builtin_inff() : __builtin_inff();
    }
    return __builtin_nanf("");
  }
  const int field = static_cast<int>(magnitude >> format.mantissa_bits);
  unsigned mantissa = magnitude & ((1u << format.mantissa_bits) - 1);
  if (field != 0) mantissa |= 1u << format.mantissa_bits;
  const int exponent = (field != 0 ? field : 1) - format.bias - format.mantissa_bits;
  const unsigned scale_bits = static_cast<unsigned>(127 + exponent) << 23;
  float scale;
  memcpy(&scale, &scale_bits, 4);
  const float result = static_cast<float>(mantissa) * scale;
  return code & 0x80 ? -result : result;
}

/// One value.
template <__hip_fp8_interpretation_t interpretation>
struct Fp8 {
  static constexpr __hip_saturation_t __default_saturation = __HIP_SATFINITE;
  static constexpr __hip_fp8_interpretation_t __default_interpret = interpretation;
  __hip_fp8_storage_t __x;

  Fp8() = default;
  FP8 Fp8(float value) : __x(fp8_from_float(value, __HIP_SATFINITE, interpretation)) {}
  template <class T, class = typename std::enable_if<std::is_arithmetic<T>::value>::type>
  FP8 Fp8(T value) : Fp8(static_cast<float>(value)) {}
  FP8 Fp8(__half value) : Fp8(__half2float(value)) {}
  FP8 Fp8(__hip_bfloat16 value) : Fp8(__bfloat162float(value)) {}
  FP8 operator float() const { return fp8_to_float(__x, interpretation); }
  FP8 explicit operator __half() const { return __float2half(float(*this)); }
  FP8 explicit operator __hip_bfloat16() const { return __float2bfloat16(float(*this)); }
};

/// Two values, the first in the low byte.
template <__hip_fp8_interpretation_t interpretation>
struct Fp8x2 {
  static constexpr __hip_saturation_t __default_saturation = __HIP_SATFINITE;
  static constexpr __hip_fp8_interpretation_t __default_interpret = interpretation;
  __hip_fp8x2_storage_t __x;

  Fp8x2() = default;
  FP8 Fp8x2(float2 v)
      : __x(static_cast<__hip_fp8x2_storage_t>(
            fp8_from_float(v.x, __HIP_SATFINITE, interpretation) |
            fp8_from_float(v.y, __HIP_SATFINITE, interpretation) << 8)) {}
  FP8 Fp8x2(double2 v)
      : Fp8x2(make_float2(static_cast<float>(v.x), static_cast<float>(v.y))) {}
  FP8 Fp8x2(__half2 v) : Fp8x2(make_float2(__low2float(v), __high2float(v))) {}
  FP8 Fp8x2(__hip_bfloat162 v) : Fp8x2(__bfloat1622float2(v)) {}
  FP8 operator float2() const {
    return make_float2(fp8_to_float(__x & 0xff, interpretation),
                       fp8_to_float(__x >> 8, interpretation));
  }
};

/// Four values, the first in the low byte.
template <__hip_fp8_interpretation_t interpretation>
struct Fp8x4 {
  static constexpr __hip_saturation_t __default_saturation = __HIP_SATFINITE;
  static constexpr __hip_fp8_interpretation_t __default_interpret = interpretation;
  __hip_fp8x4_storage_t __x;

  Fp8x4() = default;
  FP8 Fp8x4(float4 v)
      : __x(Fp8x2<interpretation>(make_float2(v.x, v.y)).__x |
            static_cast<unsigned>(Fp8x2<interpretation>(make_float2(v.z, v.w)).__x) << 16) {}
  FP8 Fp8x4(double4 v)
      : Fp8x4(make_float4(static_cast<float>(v.x), static_cast<float>(v.y),
                          static_cast<float>(v.z), static_cast<float>(v.w))) {}
  FP8 Fp8x4(__half2 low, __half2 high)
      : Fp8x4(make_float4(__low2float(low), __high2float(low), __low2float(high),
                          __high2float(high))) {}
  FP8 Fp8x4(__hip_bfloat162 low, __hip_bfloat162 high)
      : Fp8x4(make_float4(low.x, low.y, high.x, high.y)) {}
  FP8 operator float4() const {
    return make_float4(fp8_to_float(__x & 0xff, interpretation),
                       fp8_to_float(__x >> 8 & 0xff, interpretation),
                       fp8_to_float(__x >> 16 & 0xff, interpretation),
                       fp8_to_float(__x >> 24, interpretation));
  }
};

}  // namespace wavetank_hip

typedef wavetank_hip::Fp8<__HIP_E4M3> __hip_fp8_e4m3;
typedef wavetank_hip::Fp8<__HIP_E5M2> __hip_fp8_e5m2;
typedef wavetank_hip::Fp8<__HIP_E4M3_FNUZ> __hip_fp8_e4m3_fnuz;
typedef wavetank_hip::Fp8<__HIP_E5M2_FNUZ> __hip_fp8_e5m2_fnuz;
typedef wavetank_hip::Fp8x2<__HIP_E4M3> __hip_fp8x2_e4m3;
typedef wavetank_hip::Fp8x2<__HIP_E5M2> __hip_fp8x2_e5m2;
typedef wavetank_hip::Fp8x2<__HIP_E4M3_FNUZ> __hip_fp8x2_e4m3_fnuz;
typedef wavetank_hip::Fp8x2<__HIP_E5M2_FNUZ> __hip_fp8x2_e5m2_fnuz;
typedef wavetank_hip::Fp8x4<__HIP_E4M3> __hip_fp8x4_e4m3;
typedef wavetank_hip::Fp8x4<__HIP_E5M2> __hip_fp8x4_e5m2;
typedef wavetank_hip::Fp8x4<__HIP_E4M3_FNUZ> __hip_fp8x4_e4m3_fnuz;
typedef wavetank_hip::Fp8x4<__HIP_E5M2_FNUZ> __hip_fp8x4_e5m2_fnuz;

FP8 __hip_fp8_storage_t __hip_cvt_float_to_fp8(float value, __hip_saturation_t saturation,
                                               __hip_fp8_interpretation_t interpretation) {
  return wavetank_hip::fp8_from_float(value, saturation, interpretation);
}
FP8 __hip_fp8x2_storage_t __hip_cvt_float2_to_fp8x2(float2 v, __hip_saturation_t saturation,
                                                    __hip_fp8_interpretation_t interpretation) {
  return static_cast<__hip_fp8x2_storage_t>(
      wavetank_hip::fp8_from_float(v.x, saturation, interpretation) |
      wavetank_hip::fp8_from_float(v.y, saturation, interpretation) << 8);
}
FP8 __hip_fp8_storage_t __hip_cvt_double_to_fp8(double value, __hip_saturation_t saturation,
                                                __hip_fp8_interpretation_t interpretation) {
  return wavetank_hip::fp8_from_float(static_cast<float>(value), saturation, interpretation);
}
FP8 __hip_fp8_storage_t __hip_cvt_halfraw_to_fp8(__half_raw value, __hip_saturation_t saturation,
                                                 __hip_fp8_interpretation_t interpretation) {
  return wavetank_hip::fp8_from_float(__half2float(__half(value)), saturation, interpretation);
}
FP8 __hip_fp8_storage_t __hip_cvt_bfloat16raw_to_fp8(__hip_bfloat16_raw value,
                                                     __hip_saturation_t saturation,
                                                     __hip_fp8_interpretation_t interpretation) {
  return wavetank_hip::fp8_from_float(wavetank_hip::bf16_to_float(value.x), saturation,
                                      interpretation);
}
FP8 __half_raw __hip_cvt_fp8_to_halfraw(__hip_fp8_storage_t code,
                                        __hip_fp8_interpretation_t interpretation) {
  return static_cast<__half_raw>(__float2half(wavetank_hip::fp8_to_float(code, interpretation)));
}
FP8 __half2_raw __hip_cvt_fp8x2_to_halfraw2(__hip_fp8x2_storage_t code,
                                            __hip_fp8_interpretation_t interpretation) {
  return static_cast<__half2_raw>(__half2(
      __float2half(wavetank_hip::fp8_to_float(code & 0xff, interpretation)),
      __float2half(wavetank_hip::fp8_to_float(code >> 8, interpretation))));
}

#undef FP8
#pragma pop_macro("FP8")

#else
#include_next <hip/hip_fp8.h>
#endif
