// Compiled with -fgpu-flush-denormals-to-zero: f32 denormals are zeros of their sign on the way
// into arithmetic and out of it, in straight code and in loops; bits that are only moved stay.
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "common/check.hpp"

constexpr int kValues = 4096, kResults = 6, kRounds = 9;

__global__ void compute(const float* x, const float* y, float* results, int rounds) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  const float a = x[i], b = y[i];
  float sum = a;
  for (int round = 0; round < rounds; ++round) sum = fmaf(sum, 0.5f, b);
  float* const out = results + kResults * i;
  out[0] = a + b;
  out[1] = a * b;
  out[2] = fmaf(a, b, a);
  out[3] = fmaxf(a, b);
  out[4] = a;
  out[5] = sum;
}

static float flushed(float a) {
  return std::fpclassify(a) == FP_SUBNORMAL ? std::copysign(0.0f, a) : a;
}
static bool same(float got, float want) {
  return std::bit_cast<std::uint32_t>(got) == std::bit_cast<std::uint32_t>(want);
}

int main() {
  std::vector<float> x(kValues), y(kValues);
  std::uint32_t state = 7;
  const auto any = [&] {
    state = state * 1664525 + 1013904223;
    // Exponents around the smallest of normal numbers, and of 1.
    const std::uint32_t exponent =
        (state >> 20 & 1) != 0 ? state >> 21 & 3 : 126 + (state >> 21 & 3);
    return std::bit_cast<float>((state & 0x80000000u) | exponent << 23 | (state >> 3 & 0x7fffff));
  };
  for (int i = 0; i < kValues; ++i) {
    x[i] = any();
    y[i] = any();
  }
  example::DeviceArray<float> first(x), second(y), results(kResults * kValues);
  compute<<<kValues / 256, 256>>>(first.data(), second.data(), results.data(), kRounds);
  example::finish_kernel();
  const std::vector<float> got = results.read();
  bool sums = true, products = true, fused = true, largest = true, moved = true, loops = true;
  for (int i = 0; i < kValues; ++i) {
    const float a = flushed(x[i]), b = flushed(y[i]);
    const float* const of = got.data() + kResults * i;
    float sum = a;
    for (int round = 0; round < kRounds; ++round) sum = flushed(std::fma(flushed(sum), 0.5f, b));
    sums = sums && same(of[0], flushed(a + b));
    products = products && same(of[1], flushed(a * b));
    fused = fused && same(of[2], flushed(std::fma(a, b, a)));
    largest = largest && (same(of[3], std::fmax(a, b)) || (of[3] == 0 && a == 0 && b == 0));
    moved = moved && same(of[4], x[i]);
    loops = loops && same(of[5], sum);
  }
  bool ok = example::line("sums", sums);
  ok = example::line("products", products) && ok;
  ok = example::line("fused", fused) && ok;
  ok = example::line("largest", largest) && ok;
  ok = example::line("moved", moved) && ok;
  ok = example::line("a loop", loops) && ok;
  return example::verdict(ok);
}
