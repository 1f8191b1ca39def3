// Device globals, constants and managed variables, read and written from both sides.
#include <atomic>
#include <chrono>
#include <thread>

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

static std::atomic<bool> is_open{false};

/// Keeps the null stream back until the host has gone on, or for the time that no copy takes.
static void hold_back(hipStream_t, hipError_t, void*) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(5);
  while (!is_open && std::chrono::steady_clock::now() < end) std::this_thread::yield();
}

/// As hipMemcpy: the host does not wait for copies between memories of the device.
bool copies_inside_of_the_device_return_at_once(example::DeviceArray<int>& device) {
  HIP_CHECK(hipStreamAddCallback(nullptr, hold_back, nullptr, 0));
  const auto inside = hipMemcpyDeviceToDevice;
  HIP_CHECK(hipMemcpyToSymbol(HIP_SYMBOL(factors), device.data(), 8 * sizeof(int), 0, inside));
  HIP_CHECK(hipMemcpyFromSymbol(device.data(), HIP_SYMBOL(factors), 8 * sizeof(int), 0, inside));
  const bool at_once = hipStreamQuery(nullptr) == hipErrorNotReady;
  is_open = true;
  HIP_CHECK(hipDeviceSynchronize());
  return at_once;
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
  ok = example::line("copies inside of the device",
                     copies_inside_of_the_device_return_at_once(device)) &&
       ok;
  return example::verdict(ok);
}
