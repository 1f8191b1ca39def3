// Launches at and beyond the limits of the device. Each must give HIP's error and leave the
// device usable.
#include "common/check.hpp"

__global__ void count(int* counter) { atomicAdd(counter, 1); }

__global__ void nothing() {}

__global__ void use_lds(int* out) {
  extern __shared__ int shared[];
  shared[threadIdx.x] = static_cast<int>(threadIdx.x);
  __syncthreads();
  out[threadIdx.x] = shared[blockDim.x - 1 - threadIdx.x];
}

int main() {
  example::DeviceArray<int> device(1024);
  bool ok = true;
  const auto launch = [&](const char* name, dim3 grid, dim3 block, size_t lds_bytes, bool fits) {
    use_lds<<<grid, block, lds_bytes>>>(device.data());
    const hipError_t error = hipGetLastError();
    ok = example::line(name, (error == hipSuccess) == fits) && ok;
    if (error != hipSuccess) std::printf("    %s\n", hipGetErrorName(error));
    HIP_CHECK(hipDeviceSynchronize());
  };
  launch("1024 threads", 1, 1024, 4096, true);
  launch("1025 threads", 1, 1025, 4100, false);
  launch("32 x 33 threads", 1, dim3(32, 33), 4224, false);
  launch("no threads", 1, dim3(0, 1, 1), 0, false);
  launch("no workgroups", dim3(0, 1, 1), 64, 256, false);
  launch("2^32 threads in x", dim3(1u << 31, 1, 1), 2, 64, false);
  launch("2^32 threads in y", dim3(1, 1u << 31, 1), dim3(1, 2, 1), 64, false);
  launch("2^64 threads", dim3(0xffffffff, 0xffffffff, 2), 1, 64, false);
  launch("65536 bytes of LDS", 1, 64, 65536, true);
  launch("65537 bytes of LDS", 1, 64, 65537, false);

  // Nobody could wait for 2^47 workgroups one by one.
  nothing<<<dim3(0x7fffffff, 65536, 1), 1>>>();
  ok = example::line("the largest grids", hipDeviceSynchronize() == hipSuccess) && ok;

  // maxGridSize says 65536 for y and z; only hipModuleLaunchKernel minds (tests/programs/module.hip).
  device.clear();
  count<<<dim3(1, 65537, 2), 1>>>(device.data());
  example::finish_kernel();
  ok = example::line("65537 workgroups in y", device.read()[0] == 2 * 65537) && ok;

  device.clear();
  count<<<3, 100>>>(device.data());
  example::finish_kernel();
  ok = example::line("the device still works", device.read()[0] == 300) && ok;
  return example::verdict(ok);
}
