// One-dimensional finite difference of radius R along x, 512^3 floats.
#include "common.hpp"

constexpr int kN = 512;

template <int kRadius>
__global__ __launch_bounds__(256) void finite_difference(const float* in, float* out, int nx,
                                                         int line, int slice) {
  const int i = static_cast<int>(threadIdx.x + blockIdx.x * blockDim.x);
  const size_t pos = static_cast<size_t>(i) + kRadius + static_cast<size_t>(line) * blockIdx.y +
                     static_cast<size_t>(slice) * blockIdx.z;
  if (i >= nx) return;
  float sum = 0;
#pragma unroll
  for (int r = -kRadius; r <= kRadius; ++r)
    sum += in[pos + r] * (1.0f / static_cast<float>(1 + r * r));
  out[pos] = sum;
}

template <int kRadius>
void measure(const char* parameters) {
  constexpr const char* kKernel = "1-D finite difference along x, 512^3 floats, block 256x1";
  if (!accuracy::wanted(kKernel, parameters)) return;
  const int line = kN + 2 * kRadius;
  const size_t count = static_cast<size_t>(line) * kN * kN;
  accuracy::DeviceArray<float> in(count), out(count);
  const double time = accuracy::seconds([&] {
    finite_difference<kRadius>
        <<<dim3(kN / 256, kN, kN), dim3(256)>>>(in.data(), out.data(), kN, line, line * kN);
  });
  accuracy::row("fd-x", accuracy::this_device().name, kKernel, parameters, "effective bandwidth",
                2.0 * sizeof(float) * kN * kN * kN / time * 1e-9, "GB/s");
}

int main(int argc, char** argv) {
  accuracy::read_arguments(argc, argv);
  if (!accuracy::this_device().is("mi250x (1 GCD)")) return 0;
  measure<1>("R=1");
  measure<4>("R=4");
}
