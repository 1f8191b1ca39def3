// printf from a kernel: each step of a small tree reduction says what it adds.
#include "../common/check.hpp"

__global__ void reduce_and_tell(int* a, int n) {
  const int thread = threadIdx.x;
  for (int distance = 1; distance < n; distance *= 2) {
    __syncthreads();
    const int i = 2 * distance * thread;
    if (i + distance < n) {
      const int sum = a[i] + a[i + distance];
      printf("thread %d: a[%d] + a[%d] = %d + %d = %d\n", thread, i, i + distance, a[i],
             a[i + distance], sum);
      a[i] = sum;
    }
  }
  if (thread == 0) printf("%s of %d numbers is %d, the mean %.3f\n", "sum", n, a[0], a[0] / 16.0);
}

int main() {
  constexpr int kCount = 16;
  std::vector<int> a(kCount);
  for (int i = 0; i < kCount; ++i) a[i] = i + 1;
  example::DeviceArray<int> device(a);
  reduce_and_tell<<<1, kCount / 2>>>(device.data(), kCount);
  example::finish_kernel();
  return example::verdict(device.read()[0] == kCount * (kCount + 1) / 2);
}
