// Kernels that call functions of other code objects by pointer, as rocFFT's kernels, compiled at
// run time, call a program's callbacks. Each source file is a code object of its own, and each
// module.
#include <hip/hiprtc.h>

#include <vector>

#include "common/check.hpp"

using Function = float (*)(float, float*, int);

/// Calls a function of another code object between its own barriers, with its stack and its LDS.
__global__ void apply(Function function, float* out, int times) {
  __shared__ float row[256];
  row[threadIdx.x] = threadIdx.x;
  __syncthreads();
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  float value = i;
  for (int turn = 0; turn < times; ++turn) value = function(value, row, threadIdx.x);
  __syncthreads();
  out[i] = value;
}

Function function_of_other();

static bool calls_a_function_of_another_source() {
  example::DeviceArray<float> out(8192);
  apply<<<32, 256>>>(function_of_other(), out.data(), 3);
  HIP_CHECK(hipDeviceSynchronize());
  bool right = true;
  const std::vector<float> values = out.read();
  for (std::size_t i = 0; i < values.size(); ++i) {
    float expected = i;
    for (int turn = 0; turn < 3; ++turn) expected = expected * 0.5f + 1 + (i % 256 + 1) % 256;
    right = right && values[i] == expected;
  }
  return right;
}

/// A module whose function `f` returns its argument plus `text`.
static hipModule_t module_that_adds(const std::string& text) {
  const std::string source =
      "extern \"C\" __device__ __attribute__((used)) float f(float x, float*, int)"
      "{ return x + " +
      text +
      "; }"
      "__device__ float (*pointer)(float, float*, int) = f;"
      "extern \"C\" __global__ void keep(float* out) { *out = pointer(1, out, 0); }";
  hiprtcProgram program;
  if (hiprtcCreateProgram(&program, source.c_str(), "adds.hip", 0, nullptr, nullptr) !=
          HIPRTC_SUCCESS ||
      hiprtcCompileProgram(program, 0, nullptr) != HIPRTC_SUCCESS) {
    return nullptr;
  }
  std::size_t bytes = 0;
  hiprtcGetCodeSize(program, &bytes);
  std::vector<char> code(bytes);
  hiprtcGetCode(program, code.data());
  hiprtcDestroyProgram(&program);
  hipModule_t module;
  HIP_CHECK(hipModuleLoadData(&module, code.data()));
  return module;
}

static Function function_of(hipModule_t module) {
  hipDeviceptr_t place;
  std::size_t bytes;
  HIP_CHECK(hipModuleGetGlobal(&place, &bytes, module, "pointer"));
  Function function;
  HIP_CHECK(hipMemcpyDtoH(&function, place, sizeof function));
  return function;
}

/// Code that takes the place of unloaded code is what then runs.
static bool calls_what_is_loaded_now() {
  example::DeviceArray<float> out(64);
  bool right = true;
  for (const int addend : {1, 1000, 30}) {
    const hipModule_t module = module_that_adds(std::to_string(addend));
    if (module == nullptr) return false;
    apply<<<1, 64>>>(function_of(module), out.data(), 1);
    right = right && out.read()[5] == 5.0f + addend;
    HIP_CHECK(hipModuleUnload(module));
  }
  return right;
}

/// A function that is loaded no more: the launch says so.
static void calls_what_was_unloaded() {
  const hipModule_t module = module_that_adds("7");
  const Function function = function_of(module);
  HIP_CHECK(hipModuleUnload(module));
  example::DeviceArray<float> out(64);
  apply<<<1, 64>>>(function, out.data(), 1);
  std::printf("%s\n", hipGetErrorName(hipDeviceSynchronize()));
}

int main(int argc, char** argv) {
  if (argc > 1) {
    calls_what_was_unloaded();
    return 0;
  }
  if (!calls_a_function_of_another_source()) {
    std::puts("FAIL a function of another source file");
    return 1;
  }
  if (!calls_what_is_loaded_now()) {
    std::puts("FAIL a function of a module");
    return 1;
  }
  std::puts("PASS");
}
