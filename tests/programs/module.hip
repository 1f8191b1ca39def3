// Loads a code object and launches one of its kernels with a pointer to 64 integers, all 0.
//
//   module CODE_OBJECT KERNEL
//
// Says at which step HIP gave an error and whether the kernel wrote anything.
#include "common/check.hpp"

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
  const bool launched =
      report("hipModuleLaunchKernel", hipModuleLaunchKernel(kernel, 1, 1, 1, 64, 1, 1, 0, nullptr,
                                                            arguments, nullptr)) &&
      report("hipDeviceSynchronize", hipDeviceSynchronize());
  bool written = false;
  for (int value : out.read()) written = written || value != 0;
  std::printf("%s\n", written ? "the kernel wrote" : "nothing was written");
  return launched ? 0 : 1;
}
