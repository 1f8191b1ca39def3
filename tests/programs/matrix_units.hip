// Matrix products by the compiler's builtins: one wave computes a tile of D = A * B, of small
// integers, which every element type holds exactly.
#include "common/check.hpp"

#include <string>

template <class T, int n>
using Vector = T __attribute__((ext_vector_type(n)));

/// f16, 16x16x16: four elements of A and B in each lane, four rows of D.
struct Half16 {
  static constexpr int kSize = 16, kDepth = 16, kPerLane = 4, kRows = 4;
  using Element = _Float16;
  using Sum = float;
  static Element from(int value) { return static_cast<Element>(value); }
  static __device__ int row(int r, int lane) { return 4 * (lane / 16) + r; }
  static __device__ void multiply(Vector<Element, 4> a, Vector<Element, 4> b, Vector<Sum, 4>& d) {
    d = __builtin_amdgcn_mfma_f32_16x16x16f16(a, b, d, 0, 0, 0);
  }
};

struct Half32 {
  static constexpr int kSize = 32, kDepth = 8, kPerLane = 4, kRows = 16;
  using Element = _Float16;
  using Sum = float;
  static Element from(int value) { return static_cast<Element>(value); }
  static __device__ int row(int r, int lane) { return 8 * (r / 4) + 4 * (lane / 32) + r % 4; }
  static __device__ void multiply(Vector<Element, 4> a, Vector<Element, 4> b, Vector<Sum, 16>& d) {
    d = __builtin_amdgcn_mfma_f32_32x32x8f16(a, b, d, 0, 0, 0);
  }
};

/// bf16 as the upper half of an f32.
struct Bfloat16 {
  static constexpr int kSize = 16, kDepth = 16, kPerLane = 4, kRows = 4;
  using Element = short;
  using Sum = float;
  static Element from(int value) {
    return static_cast<short>(__builtin_bit_cast(unsigned, static_cast<float>(value)) >> 16);
  }
  static __device__ int row(int r, int lane) { return 4 * (lane / 16) + r; }
  static __device__ void multiply(Vector<Element, 4> a, Vector<Element, 4> b, Vector<Sum, 4>& d) {
    d = __builtin_amdgcn_mfma_f32_16x16x16bf16_1k(a, b, d, 0, 0, 0);
  }
};

struct Single32 {
  static constexpr int kSize = 32, kDepth = 2, kPerLane = 1, kRows = 16;
  using Element = float;
  using Sum = float;
  static Element from(int value) { return static_cast<Element>(value); }
  static __device__ int row(int r, int lane) { return 8 * (r / 4) + 4 * (lane / 32) + r % 4; }
  static __device__ void multiply(Vector<Element, 1> a, Vector<Element, 1> b, Vector<Sum, 16>& d) {
    d = __builtin_amdgcn_mfma_f32_32x32x2f32(a.x, b.x, d, 0, 0, 0);
  }
};

struct Double16 {
  static constexpr int kSize = 16, kDepth = 4, kPerLane = 1, kRows = 4;
  using Element = double;
  using Sum = double;
  static Element from(int value) { return value; }
  static __device__ int row(int r, int lane) { return 4 * r + lane / 16; }
  static __device__ void multiply(Vector<Element, 1> a, Vector<Element, 1> b, Vector<Sum, 4>& d) {
    d = __builtin_amdgcn_mfma_f64_16x16x4f64(a.x, b.x, d, 0, 0, 0);
  }
};

/// Signed bytes: gfx942 takes eight in each lane, gfx90a four.
struct Byte16 {
#if defined(__gfx942__)
  static constexpr int kDepth = 32, kPerLane = 8;
#else
  static constexpr int kDepth = 16, kPerLane = 4;
#endif
  static constexpr int kSize = 16, kRows = 4;
  using Element = signed char;
  using Sum = int;
  static Element from(int value) { return static_cast<Element>(value); }
  static __device__ int row(int r, int lane) { return 4 * (lane / 16) + r; }
  static __device__ void multiply(Vector<Element, kPerLane> a, Vector<Element, kPerLane> b,
                                  Vector<Sum, 4>& d) {
#if defined(__gfx942__)
    d = __builtin_amdgcn_mfma_i32_16x16x32_i8(__builtin_bit_cast(long, a),
                                              __builtin_bit_cast(long, b), d, 0, 0, 0);
#else
    d = __builtin_amdgcn_mfma_i32_16x16x16i8(__builtin_bit_cast(int, a),
                                             __builtin_bit_cast(int, b), d, 0, 0, 0);
#endif
  }
};

/// fp8 (E4M3, bias 8), on gfx942 only.
struct Float8 {
  static constexpr int kSize = 16, kDepth = 32, kPerLane = 8, kRows = 4;
  using Element = unsigned char;
  using Sum = float;
  static Element from(int value) {
    constexpr Element kMagnitudes[] = {0x00, 0x40, 0x48, 0x4c, 0x50};
    return static_cast<Element>(value < 0 ? kMagnitudes[-value] | 0x80 : kMagnitudes[value]);
  }
  static __device__ int row(int r, int lane) { return 4 * (lane / 16) + r; }
  static __device__ void multiply(Vector<Element, 8> a, Vector<Element, 8> b, Vector<Sum, 4>& d) {
#if defined(__gfx942__)
    d = __builtin_amdgcn_mfma_f32_16x16x32_fp8_fp8(__builtin_bit_cast(long, a),
                                                   __builtin_bit_cast(long, b), d, 0, 0, 0);
#endif
  }
};

/// Each wave has a tile; A is n x n by rows, B by rows too.
template <class Unit>
__global__ void product(const typename Unit::Element* a, const typename Unit::Element* b,
                        typename Unit::Sum* d, int n) {
  constexpr int kSize = Unit::kSize, kPerLane = Unit::kPerLane;
  const int lane = threadIdx.x, line = lane % kSize, group = lane / kSize;
  const int top = blockIdx.y * kSize, left = blockIdx.x * kSize;
  Vector<typename Unit::Sum, Unit::kRows> sum = 0;
  for (int depth = 0; depth < n; depth += Unit::kDepth) {
    Vector<typename Unit::Element, kPerLane> x, y;
    for (int e = 0; e < kPerLane; ++e) {
      const int k = depth + group * kPerLane + e;
      x[e] = a[(top + line) * n + k];
      y[e] = b[k * n + left + line];
    }
    Unit::multiply(x, y, sum);
  }
  for (int r = 0; r < Unit::kRows; ++r) d[(top + Unit::row(r, lane)) * n + left + line] = sum[r];
}

template <class Unit>
static bool multiplies(int n) {
  std::vector<int> a(n * n), b(n * n);
  unsigned state = 1;
  for (size_t i = 0; i < a.size(); ++i) {
    a[i] = static_cast<int>((state = state * 1664525u + 1013904223u) >> 29) - 4;
    b[i] = static_cast<int>((state = state * 1664525u + 1013904223u) >> 29) - 3;
  }
  std::vector<typename Unit::Element> x, y;
  for (int value : a) x.push_back(Unit::from(value));
  for (int value : b) y.push_back(Unit::from(value));
  const example::DeviceArray<typename Unit::Element> device_x(x), device_y(y);
  example::DeviceArray<typename Unit::Sum> device_d(a.size());
  product<Unit><<<dim3(n / Unit::kSize, n / Unit::kSize), 64>>>(device_x.data(), device_y.data(),
                                                               device_d.data(), n);
  example::finish_kernel();
  const std::vector<typename Unit::Sum> d = device_d.read();
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      int sum = 0;
      for (int k = 0; k < n; ++k) sum += a[i * n + k] * b[k * n + j];
      if (d[i * n + j] == static_cast<typename Unit::Sum>(sum)) continue;
      std::printf("D[%d][%d] is wrong\n", i, j);
      return false;
    }
  }
  return true;
}

/// A tile of a 4:2 sparse A: of each four neighbours, lane l keeps the pair kPairs[l % 6].
constexpr int kPairs[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};

__global__ void sparse_product(const _Float16* a, const _Float16* b, float* d) {
  const int lane = threadIdx.x, line = lane % 16, group = lane / 16;
  Vector<_Float16, 4> x;
  Vector<_Float16, 8> y;
  Vector<float, 4> sum = 0;
  const int first = kPairs[line % 6][0], second = kPairs[line % 6][1];
  for (int four = 0; four < 2; ++four) {
    x[2 * four] = a[line * 32 + group * 8 + four * 4 + first];
    x[2 * four + 1] = a[line * 32 + group * 8 + four * 4 + second];
  }
  for (int e = 0; e < 8; ++e) y[e] = b[(group * 8 + e) * 16 + line];
#if defined(__gfx942__)
  const int index = (first | second << 2) * 0x11;  // the same pair for both fours
  sum = __builtin_amdgcn_smfmac_f32_16x16x32_f16(x, y, sum, index << 8, 0, 1);
#endif
  for (int r = 0; r < 4; ++r) d[(4 * group + r) * 16 + line] = sum[r];
}

static bool multiplies_sparse() {
  std::vector<_Float16> a(16 * 32), b(32 * 16);
  for (int i = 0; i < 16; ++i) {
    for (int k = 0; k < 32; ++k) {
      const bool kept = k % 4 == kPairs[i % 6][0] || k % 4 == kPairs[i % 6][1];
      a[i * 32 + k] = static_cast<_Float16>(kept ? (i * 5 + k * 3) % 9 - 4 : 0);
      b[k * 16 + i] = static_cast<_Float16>((k * 7 + i) % 11 - 5);
    }
  }
  const example::DeviceArray<_Float16> device_a(a), device_b(b);
  example::DeviceArray<float> device_d(256);
  sparse_product<<<1, 64>>>(device_a.data(), device_b.data(), device_d.data());
  example::finish_kernel();
  const std::vector<float> d = device_d.read();
  for (int at = 0; at < 256; ++at) {
    float sum = 0;
    for (int k = 0; k < 32; ++k) {
      sum += static_cast<float>(a[at / 16 * 32 + k]) * static_cast<float>(b[k * 16 + at % 16]);
    }
    if (d[at] == sum) continue;
    std::printf("D[%d][%d] is wrong\n", at / 16, at % 16);
    return false;
  }
  return true;
}

/// Sixteen 4x4 blocks in one instruction; CBSZ and ABID feed block 1 of each four to all of them.
__global__ void blocks(float* d) {
  const int lane = threadIdx.x;
  const Vector<float, 4> c = 1;
  const auto sum = __builtin_amdgcn_mfma_f32_4x4x1f32(static_cast<float>(lane), 2.0f, c, 2, 1, 0);
  for (int r = 0; r < 4; ++r) d[4 * lane + r] = sum[r];
}

static bool broadcasts_blocks() {
  example::DeviceArray<float> device_d(256);
  blocks<<<1, 64>>>(device_d.data());
  example::finish_kernel();
  const std::vector<float> d = device_d.read();
  for (int at = 0; at < 256; ++at) {
    const int block = at / 4 / 4, source = block / 4 * 4 + 1;
    if (d[at] != static_cast<float>(1 + 2 * (4 * source + at % 4))) return false;
  }
  return true;
}

int main() {
  hipDeviceProp_t properties;
  HIP_CHECK(hipGetDeviceProperties(&properties, 0));
  const bool cdna3 = std::string(properties.gcnArchName).rfind("gfx942", 0) == 0;
  bool ok = example::line("f16 16x16x16", multiplies<Half16>(64));
  ok = example::line("f16 32x32x8", multiplies<Half32>(64)) && ok;
  ok = example::line("bf16 16x16x16", multiplies<Bfloat16>(64)) && ok;
  ok = example::line("f32 32x32x2", multiplies<Single32>(64)) && ok;
  ok = example::line("f64 16x16x4", multiplies<Double16>(64)) && ok;
  ok = example::line("i8", multiplies<Byte16>(64)) && ok;
  ok = example::line("broadcast blocks", broadcasts_blocks()) && ok;
  if (cdna3) {
    ok = example::line("fp8 16x16x32", multiplies<Float8>(64)) && ok;
    ok = example::line("sparse f16 16x16x32", multiplies_sparse()) && ok;
  }
  return example::verdict(ok);
}
