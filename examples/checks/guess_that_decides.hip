// A maximum by compare-and-swap whose first, plain look at the word may end the work. FIXED: the look
// is only a guess, which the swap proves or not.
#include "memory.hpp"

__global__ void maximum(unsigned* most) {
  const unsigned mine = blockIdx.x;
  if (threadIdx.x != 0) return;
  unsigned seen = *most;
#ifndef FIXED
  if (seen >= mine) return;
#endif
  unsigned expected;
  do {
    expected = seen;
    seen = atomicCAS(most, expected, max(expected, mine));
  } while (seen != expected);
}

int main() {
  maximum<<<8, 64>>>(zeros<unsigned>(1));
  return finish();
}
