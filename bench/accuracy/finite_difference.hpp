// One-dimensional finite difference of radius R along one direction of 512^3 floats, padded by R on
// every side (ROCm blogs, seismic stencils, part 1).
#pragma once

#include "common.hpp"

namespace accuracy {

constexpr int kPoints = 512;  // of the cube, in each direction
constexpr int kLargestRadius = 4;

// Weights of the points; in constant memory, from where they are loaded.
__constant__ float difference_weights[2 * kLargestRadius + 1];

// A point for each work-item. `stride` is the distance of neighbours along the direction, `line`
// and `slice` those along y and z, all in elements.
template <int kRadius>
__global__ __launch_bounds__(256) void finite_difference(float* __restrict__ out,
                                                         const float* __restrict__ in, int stride,
                                                         int line, int slice, int begin, int end) {
  const int i = begin + static_cast<int>(threadIdx.x + blockIdx.x * blockDim.x);
  const int j = begin + static_cast<int>(threadIdx.y + blockIdx.y * blockDim.y);
  const int k = begin + static_cast<int>(threadIdx.z + blockIdx.z * blockDim.z);
  if (i >= end || j >= end || k >= end) return;
  const size_t at =
      static_cast<size_t>(i) + static_cast<size_t>(line) * j + static_cast<size_t>(slice) * k;
  in += at - static_cast<size_t>(kRadius) * stride;
  float sum = 0;
#pragma unroll
  for (int r = 0; r <= 2 * kRadius; ++r) sum += in[r * stride] * difference_weights[r];
  out[at] = sum;
}

// GB/s where each point counts as read once and written once. `stride_of(line, slice)` gives the
// direction.
template <int kRadius, typename StrideOf>
double effective_bandwidth(StrideOf stride_of) {
  const int line = kPoints + 2 * kRadius, slice = line * line;
  const size_t count = static_cast<size_t>(slice) * line;
  const DeviceArray<float> in(count), out(count);
  float weights[2 * kLargestRadius + 1];
  for (int r = 0; r <= 2 * kRadius; ++r)
    weights[r] = 1.0f / static_cast<float>(1 + (r - kRadius) * (r - kRadius));
  HIP_CHECK(hipMemcpyToSymbol(HIP_SYMBOL(difference_weights), weights, sizeof weights));
  const double time = seconds([&] {
    finite_difference<kRadius><<<dim3(kPoints / 256, kPoints, kPoints), dim3(256)>>>(
        out.data(), in.data(), stride_of(line, slice), line, slice, kRadius, kRadius + kPoints);
  });
  return 2.0 * sizeof(float) * kPoints * kPoints * kPoints / time * 1e-9;
}

}  // namespace accuracy
