// A kernel that touches a reserved address: nothing is mapped there, or it may only be read.
#include <cstring>

#include "common/check.hpp"

constexpr size_t kBytes = 1 << 16;

__global__ void store(int* out) { out[threadIdx.x] = 1; }

int main(int argc, char** argv) {
  void* base = nullptr;
  HIP_CHECK(hipMemAddressReserve(&base, kBytes, 0, nullptr, 0));
  if (argc > 1 && std::strcmp(argv[1], "read_only") == 0) {
    hipMemAllocationProp wanted{};
    wanted.type = hipMemAllocationTypePinned;
    wanted.location = {hipMemLocationTypeDevice, 0};
    hipMemGenericAllocationHandle_t handle;
    HIP_CHECK(hipMemCreate(&handle, kBytes, &wanted, 0));
    HIP_CHECK(hipMemMap(base, kBytes, 0, handle, 0));
    const hipMemAccessDesc access = {{hipMemLocationTypeDevice, 0}, hipMemAccessFlagsProtRead};
    HIP_CHECK(hipMemSetAccess(base, kBytes, &access, 1));
  }
  store<<<1, 64>>>(static_cast<int*>(base));
  example::finish_kernel();
  std::printf("the kernel ended\n");
  return 0;
}
