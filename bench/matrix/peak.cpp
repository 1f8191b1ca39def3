#include "peak.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace wavetank::bench {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Repetitions of one measurement, and measurements of which the best counts.
constexpr int kRepetitions = 200'000, kRounds = 20;

/// Operations per second of run(kRepetitions), which does `each` in one repetition.
template <class Run>
double best_rate(double each, Run run) {
  double best = 0;
  for (int round = 0; round < kRounds; ++round) {
    const auto start = Clock::now();
    run(kRepetitions);
    best = std::max(best, each * kRepetitions / seconds_since(start));
  }
  return best;
}

// Twelve chains: more than latency times throughput of an FMA (8 to 10), few enough for 16
// registers. The compiler cannot see that the factors are 1 and 0, nor that a loop repeats another.
#define WAVETANK_TWELVE(step) \
  step(0) step(1) step(2) step(3) step(4) step(5) step(6) step(7) step(8) step(9) step(10) step(11)
#define WAVETANK_PEAK(NAME, TARGET, T, WIDTH, STEP)                      \
  __attribute__((target(TARGET), noinline)) void NAME(int repetitions) { \
    using V = T __attribute__((vector_size(WIDTH)));                     \
    V x[12] = {};                                                        \
    V a = V{} + T(1), b = V{};                                           \
    asm volatile("" : "+x"(a), "+x"(b));                                 \
    for (int i = 0; i < repetitions; ++i) {                              \
      WAVETANK_TWELVE(STEP)                                              \
    }                                                                    \
    for (V & value : x) asm volatile("" : "+x"(value));                  \
  }
#define WAVETANK_FMA_PS(n) asm volatile("vfmadd231ps %1, %2, %0" : "+v"(x[n]) : "v"(a), "v"(b));
#define WAVETANK_FMA_PD(n) asm volatile("vfmadd231pd %1, %2, %0" : "+v"(x[n]) : "v"(a), "v"(b));
#define WAVETANK_MUL_ADD(n) x[n] = x[n] * a + b;

WAVETANK_PEAK(f32_avx512, "avx512f", float, 64, WAVETANK_FMA_PS)
WAVETANK_PEAK(f64_avx512, "avx512f", double, 64, WAVETANK_FMA_PD)
WAVETANK_PEAK(f32_avx2, "avx2,fma", float, 32, WAVETANK_FMA_PS)
WAVETANK_PEAK(f64_avx2, "avx2,fma", double, 32, WAVETANK_FMA_PD)
WAVETANK_PEAK(f32_sse4, "sse4.1", float, 16, WAVETANK_MUL_ADD)
WAVETANK_PEAK(f64_sse4, "sse4.1", double, 16, WAVETANK_MUL_ADD)

/// Adds 1 to 4 KiB, as large as C and D of a 32x32 product, in place.
#define WAVETANK_THROUGH(NAME, TARGET, WIDTH)                            \
  __attribute__((target(TARGET), noinline)) void NAME(int repetitions) { \
    using V = float __attribute__((vector_size(WIDTH)));                 \
    alignas(64) static V data[4096 / WIDTH];                             \
    for (int i = 0; i < repetitions; ++i) {                              \
      for (V & value : data) value = value + 1.0f;                       \
      asm volatile("" ::: "memory");                                     \
    }                                                                    \
  }
WAVETANK_THROUGH(through_avx512, "avx512f", 64)
WAVETANK_THROUGH(through_avx2, "avx2", 32)
WAVETANK_THROUGH(through_sse4, "sse4.1", 16)

}  // namespace

HostPeak measure_peak() {
  const char* asked = std::getenv("WAVETANK_HOST_SIMD");
  const std::string_view name = asked == nullptr ? "" : asked;
  constexpr int kChains = 12;
  const auto all = [&](unsigned width, auto f32, auto f64, auto through) {
    return HostPeak{best_rate(kChains * width / 4 * 2.0, f32),
                    best_rate(kChains * width / 8 * 2.0, f64), best_rate(4096, through)};
  };
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  if (name == "sse4" || !avx2) return all(16, f32_sse4, f64_sse4, through_sse4);
  const bool avx512 = __builtin_cpu_supports("avx512f");
  if (name == "avx2" || !avx512) return all(32, f32_avx2, f64_avx2, through_avx2);
  return all(64, f32_avx512, f64_avx512, through_avx512);
}

}  // namespace wavetank::bench
