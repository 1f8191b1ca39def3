#include "check/lane_compare.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "machine/wave.hpp"

namespace wavetank::check {
namespace {

using machine::kLanes;

LaneSteps lane_steps_plain(const std::uint32_t* low, const std::uint32_t* high,
                           std::uint32_t bytes) {
  LaneSteps steps;
  for (unsigned lane = 1; lane < kLanes; ++lane) {
    const bool same_high = high == nullptr || high[lane] == high[lane - 1];
    const std::uint32_t step = low[lane] - low[lane - 1];
    steps.follow |= std::uint64_t{same_high && step == bytes} << lane;
    steps.repeat |= std::uint64_t{same_high && step == 0} << lane;
  }
  return steps;
}

std::uint64_t lanes_that_differ_plain(const std::uint32_t* a, const std::uint32_t* b) {
  std::uint64_t lanes = 0;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    lanes |= std::uint64_t{a[lane] != b[lane]} << lane;
  }
  return lanes;
}

#if defined(__x86_64__)

/// For 16 lanes the differences to the lanes before them. The first lane's is to itself; nothing
/// lies before it that could be read.
[[gnu::target("avx512f")]] __m512i steps_of(const std::uint32_t* row, unsigned lane) {
  const __m512i own = _mm512_loadu_si512(row + lane);
  const __m512i before =
      lane == 0 ? _mm512_maskz_loadu_epi32(0xfffe, row - 1) : _mm512_loadu_si512(row + lane - 1);
  return _mm512_sub_epi32(own, before);
}

[[gnu::target("avx512f")]] LaneSteps lane_steps_512(const std::uint32_t* low,
                                                    const std::uint32_t* high,
                                                    std::uint32_t bytes) {
  LaneSteps steps;
  const __m512i wanted = _mm512_set1_epi32(static_cast<int>(bytes));
  for (unsigned lane = 0; lane < kLanes; lane += 16) {
    __mmask16 same_high = 0xffff;
    if (high != nullptr) {
      const __m512i step = steps_of(high, lane);
      same_high = _mm512_testn_epi32_mask(step, step);
    }
    const __m512i step = steps_of(low, lane);
    const __mmask16 follow = _mm512_mask_cmpeq_epi32_mask(same_high, step, wanted);
    const __mmask16 repeat = _mm512_mask_testn_epi32_mask(same_high, step, step);
    steps.follow |= static_cast<std::uint64_t>(follow) << lane;
    steps.repeat |= static_cast<std::uint64_t>(repeat) << lane;
  }
  steps.follow &= ~std::uint64_t{1};
  steps.repeat &= ~std::uint64_t{1};
  return steps;
}

[[gnu::target("avx512f")]] std::uint64_t lanes_that_differ_512(const std::uint32_t* a,
                                                               const std::uint32_t* b) {
  std::uint64_t lanes = 0;
  for (unsigned lane = 0; lane < kLanes; lane += 16) {
    const __mmask16 differ =
        _mm512_cmpneq_epi32_mask(_mm512_loadu_si512(a + lane), _mm512_loadu_si512(b + lane));
    lanes |= static_cast<std::uint64_t>(differ) << lane;
  }
  return lanes;
}

const bool kHasAvx512 = __builtin_cpu_supports("avx512f") != 0;

#endif

}  // namespace

#if defined(__x86_64__)
LaneSteps lane_steps(const std::uint32_t* low, const std::uint32_t* high, std::uint32_t bytes) {
  return kHasAvx512 ? lane_steps_512(low, high, bytes) : lane_steps_plain(low, high, bytes);
}
std::uint64_t lanes_that_differ(const std::uint32_t* a, const std::uint32_t* b) {
  return kHasAvx512 ? lanes_that_differ_512(a, b) : lanes_that_differ_plain(a, b);
}
#else
LaneSteps lane_steps(const std::uint32_t* low, const std::uint32_t* high, std::uint32_t bytes) {
  return lane_steps_plain(low, high, bytes);
}
std::uint64_t lanes_that_differ(const std::uint32_t* a, const std::uint32_t* b) {
  return lanes_that_differ_plain(a, b);
}
#endif

}  // namespace wavetank::check
