// Two kernels that pass an array through memory, and one that does the work of both. The fused
// kernel reads a and b once, and c only leaves the registers when it is complete.
#include "../common/check.hpp"

__global__ void first(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + 2 * b[i];
}

__global__ void second(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = c[i] - a[i] * b[i];
}

__global__ void fused(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float own_a = a[i];
  const float own_b = b[i];
  c[i] = own_a + 2 * own_b - own_a * own_b;
}

int main(int argc, char** argv) {
  const int n = example::size_argument(argc, argv, 1'000'000);
  std::vector<float> a(n), b(n);
  for (int i = 0; i < n; ++i) {
    a[i] = static_cast<float>(i % 1024);  // small integers: every product and sum is exact
    b[i] = static_cast<float>(i % 509) - 200.0f;
  }
  example::DeviceArray<float> device_a(a), device_b(b), device_c(n);
  const auto right = [&] {
    const std::vector<float> c = device_c.read();
    bool all = true;
    for (int i = 0; i < n; ++i) all = all && c[i] == a[i] + 2 * b[i] - a[i] * b[i];
    return all;
  };

  constexpr int kBlock = 256;
  const int blocks = example::blocks_for(n, kBlock);
  std::printf("%d elements\n", n);
  first<<<blocks, kBlock>>>(device_a.data(), device_b.data(), device_c.data(), n);
  second<<<blocks, kBlock>>>(device_a.data(), device_b.data(), device_c.data(), n);
  example::finish_kernel();
  const bool apart = example::line("two kernels", right());

  device_c.clear();
  fused<<<blocks, kBlock>>>(device_a.data(), device_b.data(), device_c.data(), n);
  example::finish_kernel();
  const bool together = example::line("one fused kernel", right());
  return example::verdict(apart && together);
}
