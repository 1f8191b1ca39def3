// Arithmetic, comparison and mathematics of hip/hip_bf16.h, which includes this file once with BF16
// defined. One value, then the pair of the same name with 2, element by element.

BF16 __hip_bfloat16 __hadd(__hip_bfloat16 a, __hip_bfloat16 b) { return float(a) + float(b); }
BF16 __hip_bfloat162 __hadd2(__hip_bfloat162 a, __hip_bfloat162 b) {
  return {__hadd(a.x, b.x), __hadd(a.y, b.y)};
}
BF16 __hip_bfloat16 __hsub(__hip_bfloat16 a, __hip_bfloat16 b) { return float(a) - float(b); }
BF16 __hip_bfloat162 __hsub2(__hip_bfloat162 a, __hip_bfloat162 b) {
  return {__hsub(a.x, b.x), __hsub(a.y, b.y)};
}
BF16 __hip_bfloat16 __hmul(__hip_bfloat16 a, __hip_bfloat16 b) { return float(a) * float(b); }
BF16 __hip_bfloat162 __hmul2(__hip_bfloat162 a, __hip_bfloat162 b) {
  return {__hmul(a.x, b.x), __hmul(a.y, b.y)};
}
BF16 __hip_bfloat16 __hdiv(__hip_bfloat16 a, __hip_bfloat16 b) { return float(a) / float(b); }
BF16 __hip_bfloat162 __h2div(__hip_bfloat162 a, __hip_bfloat162 b) {
  return {__hdiv(a.x, b.x), __hdiv(a.y, b.y)};
}
BF16 __hip_bfloat16 __hfma(__hip_bfloat16 a, __hip_bfloat16 b, __hip_bfloat16 c) {
  return __builtin_fmaf(a, b, c);
}
BF16 __hip_bfloat162 __hfma2(__hip_bfloat162 a, __hip_bfloat162 b, __hip_bfloat162 c) {
  return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)};
}
BF16 __hip_bfloat16 __hneg(__hip_bfloat16 a) {
  return __ushort_as_bfloat16(static_cast<unsigned short>(a.__x ^ 0x8000));
}
BF16 __hip_bfloat162 __hneg2(__hip_bfloat162 a) { return {__hneg(a.x), __hneg(a.y)}; }
BF16 __hip_bfloat16 __habs(__hip_bfloat16 a) {
  return __ushort_as_bfloat16(static_cast<unsigned short>(a.__x & 0x7fff));
}
BF16 __hip_bfloat162 __habs2(__hip_bfloat162 a) { return {__habs(a.x), __habs(a.y)}; }
BF16 __hip_bfloat16 __hmax(__hip_bfloat16 a, __hip_bfloat16 b) { return __builtin_fmaxf(a, b); }
BF16 __hip_bfloat16 __hmin(__hip_bfloat16 a, __hip_bfloat16 b) { return __builtin_fminf(a, b); }
BF16 __hip_bfloat162 __hmax2(__hip_bfloat162 a, __hip_bfloat162 b) {
  return {__hmax(a.x, b.x), __hmax(a.y, b.y)};
}
BF16 __hip_bfloat162 __hmin2(__hip_bfloat162 a, __hip_bfloat162 b) {
  return {__hmin(a.x, b.x), __hmin(a.y, b.y)};
}
BF16 bool __hisnan(__hip_bfloat16 a) { return (a.__x & 0x7fff) > 0x7f80; }
BF16 int __hisinf(__hip_bfloat16 a) { return a.__x == 0x7f80 ? 1 : a.__x == 0xff80 ? -1 : 0; }
BF16 __hip_bfloat162 __hisnan2(__hip_bfloat162 a) {
  return {__hisnan(a.x) ? 1.0f : 0.0f, __hisnan(a.y) ? 1.0f : 0.0f};
}

// Comparisons; the forms with u are also true when an operand is a NaN.
BF16 bool __heq(__hip_bfloat16 a, __hip_bfloat16 b) { return float(a) == float(b); }
BF16 bool __hbeq2(__hip_bfloat162 a, __hip_bfloat162 b) {
  return __heq(a.x, b.x) && __heq(a.y, b.y);
}
BF16 __hip_bfloat162 __heq2(__hip_bfloat162 a, __hip_bfloat162 b) {
  return {__heq(a.x, b.x) ? 1.0f : 0.0f, __heq(a.y, b.y) ? 1.0f : 0.0f};
}
BF16 bool __hequ(__hip_bfloat16 a, __hip_bfloat16 b) {
  return !(float(a) < float(b) || float(a) > float(b));
}
BF16 bool __hbequ2(__hip_bfloat162 a, __hip_bfloat162 b) {
  return __hequ(a.x, b.x) && __hequ(a.y, b.y);
}
BF16 __hip_bfloat162 __hequ2(__hip_bfloat162 a, __hip_bfloat162 b) {
  return {__hequ(a.x, b.x) ? 1.0f : 0.0f, __hequ(a.y, b.y) ? 1.0f : 0.0f};
}
BF16 bool __hne(__hip_bfloat16 a, __hip_bfloat16 b) {
  return float(a) < float(b) || float(a) > float(b);
}
BF16 bool __hbne2(__hip_bfloat162 a, __hip_bfloat162 b) {
  return __hne(a.x, b.x) && __hne(a.y, b.y);
}
BF16 __hip_bfloat162 __hne2(__hip_bfloat162 a, __hip_bfloat162 b) {
  return {__hne(a.x, b.x) ? 1.0f : 0.0f, __hne(a.y, b.y) ? 1.0f : 0.0f};
}
BF16 bool __hneu(__hip_bfloat16 a, __hip_bfloat16 b) { return float(a) != float(b); }
BF16 bool __hbneu2(__hip_bfloat162 a, __hip_bfloat162 b) {
  return __hneu(a.x, b.x) && __hneu(a.y, b.y);
}
BF16 __hip_bfloat162 __hneu2(__hip_bfloat162 a, __hip_bfloat162 b) {
  return {__hneu(a.x, b.x) ? 1.0f : 0.0f, __hneu(a.y, b.y) ? 1.0f : 0.0f};
}
BF16 bool __hlt(__hip_bfloat16 a, __hip_bfloat16 b) { return float(a) < float(b); }
BF16 bool __hblt2(__hip_bfloat162 a, __hip_bfloat162 b) {
  return __hlt(a.x, b.x) && __hlt(a.y, b.y);
}
BF16 __hip_bfloat162 __hlt2(__hip_bfloat162 a, __hip_bfloat162 b) {
  return {__hlt(a.x, b.x) ? 1.0f : 0.0f, __hlt(a.y, b.y) ? 1.0f : 0.0f};
}
BF16 bool __hltu(__hip_bfloat16 a, __hip_bfloat16 b) { return !(float(a) >= float(b)); }
BF16 bool __hbltu2(__hip_bfloat162 a, __hip_bfloat162 b) {
  return __hltu(a.x, b.x) && __hltu(a.y, b.y);
}
BF16 __hip_bfloat162 __hltu2(__hip_bfloat162 a, __hip_bfloat162 b) {
  return {__hltu(a.x, b.x) ? 1.0f : 0.0f, __hltu(a.y, b.y) ? 1.0f : 0.0f};
}
BF16 bool __hle(__hip_bfloat16 a, __hip_bfloat16 b) { return float(a) <= float(b); }
BF16 bool __hble2(__hip_bfloat162 a, __hip_bfloat162 b) {
  return __hle(a.x, b.x) && __hle(a.y, b.y);
}
BF16 __hip_bfloat162 __hle2(__hip_bfloat162 a, __hip_bfloat162 b) {
  return {__hle(a.x, b.x) ? 1.0f : 0.0f, __hle(a.y, b.y) ? 1.0f : 0.0f};
}
BF16 bool __hleu(__hip_bfloat16 a, __hip_bfloat16 b) { return !(float(a) > float(b)); }
BF16 bool __hbleu2(__hip_bfloat162 a, __hip_bfloat162 b) {
  return __hleu(a.x, b.x) && __hleu(a.y, b.y);
}
BF16 __hip_bfloat162 __hleu2(__hip_bfloat162 a, __hip_bfloat162 b) {
  return {__hleu(a.x, b.x) ? 1.0f : 0.0f, __hleu(a.y, b.y) ? 1.0f : 0.0f};
}
BF16 bool __hgt(__hip_bfloat16 a, __hip_bfloat16 b) { return float(a) > float(b); }
BF16 bool __hbgt2(__hip_bfloat162 a, __hip_bfloat162 b) {
  return __hgt(a.x, b.x) && __hgt(a.y, b.y);
}
BF16 __hip_bfloat162 __hgt2(__hip_bfloat162 a, __hip_bfloat162 b) {
  return {__hgt(a.x, b.x) ? 1.0f : 0.0f, __hgt(a.y, b.y) ? 1.0f : 0.0f};
}
BF16 bool __hgtu(__hip_bfloat16 a, __hip_bfloat16 b) { return !(float(a) <= float(b)); }
BF16 bool __hbgtu2(__hip_bfloat162 a, __hip_bfloat162 b) {
  return __hgtu(a.x, b.x) && __hgtu(a.y, b.y);
}
BF16 __hip_bfloat162 __hgtu2(__hip_bfloat162 a, __hip_bfloat162 b) {
  return {__hgtu(a.x, b.x) ? 1.0f : 0.0f, __hgtu(a.y, b.y) ? 1.0f : 0.0f};
}
BF16 bool __hge(__hip_bfloat16 a, __hip_bfloat16 b) { return float(a) >= float(b); }
BF16 bool __hbge2(__hip_bfloat162 a, __hip_bfloat162 b) {
  return __hge(a.x, b.x) && __hge(a.y, b.y);
}
BF16 __hip_bfloat162 __hge2(__hip_bfloat162 a, __hip_bfloat162 b) {
  return {__hge(a.x, b.x) ? 1.0f : 0.0f, __hge(a.y, b.y) ? 1.0f : 0.0f};
}
BF16 bool __hgeu(__hip_bfloat16 a, __hip_bfloat16 b) { return !(float(a) < float(b)); }
BF16 bool __hbgeu2(__hip_bfloat162 a, __hip_bfloat162 b) {
  return __hgeu(a.x, b.x) && __hgeu(a.y, b.y);
}
BF16 __hip_bfloat162 __hgeu2(__hip_bfloat162 a, __hip_bfloat162 b) {
  return {__hgeu(a.x, b.x) ? 1.0f : 0.0f, __hgeu(a.y, b.y) ? 1.0f : 0.0f};
}

// Operators.
BF16 __hip_bfloat16 operator+(__hip_bfloat16 a, __hip_bfloat16 b) { return __hadd(a, b); }
BF16 __hip_bfloat16& operator+=(__hip_bfloat16& a, __hip_bfloat16 b) { return a = __hadd(a, b); }
BF16 __hip_bfloat162 operator+(__hip_bfloat162 a, __hip_bfloat162 b) { return __hadd2(a, b); }
BF16 __hip_bfloat162& operator+=(__hip_bfloat162& a, __hip_bfloat162 b) {
  return a = __hadd2(a, b);
}
BF16 __hip_bfloat16 operator-(__hip_bfloat16 a, __hip_bfloat16 b) { return __hsub(a, b); }
BF16 __hip_bfloat16& operator-=(__hip_bfloat16& a, __hip_bfloat16 b) { return a = __hsub(a, b); }
BF16 __hip_bfloat162 operator-(__hip_bfloat162 a, __hip_bfloat162 b) { return __hsub2(a, b); }
BF16 __hip_bfloat162& operator-=(__hip_bfloat162& a, __hip_bfloat162 b) {
  return a = __hsub2(a, b);
}
BF16 __hip_bfloat16 operator*(__hip_bfloat16 a, __hip_bfloat16 b) { return __hmul(a, b); }
BF16 __hip_bfloat16& operator*=(__hip_bfloat16& a, __hip_bfloat16 b) { return a = __hmul(a, b); }
BF16 __hip_bfloat162 operator*(__hip_bfloat162 a, __hip_bfloat162 b) { return __hmul2(a, b); }
BF16 __hip_bfloat162& operator*=(__hip_bfloat162& a, __hip_bfloat162 b) {
  return a = __hmul2(a, b);
}
BF16 __hip_bfloat16 operator/(__hip_bfloat16 a, __hip_bfloat16 b) { return __hdiv(a, b); }
BF16 __hip_bfloat16& operator/=(__hip_bfloat16& a, __hip_bfloat16 b) { return a = __hdiv(a, b); }
BF16 __hip_bfloat162 operator/(__hip_bfloat162 a, __hip_bfloat162 b) { return __h2div(a, b); }
BF16 __hip_bfloat162& operator/=(__hip_bfloat162& a, __hip_bfloat162 b) {
  return a = __h2div(a, b);
}
BF16 __hip_bfloat16 operator-(__hip_bfloat16 a) { return __hneg(a); }
BF16 __hip_bfloat16 operator+(__hip_bfloat16 a) { return a; }
BF16 __hip_bfloat162 operator-(__hip_bfloat162 a) { return __hneg2(a); }
BF16 __hip_bfloat162 operator+(__hip_bfloat162 a) { return a; }
BF16 bool operator==(__hip_bfloat16 a, __hip_bfloat16 b) { return float(a) == float(b); }
BF16 bool operator!=(__hip_bfloat16 a, __hip_bfloat16 b) { return float(a) != float(b); }
BF16 bool operator<(__hip_bfloat16 a, __hip_bfloat16 b) { return float(a) < float(b); }
BF16 bool operator<=(__hip_bfloat16 a, __hip_bfloat16 b) { return float(a) <= float(b); }
BF16 bool operator>(__hip_bfloat16 a, __hip_bfloat16 b) { return float(a) > float(b); }
BF16 bool operator>=(__hip_bfloat16 a, __hip_bfloat16 b) { return float(a) >= float(b); }

#pragma push_macro("BF16_MATH")
#define BF16_MATH static __device__ inline
BF16_MATH __hip_bfloat16 hceil(__hip_bfloat16 a) { return ceilf(a); }
BF16_MATH __hip_bfloat162 h2ceil(__hip_bfloat162 a) { return {ceilf(a.x), ceilf(a.y)}; }
BF16_MATH __hip_bfloat16 hfloor(__hip_bfloat16 a) { return floorf(a); }
BF16_MATH __hip_bfloat162 h2floor(__hip_bfloat162 a) { return {floorf(a.x), floorf(a.y)}; }
BF16_MATH __hip_bfloat16 htrunc(__hip_bfloat16 a) { return truncf(a); }
BF16_MATH __hip_bfloat162 h2trunc(__hip_bfloat162 a) { return {truncf(a.x), truncf(a.y)}; }
BF16_MATH __hip_bfloat16 hrint(__hip_bfloat16 a) { return rintf(a); }
BF16_MATH __hip_bfloat162 h2rint(__hip_bfloat162 a) { return {rintf(a.x), rintf(a.y)}; }
BF16_MATH __hip_bfloat16 hcos(__hip_bfloat16 a) { return cosf(a); }
BF16_MATH __hip_bfloat162 h2cos(__hip_bfloat162 a) { return {cosf(a.x), cosf(a.y)}; }
BF16_MATH __hip_bfloat16 hsin(__hip_bfloat16 a) { return sinf(a); }
BF16_MATH __hip_bfloat162 h2sin(__hip_bfloat162 a) { return {sinf(a.x), sinf(a.y)}; }
BF16_MATH __hip_bfloat16 hexp(__hip_bfloat16 a) { return expf(a); }
BF16_MATH __hip_bfloat162 h2exp(__hip_bfloat162 a) { return {expf(a.x), expf(a.y)}; }
BF16_MATH __hip_bfloat16 hexp2(__hip_bfloat16 a) { return exp2f(a); }
BF16_MATH __hip_bfloat162 h2exp2(__hip_bfloat162 a) { return {exp2f(a.x), exp2f(a.y)}; }
BF16_MATH __hip_bfloat16 hexp10(__hip_bfloat16 a) { return exp10f(a); }
BF16_MATH __hip_bfloat162 h2exp10(__hip_bfloat162 a) { return {exp10f(a.x), exp10f(a.y)}; }
BF16_MATH __hip_bfloat16 hlog(__hip_bfloat16 a) { return logf(a); }
BF16_MATH __hip_bfloat162 h2log(__hip_bfloat162 a) { return {logf(a.x), logf(a.y)}; }
BF16_MATH __hip_bfloat16 hlog2(__hip_bfloat16 a) { return log2f(a); }
BF16_MATH __hip_bfloat162 h2log2(__hip_bfloat162 a) { return {log2f(a.x), log2f(a.y)}; }
BF16_MATH __hip_bfloat16 hlog10(__hip_bfloat16 a) { return log10f(a); }
BF16_MATH __hip_bfloat162 h2log10(__hip_bfloat162 a) { return {log10f(a.x), log10f(a.y)}; }
BF16_MATH __hip_bfloat16 hsqrt(__hip_bfloat16 a) { return sqrtf(a); }
BF16_MATH __hip_bfloat162 h2sqrt(__hip_bfloat162 a) { return {sqrtf(a.x), sqrtf(a.y)}; }
BF16_MATH __hip_bfloat16 hrsqrt(__hip_bfloat16 a) { return rsqrtf(a); }
BF16_MATH __hip_bfloat162 h2rsqrt(__hip_bfloat162 a) { return {rsqrtf(a.x), rsqrtf(a.y)}; }
BF16_MATH __hip_bfloat16 hrcp(__hip_bfloat16 a) { return 1.0f / float(a); }
BF16_MATH __hip_bfloat162 h2rcp(__hip_bfloat162 a) { return {hrcp(a.x), hrcp(a.y)}; }

// Shuffles move the bits.
BF16_MATH __hip_bfloat16 __shfl(__hip_bfloat16 a, int lane, int width = warpSize) {
  return __ushort_as_bfloat16(static_cast<unsigned short>(__shfl(int(a.__x), lane, width)));
}
BF16_MATH __hip_bfloat162 __shfl(__hip_bfloat162 a, int lane, int width = warpSize) {
  return {__shfl(a.x, lane, width), __shfl(a.y, lane, width)};
}
BF16_MATH __hip_bfloat16 __shfl_up(__hip_bfloat16 a, unsigned delta, int width = warpSize) {
  return __ushort_as_bfloat16(static_cast<unsigned short>(__shfl_up(int(a.__x), delta, width)));
}
BF16_MATH __hip_bfloat162 __shfl_up(__hip_bfloat162 a, unsigned delta, int width = warpSize) {
  return {__shfl_up(a.x, delta, width), __shfl_up(a.y, delta, width)};
}
BF16_MATH __hip_bfloat16 __shfl_down(__hip_bfloat16 a, unsigned delta, int width = warpSize) {
  return __ushort_as_bfloat16(static_cast<unsigned short>(__shfl_down(int(a.__x), delta, width)));
}
BF16_MATH __hip_bfloat162 __shfl_down(__hip_bfloat162 a, unsigned delta, int width = warpSize) {
  return {__shfl_down(a.x, delta, width), __shfl_down(a.y, delta, width)};
}
BF16_MATH __hip_bfloat16 __shfl_xor(__hip_bfloat16 a, int lane_mask, int width = warpSize) {
  return __ushort_as_bfloat16(
      static_cast<unsigned short>(__shfl_xor(int(a.__x), lane_mask, width)));
}
BF16_MATH __hip_bfloat162 __shfl_xor(__hip_bfloat162 a, int lane_mask, int width = warpSize) {
  return {__shfl_xor(a.x, lane_mask, width), __shfl_xor(a.y, lane_mask, width)};
}

// Atomic addition of a pair, by compare and swap: no target of HIP 5 has the instruction.
BF16_MATH __hip_bfloat162 unsafeAtomicAdd(__hip_bfloat162* address, __hip_bfloat162 value) {
  unsigned* word = reinterpret_cast<unsigned*>(address);
  unsigned old = __hip_atomic_load(word, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  for (;;) {
    __hip_bfloat162 current;
    memcpy(&current, &old, 4);
    const __hip_bfloat162 sum = __hadd2(current, value);
    unsigned wanted;
    memcpy(&wanted, &sum, 4);
    if (__hip_atomic_compare_exchange_strong(word, &old, wanted, __ATOMIC_RELAXED, __ATOMIC_RELAXED,
                                             __HIP_MEMORY_SCOPE_AGENT)) {
      return current;
    }
  }
}
BF16_MATH __hip_bfloat162 atomicAdd(__hip_bfloat162* address, __hip_bfloat162 value) {
  return unsafeAtomicAdd(address, value);
}

#undef BF16_MATH
#pragma pop_macro("BF16_MATH")
