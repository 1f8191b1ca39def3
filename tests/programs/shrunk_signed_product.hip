// Signed products that overflow or not, by work-items with other signs.
//
// Random program 17 (tests/random), which a multiplication v_mul_hi_i32 without sign, put into
// Wavetank on purpose, made fail, as shrink.py left it: of 129 statements and 398 expressions one.
#include "random/harness.hpp"
namespace signed_product {
constexpr u32 kThreads = 64, kBlocks = 1, kPhases = 4;
RANDOM_FN void phase_3(State& s, const u32* table, const Uniform& u, u32 thread, u32 block,
                       u8* area) {
  s.i[0] = product_or_zero<s32>(bit_field_signed(s.i[1], u32(1), u32(1)),
                                saturated<s32>(with_sign(f64(-7.5e4), s.d[2])));
}
__global__ __attribute__((amdgpu_num_vgpr(32)))
__launch_bounds__(kThreads) void device_run(const u32* table, Uniform u, Record* records,
                                            u8* memory, u64* totals) {
  __shared__ v4u32 lds[kThreads];
  extern __shared__ __align__(16) u8 dynamic_lds[];
  const u32 thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  const u32 block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  u8* const memory_of_block = memory + (kMemoryBytes + kThreads * kAreaBytes) * block;
  u8* const area = dynamic_lds + kThreads * 16 + thread * kAreaBytes;
  State s = start(table, thread, block, area);
  { phase_3(s, table, u, thread, block, area); }
  records[(3 * kBlocks + block) * kThreads + thread] = record(s, area);
}
static void host_run(const u32* table, const Uniform& u, Record* records, u64* totals, u32 block) {
  std::vector<State> states(kThreads);
  std::vector<std::array<u8, kAreaBytes>> areas(kThreads);
  for (u32 t = 0; t < kThreads; ++t) {
    states[t] = start(table, t, block, areas[t].data());
  }
  {
    for (u32 thread = 0; thread < kThreads; ++thread) {
      phase_3(states[thread], table, u, thread, block, areas[thread].data());
    }
  }
  for (u32 thread = 0; thread < kThreads; ++thread)
    records[(3 * kBlocks + block) * kThreads + thread] =
        record(states[thread], areas[thread].data());
}
}  // namespace signed_product
int main(int argc, char** argv) {
  const Case cases[] = {{"signed_product", 17, dim3(1, 1, 1), dim3(64, 1, 1),
                         signed_product::kPhases, 7168, signed_product::device_run,
                         signed_product::host_run}};
  return run_cases(argc, argv, cases);
}
