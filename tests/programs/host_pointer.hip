// A kernel that is given a pointer to pageable host memory. With the argument `allowed` (HSA_XNACK=1
// or an APU) it must work; without, it is a memory access fault.
#include "common/check.hpp"

__global__ void increment(int* a) { a[threadIdx.x] += 1; }

int main() {
  std::vector<int> a(64, 41);
  increment<<<1, 64>>>(a.data());
  example::finish_kernel();
  return example::verdict(a == std::vector<int>(64, 42));
}
