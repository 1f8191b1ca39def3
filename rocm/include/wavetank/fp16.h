// Half precision that HIP 6 has and HIP 5 lacks: shuffles, minimum and maximum, atomic addition of
// a pair, and arithmetic on the host.
#pragma once

static __device__ inline __half __shfl(__half value, int lane, int width = warpSize) {
  unsigned short bits;
  __builtin_memcpy(&bits, &value, sizeof(bits));
  bits = static_cast<unsigned short>(__shfl(static_cast<unsigned>(bits), lane, width));
  __builtin_memcpy(&value, &bits, sizeof(bits));
  return value;
}
static __device__ inline __half2 __shfl(__half2 value, int lane, int width = warpSize) {
  unsigned bits;
  __builtin_memcpy(&bits, &value, sizeof(bits));
  bits = static_cast<unsigned>(__shfl(static_cast<unsigned>(bits), lane, width));
  __builtin_memcpy(&value, &bits, sizeof(bits));
  return value;
}
static __device__ inline __half __shfl_up(__half value, unsigned delta, int width = warpSize) {
  unsigned short bits;
  __builtin_memcpy(&bits, &value, sizeof(bits));
  bits = static_cast<unsigned short>(__shfl_up(static_cast<unsigned>(bits), delta, width));
  __builtin_memcpy(&value, &bits, sizeof(bits));
  return value;
}
static __device__ inline __half2 __shfl_up(__half2 value, unsigned delta, int width = warpSize) {
  unsigned bits;
  __builtin_memcpy(&bits, &value, sizeof(bits));
  bits = static_cast<unsigned>(__shfl_up(static_cast<unsigned>(bits), delta, width));
  __builtin_memcpy(&value, &bits, sizeof(bits));
  return value;
}
static __device__ inline __half __shfl_down(__half value, unsigned delta, int width = warpSize) {
  unsigned short bits;
  __builtin_memcpy(&bits, &value, sizeof(bits));
  bits = static_cast<unsigned short>(__shfl_down(static_cast<unsigned>(bits), delta, width));
  __builtin_memcpy(&value, &bits, sizeof(bits));
  return value;
}
static __device__ inline __half2 __shfl_down(__half2 value, unsigned delta, int width = warpSize) {
  unsigned bits;
  __builtin_memcpy(&bits, &value, sizeof(bits));
  bits = static_cast<unsigned>(__shfl_down(static_cast<unsigned>(bits), delta, width));
  __builtin_memcpy(&value, &bits, sizeof(bits));
  return value;
}
static __device__ inline __half __shfl_xor(__half value, int lane_mask, int width = warpSize) {
  unsigned short bits;
  __builtin_memcpy(&bits, &value, sizeof(bits));
  bits = static_cast<unsigned short>(__shfl_xor(static_cast<unsigned>(bits), lane_mask, width));
  __builtin_memcpy(&value, &bits, sizeof(bits));
  return value;
}
static __device__ inline __half2 __shfl_xor(__half2 value, int lane_mask, int width = warpSize) {
  unsigned bits;
  __builtin_memcpy(&bits, &value, sizeof(bits));
  bits = static_cast<unsigned>(__shfl_xor(static_cast<unsigned>(bits), lane_mask, width));
  __builtin_memcpy(&value, &bits, sizeof(bits));
  return value;
}

static __device__ inline __half __hmax(__half a, __half b) {
  return __float2half(__builtin_fmaxf(__half2float(a), __half2float(b)));
}
static __device__ inline __half2 __hmax2(__half2 a, __half2 b) {
  return __halves2half2(__hmax(__low2half(a), __low2half(b)),
                        __hmax(__high2half(a), __high2half(b)));
}
static __device__ inline __half __hmin(__half a, __half b) {
  return __float2half(__builtin_fminf(__half2float(a), __half2float(b)));
}
static __device__ inline __half2 __hmin2(__half2 a, __half2 b) {
  return __halves2half2(__hmin(__low2half(a), __low2half(b)),
                        __hmin(__high2half(a), __high2half(b)));
}

static __device__ inline __half2 unsafeAtomicAdd(__half2* address, __half2 value) {
  unsigned* word = reinterpret_cast<unsigned*>(address);
  unsigned old = __hip_atomic_load(word, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  for (;;) {
    __half2 current;
    __builtin_memcpy(&current, &old, 4);
    const __half2 sum = __hadd2(current, value);
    unsigned wanted;
    __builtin_memcpy(&wanted, &sum, 4);
    if (__hip_atomic_compare_exchange_strong(word, &old, wanted, __ATOMIC_RELAXED, __ATOMIC_RELAXED,
                                             __HIP_MEMORY_SCOPE_AGENT)) {
      return current;
    }
  }
}

#if !defined(__HIPCC_RTC__)
// On the host HIP 5 only converts. These are chosen there; device code keeps the header's own.
static __host__ inline __half operator+(const __half& a, const __half& b) {
  return __float2half(__half2float(a) + __half2float(b));
}
static __host__ inline __half& operator+=(__half& a, const __half& b) { return a = a + b; }
static __host__ inline __half operator-(const __half& a, const __half& b) {
  return __float2half(__half2float(a) - __half2float(b));
}
static __host__ inline __half& operator-=(__half& a, const __half& b) { return a = a - b; }
static __host__ inline __half operator*(const __half& a, const __half& b) {
  return __float2half(__half2float(a) * __half2float(b));
}
static __host__ inline __half& operator*=(__half& a, const __half& b) { return a = a * b; }
static __host__ inline __half operator/(const __half& a, const __half& b) {
  return __float2half(__half2float(a) / __half2float(b));
}
static __host__ inline __half& operator/=(__half& a, const __half& b) { return a = a / b; }
static __host__ inline __half operator-(const __half& a) { return __float2half(-__half2float(a)); }
static __host__ inline bool operator==(const __half& a, const __half& b) {
  return __half2float(a) == __half2float(b);
}
static __host__ inline bool operator!=(const __half& a, const __half& b) {
  return __half2float(a) != __half2float(b);
}
static __host__ inline bool operator<(const __half& a, const __half& b) {
  return __half2float(a) < __half2float(b);
}
static __host__ inline bool operator<=(const __half& a, const __half& b) {
  return __half2float(a) <= __half2float(b);
}
static __host__ inline bool operator>(const __half& a, const __half& b) {
  return __half2float(a) > __half2float(b);
}
static __host__ inline bool operator>=(const __half& a, const __half& b) {
  return __half2float(a) >= __half2float(b);
}
#endif  // !defined(__HIPCC_RTC__)
