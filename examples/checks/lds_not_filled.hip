// A search in LDS reads places that the last work-items, which are beyond the data, have not
// filled. FIXED: they fill them with a value that is never found.
#include "memory.hpp"

__global__ void largest_place(const int* in, int n, int* out) {
  __shared__ int values[128];
  const int i = threadIdx.x;
#ifdef FIXED
  values[i] = i < n ? in[i] : -1;
#else
  if (i < n) values[i] = in[i];
#endif
  __syncthreads();
  if (i != 0) return;
  int place = 0;
  for (int other = 1; other < 128; ++other) {
    if (values[other] > values[place]) place = other;
  }
  *out = place;
}

int main() {
  largest_place<<<1, 128>>>(zeros<int>(100), 100, zeros<int>(1));
  return finish();
}
