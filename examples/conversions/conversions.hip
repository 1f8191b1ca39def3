// A literal without its f makes the whole expression double: two kernels that differ in nothing
// else. The first converts to double and back and multiplies at the rate of doubles.
#include "../common/check.hpp"

__global__ void conversions(float* a) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float f1 = a[i] * 0.3;
  float f2 = 2.0 * (f1 * 3.0);
  a[i] = f1 + f2;
}

__global__ void no_conversions(float* a) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float f1 = a[i] * 0.3f;
  float f2 = 2.0f * (f1 * 3.0f);
  a[i] = f1 + f2;
}

int main(int argc, char** argv) {
  constexpr int kBlock = 256;
  const int blocks = example::blocks_for(example::size_argument(argc, argv, 100'000), kBlock);
  std::vector<float> in(blocks * kBlock);
  for (size_t i = 0; i < in.size(); ++i) in[i] = 0.01f * static_cast<float>(i) - 100.0f;
  example::DeviceArray<float> device(in.size());

  const auto right = [&](void (*kernel)(float*)) {
    device.write(in);
    kernel<<<blocks, kBlock>>>(device.data());
    example::finish_kernel();
    const std::vector<float> out = device.read();
    bool all = true;
    for (size_t i = 0; i < in.size(); ++i) all = all && example::close(out[i], 2.1 * in[i], 1e-6);
    return all;
  };
  std::printf("%zu elements\n", in.size());
  const bool with = example::line("double literals", right(conversions));
  const bool without = example::line("float literals", right(no_conversions));
  return example::verdict(with && without);
}
