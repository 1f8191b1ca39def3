// A float is added to memory by a loop around a compare-and-swap. FIXED: by the atomic addition that
// the hardware has.
#include "../checks/memory.hpp"

constexpr int kGroups = 608, kCells = 2048;

__device__ void add(float* cell, float value) {
#ifdef FIXED
  unsafeAtomicAdd(cell, value);
#else
  auto* const word = reinterpret_cast<unsigned*>(cell);
  unsigned seen = *word, before;
  do {
    before = seen;
    seen = atomicCAS(word, before, __float_as_uint(__uint_as_float(before) + value));  // cause
  } while (seen != before);
#endif
}

__global__ void deposit(const float* in, float* cells) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  add(&cells[i * 17 % kCells], in[i] + 1);
}

int main() {
  deposit<<<kGroups, 256>>>(zeros<float>(kGroups * 256), zeros<float>(kCells));
  return finish();
}
