// Lanes of a wave exchange registers without memory: broadcast, rotation, prefix sum, butterfly,
// votes. The result of each is computed again on the host.
#include "../common/check.hpp"

constexpr int kWave = 64;  // lanes in a wave of a CDNA device

__global__ void broadcast(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = __shfl(in[i], 17);
}

__global__ void rotate(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = threadIdx.x % kWave;
  out[i] = __shfl(in[i], (lane + 1) % kWave);
}

__global__ void prefix_sum(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = threadIdx.x % kWave;
  int sum = in[i];
  for (int distance = 1; distance < kWave; distance *= 2) {
    const int below = __shfl_up(sum, distance);
    if (lane >= distance) sum += below;
  }
  out[i] = sum;
}

__global__ void butterfly_maximum(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int maximum = in[i];
  for (int mask = kWave / 2; mask > 0; mask /= 2) {
    const int other = __shfl_xor(maximum, mask);
    maximum = other > maximum ? other : maximum;
  }
  out[i] = maximum;
}

// The position of a lane among those that hold an odd number, and how many these are.
__global__ void ballot_rank(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = threadIdx.x % kWave;
  const unsigned long long odd = __ballot(in[i] & 1);
  const unsigned long long below = odd & ((1ull << lane) - 1);
  out[i] = 100 * __popcll(odd) + __popcll(below);
}

// Shuffles of width 16: four independent groups in a wave.
__global__ void quarter_sum(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = in[i];
  for (int distance = 8; distance > 0; distance /= 2) sum += __shfl_down(sum, distance, 16);
  out[i] = __shfl(sum, 0, 16);
}

int main(int argc, char** argv) {
  constexpr int kBlock = 256;
  const int blocks = example::blocks_for(example::size_argument(argc, argv, 100'000), kBlock);
  const int n = blocks * kBlock;
  std::vector<int> in(n);
  for (int i = 0; i < n; ++i) in[i] = (i * 7919) % 10007 - 5000;
  example::DeviceArray<int> device_in(in), device_out(n);

  const auto right = [&](const char* name, void (*kernel)(const int*, int*), auto expected) {
    kernel<<<blocks, kBlock>>>(device_in.data(), device_out.data());
    example::finish_kernel();
    const std::vector<int> out = device_out.read();
    bool all = true;
    for (int wave = 0; wave < n; wave += kWave)
      for (int lane = 0; lane < kWave; ++lane)
        all = all && out[wave + lane] == expected(&in[wave], lane);
    return example::line(name, all);
  };
  const auto sum = [](const int* values, int first, int last) {
    int total = 0;
    for (int i = first; i < last; ++i) total += values[i];
    return total;
  };

  std::printf("%d lanes\n", n);
  bool ok = right("broadcast", broadcast, [](const int* wave, int) { return wave[17]; });
  ok = right("rotation", rotate,
             [](const int* wave, int lane) { return wave[(lane + 1) % kWave]; }) && ok;
  ok = right("prefix sum", prefix_sum,
             [&](const int* wave, int lane) { return sum(wave, 0, lane + 1); }) && ok;
  ok = right("butterfly maximum", butterfly_maximum, [](const int* wave, int) {
         int maximum = wave[0];
         for (int i = 1; i < kWave; ++i) maximum = wave[i] > maximum ? wave[i] : maximum;
         return maximum;
       }) && ok;
  ok = right("ballot rank", ballot_rank, [](const int* wave, int lane) {
         int odd = 0, below = 0;
         for (int i = 0; i < kWave; ++i) {
           odd += wave[i] & 1;
           if (i < lane) below += wave[i] & 1;
         }
         return 100 * odd + below;
       }) && ok;
  ok = right("groups of 16", quarter_sum, [&](const int* wave, int lane) {
         return sum(wave, lane / 16 * 16, lane / 16 * 16 + 16);
       }) && ok;
  return example::verdict(ok);
}
