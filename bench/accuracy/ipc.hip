// A million blocks of 1024, each wave 1000 independent instructions of one kind.
#include "common.hpp"

constexpr int kBlocks = 1 << 20;

using Float16 = __attribute__((__vector_size__(16 * sizeof(float)))) float;

__global__ __launch_bounds__(1024) void moves(float* out) {
  float a = 1.0f;
  asm volatile(".p2align 6\n.rept 1000\nv_mov_b32 %0, 1.0\n.endr\n" : "+v"(a));
  if (a == 0.0f) out[0] = a;
}

__global__ __launch_bounds__(1024) void matrix(float* out) {
  uint64_t ones = 0x3f803f803f803f80ull;  // bf16
  Float16 sum = {};
  asm volatile("" : "+v"(ones), "+v"(sum));
#if defined(__gfx90a__)
  asm volatile(".p2align 6\n.rept 1000\nv_mfma_f32_32x32x8bf16_1k %0, %1, %1, %0\n.endr\ns_nop 15\n"
               "s_nop 15\n"
               : "+v"(sum)
               : "v"(ones));
#endif
  if (sum[0] == 1.0f) out[0] = sum[0];
}

int main(int argc, char** argv) {
  accuracy::read_arguments(argc, argv);
  const auto& device = accuracy::this_device();
  if (!device.is("mi250 (1 GCD)")) return 0;
  accuracy::DeviceArray<float> out(1);
  // Two blocks of 1024 fill a CU. Every round of them costs the same: the difference of a few
  // rounds stands for all of the million blocks.
  const int round = 2 * device.compute_units;
  const double moved = accuracy::seconds_per_trip(
      2, 6, [&](int rounds) { moves<<<rounds * round, 1024>>>(out.data()); });
  accuracy::row("ipc", device.name, "<<<1M,1024>>>, 1000 v_mov per wave", "", "time",
                moved * kBlocks / round * 1e3, "ms");
  const int matrix_round = device.compute_units;
  const double multiplied = accuracy::seconds_per_trip(
      2, 3, [&](int rounds) { matrix<<<rounds * matrix_round, 1024>>>(out.data()); });
  // 16 waves on four SIMDs, 1000 instructions each.
  accuracy::row("ipc", device.name, "<<<1M,1024>>>, v_mfma_f32_32x32x8bf16_1k", "",
                "cycles per MFMA", multiplied * device.clock_ghz * 1e9 / (4 * 1000), "cycles");
}
