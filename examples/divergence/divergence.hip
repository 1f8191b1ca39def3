// Even work-items write a 1, odd ones a 0: with a branch, both sides run for every wave with half
// of its lanes switched off; as one store of a pair there is no branch at all.
#include "../common/check.hpp"

__global__ void divergent(double* out) {
  const size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x % 2 == 0) {
    out[i] = 1.0;
  } else {
    out[i] = 0.0;
  }
}

// Half as many work-items, each of which writes both values.
__global__ void straight(double2* out) {
  const size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = make_double2(1.0, 0.0);
}

// Neighbours run loops of different lengths: the wave takes as long as its longest lane.
__global__ void uneven_loops(double* out) {
  const size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  double sum = 0.0;
  for (int k = 0; k < static_cast<int>(threadIdx.x % 64); ++k) {
    if ((k ^ threadIdx.x) & 1) continue;
    sum += k;
  }
  out[i] = sum;
}

static double uneven_sum(int thread) {
  double sum = 0.0;
  for (int k = 0; k < thread % 64; ++k)
    if (((k ^ thread) & 1) == 0) sum += k;
  return sum;
}

int main(int argc, char** argv) {
  constexpr int kBlock = 256;
  const int blocks = 2 * example::blocks_for(example::size_argument(argc, argv, 500'000), 2 * kBlock);
  const int n = blocks * kBlock;
  example::DeviceArray<double> device(n);
  const auto right = [&](auto expected) {
    const std::vector<double> out = device.read();
    device.clear();
    bool all = true;
    for (int i = 0; i < n; ++i) all = all && out[i] == expected(i);
    return all;
  };
  const auto pairs = [](int i) { return i % 2 == 0 ? 1.0 : 0.0; };

  std::printf("%d elements\n", n);
  divergent<<<blocks, kBlock>>>(device.data());
  example::finish_kernel();
  bool all_right = example::line("branch", right(pairs));
  straight<<<blocks / 2, kBlock>>>(reinterpret_cast<double2*>(device.data()));
  example::finish_kernel();
  all_right = example::line("pair store", right(pairs)) && all_right;
  uneven_loops<<<blocks, kBlock>>>(device.data());
  example::finish_kernel();
  all_right =
      example::line("uneven loops", right([](int i) { return uneven_sum(i % kBlock); })) &&
      all_right;
  return example::verdict(all_right);
}
