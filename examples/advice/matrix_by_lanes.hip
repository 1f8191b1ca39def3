// A product of small matrices out of registers and LDS, one multiplication for each lane and
// instruction. FIXED: the matrix unit does it.
#include "../checks/memory.hpp"

constexpr int kGroups = 1216, kDepth = 192;
using Rows = __attribute__((ext_vector_type(16))) float;

__global__ __launch_bounds__(64) void multiply(const float* a, const float* b, float* c) {
  const int lane = threadIdx.x, column = lane % 32, half = lane / 32;
  Rows sum = {};
  const float* const own_a = a + blockIdx.x * 32 * kDepth;
  const float* const own_b = b + blockIdx.x * 32 * kDepth;
#ifdef FIXED
  for (int k = 0; k < kDepth; k += 2) {
    sum = __builtin_amdgcn_mfma_f32_32x32x2f32(own_a[(k + half) * 32 + column],
                                               own_b[(k + half) * 32 + column], sum, 0, 0, 0);
  }
#else
  for (int k = 0; k < kDepth; ++k) {
    const float x = own_b[k * 32 + column];
    for (int row = 0; row < 16; ++row) {
      sum[row] += own_a[k * 32 + half * 16 + row] * x;  // cause
    }
  }
#endif
  for (int row = 0; row < 16; ++row) c[(blockIdx.x * 32 + half * 16 + row) * 32 + column] = sum[row];
}

int main() {
  constexpr std::size_t kFloats = std::size_t{kGroups} * 32 * kDepth;
  multiply<<<kGroups, 64>>>(zeros<float>(kFloats), zeros<float>(kFloats),
                            zeros<float>(std::size_t{kGroups} * 32 * 32));
  return finish();
}
