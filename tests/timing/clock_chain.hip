// What clock64() counts over chains of dependent v_exp_f32: twice as many take 16 cycles for each
// one more. Prints the difference and the wall clock's.
#include "common/check.hpp"

__global__ void chains(long long* cycles, float* sink) {
  float value = threadIdx.x;
  const long long first = clock64();
  for (int i = 0; i < 2; ++i) asm volatile(".rept 64\n v_exp_f32 %0, %0\n .endr" : "+v"(value));
  const long long second = clock64();
  for (int i = 0; i < 4; ++i) asm volatile(".rept 64\n v_exp_f32 %0, %0\n .endr" : "+v"(value));
  const long long third = clock64();
  cycles[0] = second - first;
  cycles[1] = third - second;
  sink[threadIdx.x] = value;
}

int main() {
  example::DeviceArray<long long> cycles(2);
  example::DeviceArray<float> sink(64);
  // The first launch fetches the code; those behind it are alike, and each tells the model's time.
  for (int launch = 0; launch < 5; ++launch) chains<<<1, 64>>>(cycles.data(), sink.data());
  const std::vector<long long> counted = cycles.read();
  const long long extra = counted[1] - counted[0] - 2 * 64 * 16;
  std::printf("%lld cycles, %lld cycles\n", counted[0], counted[1]);
  return example::verdict(counted[0] >= 2 * 64 * 16 && extra >= 0 && extra < 128);
}
