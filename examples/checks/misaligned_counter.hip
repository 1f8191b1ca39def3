// An atomic on a counter that lies two bytes behind the begin of a record. FIXED: at a multiple of
// its size.
#include "memory.hpp"

#ifdef FIXED
constexpr int kOffset = 4;
#else
constexpr int kOffset = 2;
#endif

__global__ void count(char* record) {
  if (threadIdx.x == 0) atomicAdd(reinterpret_cast<unsigned*>(record + kOffset), 1u);
}

int main() {
  char* const record = zeros<char>(64);
  count<<<1, 64>>>(record);
  return finish();
}
