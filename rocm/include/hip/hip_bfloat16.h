// hip_bfloat16 for sources that HIP 5 compiles at run time: its header of this name needs the
// host's headers. Rounds to nearest even; a NaN keeps its upper half and stays one.
#pragma once

#include <hip/hip_version.h>

#if HIP_VERSION_MAJOR < 6 && defined(__HIPCC_RTC__)

#include <hip/hip_runtime.h>

struct hip_bfloat16 {
  unsigned short data;
  enum truncate_t { truncate };

  hip_bfloat16() = default;
  __device__ explicit hip_bfloat16(float value) : data(rounded(value)) {}
  __device__ hip_bfloat16(float value, truncate_t) : data(cut(value)) {}
  __device__ operator float() const { return __uint_as_float(unsigned(data) << 16); }
  static __device__ hip_bfloat16 round_to_bfloat16(float value) { return hip_bfloat16(value); }
  static __device__ hip_bfloat16 round_to_bfloat16(float value, truncate_t) {
    return hip_bfloat16(value, truncate);
  }

 private:
  /// The bit that keeps a NaN whose upper half is an infinity's one.
  static __device__ unsigned nan_bit(unsigned bits) {
    return (bits & 0x7f800000u) == 0x7f800000u && (bits & 0xffffu) != 0 ? 0x10000u : 0u;
  }
  static __device__ unsigned short rounded(float value) {
    const unsigned bits = __float_as_uint(value);
    if ((bits & 0x7f800000u) == 0x7f800000u) return (bits | nan_bit(bits)) >> 16;
    return (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;
  }
  static __device__ unsigned short cut(float value) {
    const unsigned bits = __float_as_uint(value);
    return (bits | nan_bit(bits)) >> 16;
  }
};

inline __device__ hip_bfloat16 operator+(hip_bfloat16 a) { return a; }
inline __device__ hip_bfloat16 operator-(hip_bfloat16 a) {
  a.data ^= 0x8000;
  return a;
}
#pragma push_macro("BINARY")
#define BINARY(op)                                                                   \
  inline __device__ hip_bfloat16 operator op(hip_bfloat16 a, hip_bfloat16 b) {       \
    return hip_bfloat16(float(a) op float(b));                                       \
  }                                                                                  \
  inline __device__ hip_bfloat16& operator op##=(hip_bfloat16 & a, hip_bfloat16 b) { \
    return a = a op b;                                                               \
  }
BINARY(+)
BINARY(-)
BINARY(*)
BINARY(/)
#undef BINARY
#define BINARY(op)                                                     \
  inline __device__ bool operator op(hip_bfloat16 a, hip_bfloat16 b) { \
    return float(a) op float(b);                                       \
  }
BINARY(==)
BINARY(!=)
BINARY(<)
BINARY(<=)
BINARY(>)
BINARY(>=)
#undef BINARY
#pragma pop_macro("BINARY")
inline __device__ hip_bfloat16& operator++(hip_bfloat16& a) { return a += hip_bfloat16(1.0f); }
inline __device__ hip_bfloat16& operator--(hip_bfloat16& a) { return a -= hip_bfloat16(1.0f); }
inline __device__ hip_bfloat16 operator++(hip_bfloat16& a, int) {
  const hip_bfloat16 before = a;
  ++a;
  return before;
}
inline __device__ hip_bfloat16 operator--(hip_bfloat16& a, int) {
  const hip_bfloat16 before = a;
  --a;
  return before;
}

namespace std {
constexpr __device__ bool isinf(hip_bfloat16 a) { return (a.data & 0x7fff) == 0x7f80; }
constexpr __device__ bool isnan(hip_bfloat16 a) { return (a.data & 0x7fff) > 0x7f80; }
constexpr __device__ bool iszero(hip_bfloat16 a) { return (a.data & 0x7fff) == 0; }
}  // namespace std

#else
#include_next <hip/hip_bfloat16.h>
#endif
