// Conversions with a directed rounding that ocml of rocm-device-libs 5.2.3 lacks and HIP 6's headers
// call (__double2float_rd and its kin): the nearest number, moved by one where it lies on the wrong
// side of the exact value. Compiled for amdgcn without a processor; names are ocml's.

typedef long long s64;
typedef unsigned long long u64;
typedef unsigned int u32;
typedef int s32;

// The neighbours of a number in a format: bits are ordered as magnitudes.
#define NEIGHBOURS(Type, Bits, name, sign)                               \
  static inline Type name##_down(Type x) {                               \
    Bits bits = __builtin_bit_cast(Bits, x);                             \
    if (x == 0) bits = (sign) | 1;                                       \
    else bits = (Bits)((bits & (sign)) != 0 ? bits + 1 : bits - 1);      \
    return __builtin_bit_cast(Type, bits);                               \
  }                                                                      \
  static inline Type name##_up(Type x) { return -name##_down(-x); }

NEIGHBOURS(_Float16, unsigned short, f16, (unsigned short)0x8000)
NEIGHBOURS(float, u32, f32, 0x80000000u)
NEIGHBOURS(double, u64, f64, 0x8000000000000000ull)

// How the nearest number compares with the exact value: below 0, 0, above 0. A format that holds both
// exactly decides; 64-bit integers have none, but numbers that large are integers.
#define COMPARE_IN(Wide, near, exact) \
  ((Wide)(near) > (Wide)(exact) ? 1 : (Wide)(near) < (Wide)(exact) ? -1 : 0)
#define COMPARE_S64(near, exact) \
  ((double)(near) >= 0x1p63 ? 1 : COMPARE_IN(s64, near, exact))
#define COMPARE_U64(near, exact) \
  ((double)(near) >= 0x1p64 ? 1 : COMPARE_IN(u64, near, exact))

#define CONVERSIONS(From, from, To, to, compare)                        \
  To __ocml_cvtrtn_##to##_##from(From x) {                              \
    const To near = (To)x;                                              \
    return compare(near, x) > 0 ? to##_down(near) : near;               \
  }                                                                     \
  To __ocml_cvtrtp_##to##_##from(From x) {                              \
    const To near = (To)x;                                              \
    return compare(near, x) < 0 ? to##_up(near) : near;                 \
  }                                                                     \
  To __ocml_cvtrtz_##to##_##from(From x) {                              \
    const To near = (To)x;                                              \
    const int side = compare(near, x);                                  \
    if (x > 0) return side > 0 ? to##_down(near) : near;                \
    return side < 0 ? to##_up(near) : near;                             \
  }

#define IN_FLOAT(near, exact) COMPARE_IN(float, near, exact)
#define IN_DOUBLE(near, exact) COMPARE_IN(double, near, exact)

CONVERSIONS(float, f32, _Float16, f16, IN_FLOAT)
CONVERSIONS(double, f64, float, f32, IN_DOUBLE)
CONVERSIONS(s32, s32, float, f32, IN_DOUBLE)
CONVERSIONS(u32, u32, float, f32, IN_DOUBLE)
CONVERSIONS(s64, s64, float, f32, COMPARE_S64)
CONVERSIONS(u64, u64, float, f32, COMPARE_U64)
CONVERSIONS(s64, s64, double, f64, COMPARE_S64)
CONVERSIONS(u64, u64, double, f64, COMPARE_U64)
