// Vector skip mode (s_setvskip): what a wave passes over in it, and what it executes. No compiler
// emits it; AMD's fused mixture-of-experts kernels have it by hand.
#include <cstdint>

#include "common/check.hpp"

constexpr int kWaves = 4, kGroup = 64 * kWaves, kResults = 6;

// Bit 0 of `skips` passes over an addition, bit 1 over a store, bit 2 over a load from LDS and what
// reads a lane, bit 3 over a loop's additions; the barrier between is everybody's.
__global__ void skip(const std::uint32_t* skips, std::uint32_t* results) {
  __shared__ std::uint32_t words[kGroup];
  words[threadIdx.x] = 1000 + threadIdx.x;
  const unsigned wave = __builtin_amdgcn_readfirstlane(threadIdx.x / 64);
  const std::uint32_t bits = __builtin_amdgcn_readfirstlane(skips[wave]);
  std::uint32_t* const out = results + kResults * threadIdx.x;
  std::uint32_t added = 5, read = 7, looped = 0, stored = 11, inside, outside;
  std::uint32_t lane = 13, rounds = 0;
  __syncthreads();
  asm volatile(
      "s_setvskip %[bits], 0\n\t"
      "v_add_u32 %[added], 1, %[added]\n\t"
      "s_getreg_b32 %[inside], hwreg(HW_REG_MODE, 28, 1)\n\t"
      "s_setvskip 0, 0\n\t"
      "s_getreg_b32 %[outside], hwreg(HW_REG_MODE, 28, 1)\n\t"
      : [added] "+v"(added), [inside] "=&s"(inside), [outside] "=&s"(outside)
      : [bits] "s"(bits));
  asm volatile(
      "s_setvskip %[bits], 1\n\t"
      "global_store_dword %[out], %[stored], off\n\t"
      "s_setvskip 0, 0\n\t"
      "s_waitcnt vmcnt(0)\n\t"
      :
      : [bits] "s"(bits), [out] "v"(out), [stored] "v"(stored)
      : "memory");
  asm volatile(
      "s_setvskip %[bits], 2\n\t"
      "ds_read_b32 %[read], %[place]\n\t"
      "v_readfirstlane_b32 %[lane], %[place]\n\t"
      "s_barrier\n\t"
      "s_waitcnt lgkmcnt(0)\n\t"
      "v_add_u32 %[read], 1, %[read]\n\t"
      "s_setvskip 0, 0\n\t"
      : [read] "+v"(read), [lane] "+s"(lane)
      : [bits] "s"(bits),
        [place] "v"((__attribute__((address_space(3))) std::uint32_t*)(words + threadIdx.x)));
  asm volatile(
      "s_setvskip %[bits], 3\n"
      "1:\n\t"
      "v_add_u32 %[looped], 2, %[looped]\n\t"
      "s_add_u32 %[rounds], %[rounds], 1\n\t"
      "s_cmp_lt_u32 %[rounds], 10\n\t"
      "s_cbranch_scc1 1b\n\t"
      "s_setvskip 0, 0\n\t"
      : [looped] "+v"(looped), [rounds] "+s"(rounds)
      : [bits] "s"(bits)
      : "scc");
  out[1] = added;
  out[2] = inside + 2 * outside;
  out[3] = read + (lane == 13 ? 0 : 1 << 16);
  out[4] = looped;
  out[5] = rounds;
}

int main() {
  const std::vector<std::uint32_t> skips = {0, 15, 0x80000006, 9};
  example::DeviceArray<std::uint32_t> bits(skips), results(kGroup * kResults);
  results.clear();
  skip<<<1, kGroup>>>(bits.data(), results.data());
  example::finish_kernel();
  const std::vector<std::uint32_t> got = results.read();
  bool added = true, mode = true, stored = true, read = true, loops = true;
  for (unsigned i = 0; i < kGroup; ++i) {
    const std::uint32_t* const of = got.data() + kResults * i;
    const auto skipped = [&](unsigned bit) { return (skips[i / 64] >> bit & 1) != 0; };
    added = added && of[1] == (skipped(0) ? 5 : 6);
    mode = mode && of[2] == (skipped(0) ? 1 : 0);
    stored = stored && of[0] == (skipped(1) ? 0 : 11);
    read = read && of[3] == (skipped(2) ? 7 : 1001 + i + (1 << 16));
    loops = loops && of[4] == (skipped(3) ? 0 : 20) && of[5] == 10;
  }
  bool ok = example::line("an addition", added);
  ok = example::line("MODE.VSKIP", mode) && ok;
  ok = example::line("a store", stored) && ok;
  ok = example::line("LDS, a lane and a barrier", read) && ok;
  ok = example::line("a loop", loops) && ok;
  return example::verdict(ok);
}
