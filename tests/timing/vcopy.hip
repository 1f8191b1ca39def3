// Copies 1048576 doubles by workgroups of 256, twice, and prints what events say of each launch.
#include "common/check.hpp"

__global__ void vecCopy(double* a, double*, double* c, int n, int) {
  const int id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id < n) c[id] = a[id];
}

int main() {
  constexpr int kCount = 1048576;
  std::vector<double> values(kCount);
  for (int i = 0; i < kCount; ++i) values[i] = i;
  example::DeviceArray<double> a(values), c(kCount);
  hipEvent_t begin, end;
  HIP_CHECK(hipEventCreate(&begin));
  HIP_CHECK(hipEventCreate(&end));
  for (int launch = 0; launch < 2; ++launch) {
    HIP_CHECK(hipEventRecord(begin));
    vecCopy<<<kCount / 256, 256>>>(a.data(), nullptr, c.data(), kCount, 256);
    HIP_CHECK(hipEventRecord(end));
    HIP_CHECK(hipEventSynchronize(end));
    float milliseconds = 0;
    HIP_CHECK(hipEventElapsedTime(&milliseconds, begin, end));
    std::printf("event %.0f ns\n", 1e6 * milliseconds);
  }
  return example::verdict(c.read() == values);
}
