// The first HIP program: c = a + b, one work-item for each element.
#include "../common/check.hpp"

__global__ void vadd(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];  // the last workgroup may reach beyond the end
}

int main(int argc, char** argv) {
  const int n = example::size_argument(argc, argv, 1'000'000);
  std::vector<float> a(n), b(n);
  for (int i = 0; i < n; ++i) {
    a[i] = 0.5f * static_cast<float>(i % 1000);
    b[i] = static_cast<float>(i % 777);
  }
  example::DeviceArray<float> device_a(a), device_b(b), device_c(n);

  constexpr int kBlock = 256;
  vadd<<<example::blocks_for(n, kBlock), kBlock>>>(device_a.data(), device_b.data(),
                                                   device_c.data(), n);
  example::finish_kernel();

  const std::vector<float> c = device_c.read();
  bool right = true;
  for (int i = 0; i < n; ++i) right = right && c[i] == a[i] + b[i];
  std::printf("vadd of %d elements\n", n);
  return example::verdict(right);
}
