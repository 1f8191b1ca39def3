// Elements are copied where hipMemcpy wants bytes, so that a kernel looks for values in memory that
// nobody has written. FIXED: all bytes are copied.
#include <vector>

#include "memory.hpp"

__global__ void find(const int* keys, int wanted, int* place) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (keys[i] == wanted) *place = i;
}

int main() {
  constexpr int kKeys = 256;
  std::vector<int> keys(kKeys);
  for (int i = 0; i < kKeys; ++i) keys[i] = i;
  int* on_device = nullptr;
  HIP_CHECK(hipMalloc(&on_device, kKeys * sizeof(int)));
#ifdef FIXED
  const std::size_t bytes = kKeys * sizeof(int);
#else
  const std::size_t bytes = kKeys;
#endif
  HIP_CHECK(hipMemcpy(on_device, keys.data(), bytes, hipMemcpyHostToDevice));
  find<<<kKeys / 64, 64>>>(on_device, 200, zeros<int>(1));
  return finish();
}
