// Loads a code object and launches one of its kernels with a pointer to 64 integers, all 0.
//
//   module CODE_OBJECT KERNEL
//
// Says at which step HIP gave an error and whether the kernel wrote anything.
#include "common/check.hpp"

struct Shape {
  dim3 grid, block;
};

// Shapes that no device runs: hipModuleLaunchKernel and its kin have one error for all of them.
static bool refuses_bad_shapes(hipFunction_t kernel, void** arguments) {
  const Shape shapes[] = {{{0, 1, 1}, 64},        {{1, 1, 0}, 64},
                          {1, {64, 0, 1}},        {{~0u, 1, 1}, 64},
                          {{1u << 31, 1, 1}, 1},  {{1, 65537, 1}, 64},
                          {{1, 1, 65537}, 64},    {1, {1025, 1, 1}},
                          {1, {32, 33, 1}},       {1, {1, ~0u, 1}}};
  bool refused = true;
  for (const auto& [grid, block] : shapes) {
    const hipError_t error =
        hipModuleLaunchKernel(kernel, grid.x, grid.y, grid.z, block.x, block.y, block.z, 0, nullptr,
                              arguments, nullptr);
    if (error == hipErrorInvalidValue) continue;
    std::printf("%u x %u x %u blocks of %u x %u x %u: %s\n", grid.x, grid.y, grid.z, block.x,
                block.y, block.z, hipGetErrorName(error));
    refused = false;
  }
  return refused;
}

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  example::DeviceArray<int> out(64);
  out.clear();
  const auto report = [&](const char* step, hipError_t error) {
    std::printf("%s: %s\n", step, hipGetErrorName(error));
    return error == hipSuccess;
  };
  hipModule_t module;
  if (!report("hipModuleLoad", hipModuleLoad(&module, argv[1]))) return 1;
  hipFunction_t kernel;
  if (!report("hipModuleGetFunction", hipModuleGetFunction(&kernel, module, argv[2]))) return 1;
  int* pointer = out.data();
  void* arguments[] = {&pointer};
  if (!refuses_bad_shapes(kernel, arguments)) return 1;
  const bool launched =
      report("hipModuleLaunchKernel", hipModuleLaunchKernel(kernel, 1, 1, 1, 64, 1, 1, 0, nullptr,
                                                            arguments, nullptr)) &&
      report("hipDeviceSynchronize", hipDeviceSynchronize());
  bool written = false;
  for (int value : out.read()) written = written || value != 0;
  std::printf("%s\n", written ? "the kernel wrote" : "nothing was written");
  return launched ? 0 : 1;
}
