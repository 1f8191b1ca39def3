// Device globals, constants and managed variables, read and written from both sides.
#include "common/check.hpp"

__device__ int counter = 5;
__device__ float table[4] = {1, 2, 3, 4};
__constant__ int factors[8];
__managed__ int shared_total = 100;
__device__ int* pointer_to_counter = &counter;

__global__ void use_symbols(int* out) {
  const int t = threadIdx.x;
  out[t] = factors[t % 8] * t + static_cast<int>(table[t % 4]);
  atomicAdd(&counter, 1);
  atomicAdd(&shared_total, t);
}

__global__ void through_pointer(int* out) { *out = *pointer_to_counter; }

// What ROCm 5's library has for launches by a kernel's address with packed arguments.
namespace hip_impl {
void hipLaunchKernelGGLImpl(std::uintptr_t kernel, const dim3& grid, const dim3& block,
                            std::uint32_t shared_bytes, hipStream_t stream, void** extra);
}

bool launched_by_address(example::DeviceArray<int>& device) {
  device.clear();
  int* packed = device.data();
  std::size_t size = sizeof packed;
  void* extra[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, &packed, HIP_LAUNCH_PARAM_BUFFER_SIZE, &size,
                   HIP_LAUNCH_PARAM_END};
  hip_impl::hipLaunchKernelGGLImpl(reinterpret_cast<std::uintptr_t>(through_pointer), dim3(1),
                                   dim3(1), 0, nullptr, extra);
  example::finish_kernel();
  return device.read()[0] != 0;
}

int main() {
  std::vector<int> host_factors = {3, 1, 4, 1, 5, 9, 2, 6};
  HIP_CHECK(hipMemcpyToSymbol(HIP_SYMBOL(factors), host_factors.data(), 8 * sizeof(int)));
  example::DeviceArray<int> device(64);
  use_symbols<<<1, 64>>>(device.data());
  example::finish_kernel();
  const std::vector<int> out = device.read();
  bool ok = true;
  for (int t = 0; t < 64; ++t) ok = ok && out[t] == host_factors[t % 8] * t + 1 + t % 4;
  ok = example::line("constants and tables", ok);
  int count = 0;
  HIP_CHECK(hipMemcpyFromSymbol(&count, HIP_SYMBOL(counter), sizeof(count)));
  ok = example::line("device variable", count == 5 + 64) && ok;
  ok = example::line("managed variable", shared_total == 100 + 63 * 32) && ok;
  through_pointer<<<1, 1>>>(device.data());
  example::finish_kernel();
  ok = example::line("address of a variable", device.read()[0] == count) && ok;
  ok = example::line("launch by address", launched_by_address(device)) && ok;
  return example::verdict(ok);
}
