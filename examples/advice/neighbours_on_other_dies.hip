// Neighbouring workgroups read the same memory, but run on different dies (XCDs), each of which
// fetches it into an L2 of its own. FIXED: the numbers are dealt so that neighbours share a die.
#include "../checks/memory.hpp"

constexpr int kGroups = 9728, kDies = 8, kShare = 16, kWords = 4096;

__global__ void read(const float* in, float* out) {
#ifdef FIXED
  const int group = blockIdx.x % kDies * (kGroups / kDies) + blockIdx.x / kDies;
#else
  const int group = blockIdx.x;
#endif
  const float* const part = in + std::size_t(group / kShare) * kWords;
  float sum = 0;
  for (int k = 0; k < kWords; k += 256) sum += part[k + threadIdx.x];  // cause
  out[group * 256 + threadIdx.x] = sum;
}

int main() {
  read<<<kGroups, 256>>>(zeros<float>(std::size_t{kGroups} / kShare * kWords),
                         zeros<float>(kGroups * 256));
  return finish();
}
