// The kernels of the stream and the dispatch-rate benchmarks: one double for each work-item, behind
// the prologue that the published ones have (RRZE-HPC/gpu-benches, gpu-stream and gpu-l2-stream).
// A wave's life is in it: six arguments, a bound of 64 bits, and a flag that is never set but keeps
// the dynamic LDS, whose size says how many workgroups a CU takes.
#pragma once

#include "common.hpp"

namespace accuracy {

enum class Work { kInit, kRead, kScale, kTriad };

// How many arrays the published rate counts.
constexpr int arrays_of(Work work) {
  return work == Work::kScale ? 2 : work == Work::kTriad ? 4 : 1;
}

// `kWrap`: the index wraps at this many elements; 0: it does not.
template <Work kWork, int kWrap>
__global__ void one_element(double* a, const double* __restrict__ b, const double* __restrict__ c,
                            const double* __restrict__ d, size_t n, bool flag) {
  extern __shared__ double limit[];
  unsigned item = threadIdx.x + blockIdx.x * blockDim.x;
  if constexpr (kWrap != 0) item %= static_cast<unsigned>(kWrap);
  const int i = static_cast<int>(item);
  if (static_cast<size_t>(i) >= n) return;
  if (flag) limit[threadIdx.x] = b[threadIdx.x];
  if constexpr (kWork == Work::kRead) {
    const double value = b[i];
    if (flag || value == 123.0) a[i] = value + limit[i];
  } else {
    if constexpr (kWork == Work::kInit) a[i] = 0.23;
    if constexpr (kWork == Work::kScale) a[i] = b[i] * 1.2;
    if constexpr (kWork == Work::kTriad) a[i] = b[i] * d[i] + c[i];
    if (flag) a[i] = limit[i];
  }
}

// The four arrays, and launches of the kernels on them.
struct Streams {
  explicit Streams(size_t count) : a(count), b(count), c(count), d(count) {}

  // Launches for `n` work-items, `per_cu` workgroups of `block` at once on a CU.
  template <Work kWork, int kWrap = 0>
  void launch(size_t n, int block, int per_cu) const {
    one_element<kWork, kWrap>
        <<<static_cast<unsigned>(n / block + 1), block, lds_bytes_for(per_cu)>>>(
            a.data(), b.data(), c.data(), d.data(), n, false);
  }

  DeviceArray<double> a, b, c, d;
};

}  // namespace accuracy
