// Compiling at run time: from source to a running kernel, lowered names, headers in memory, errors,
// and linking bitcode.
#include <hip/hip_ext.h>
#include <hip/hiprtc.h>

#include <cstring>
#include <string>

#include "common/check.hpp"

// ROCm 5.3 and later; the headers of ROCm 5.2 do not declare them.
extern "C" {
hiprtcResult hiprtcGetBitcodeSize(hiprtcProgram, size_t*);
hiprtcResult hiprtcGetBitcode(hiprtcProgram, char*);
hiprtcResult hiprtcLinkCreate(unsigned, const int*, void**, void**);
hiprtcResult hiprtcLinkAddData(void*, int, void*, size_t, const char*, unsigned, const int*, void**);
hiprtcResult hiprtcLinkComplete(void*, void**, size_t*);
hiprtcResult hiprtcLinkDestroy(void*);
}

constexpr int kInputBitcode = 100;
constexpr int kLinkingFailed = 100;

constexpr const char* kSource = R"(
#include "scale.h"
#include "deep/offset.h"
extern "C" __global__ void fill(float* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = scale(i) + kOffset + BIAS;
}
namespace shapes {
__device__ int calls = 7;
template <class T, int n> __global__ void repeat(T* out, T value) {
  if (threadIdx.x < n) out[threadIdx.x] = value + __shfl(value, 3) + calls;
}
}
)";

hiprtcProgram make_program(const char* source, const char* name) {
  const char* headers[] = {"__device__ float scale(int i) { return sqrtf(float(i) * i); }",
                           "constexpr int kOffset = 10;"};
  const char* names[] = {"scale.h", "deep/offset.h"};
  hiprtcProgram program = nullptr;
  if (hiprtcCreateProgram(&program, source, name, 2, headers, names) != HIPRTC_SUCCESS) std::exit(2);
  return program;
}

std::string log_of(hiprtcProgram program) {
  size_t size = 0;
  if (hiprtcGetProgramLogSize(program, &size) != HIPRTC_SUCCESS) return "no log";
  std::string log(size, '\0');
  (void)hiprtcGetProgramLog(program, log.data());
  return log;
}

hipModule_t load(hiprtcProgram program) {
  size_t size = 0;
  hipModule_t module = nullptr;
  if (hiprtcGetCodeSize(program, &size) != HIPRTC_SUCCESS || size == 0) std::exit(2);
  std::string code(size, '\0');
  (void)hiprtcGetCode(program, code.data());
  HIP_CHECK(hipModuleLoadData(&module, code.data()));
  return module;
}

hipFunction_t function(hipModule_t module, const char* name) {
  hipFunction_t result = nullptr;
  HIP_CHECK(hipModuleGetFunction(&result, module, name));
  return result;
}

const char* lowered(hiprtcProgram program, const char* expression) {
  const char* name = "";
  (void)hiprtcGetLoweredName(program, expression, &name);
  return name;
}

// The functions that hip_ext.h declares in C++ count work-items, not blocks.
hipError_t launch_fill(int way, hipFunction_t fill, void** arguments) {
  switch (way) {
    case 0: return hipModuleLaunchKernel(fill, 2, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr);
    case 1: return hipExtModuleLaunchKernel(fill, 128, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr);
    default:
      return hipHccModuleLaunchKernel(fill, 128, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr);
  }
}

bool run_fill(hipModule_t module) {
  example::DeviceArray<float> out(100);
  void* data = out.data();
  int count = 100;
  void* arguments[] = {&data, &count};
  bool ok = true;
  for (int way = 0; way < 3; ++way) {
    out.clear();
    HIP_CHECK(launch_fill(way, function(module, "fill"), arguments));
    const std::vector<float> values = out.read();
    for (int i = 0; i < 100; ++i) ok = ok && values[i] == static_cast<float>(i) + 10 + 0.5f;
  }
  return ok;
}

bool run_repeat(hiprtcProgram program, hipModule_t module) {
  example::DeviceArray<int> out(64);
  out.clear();
  void* data = out.data();
  int value = 4;
  void* arguments[] = {&data, &value};
  const char* name = lowered(program, "shapes::repeat<int, 32>");
  HIP_CHECK(hipModuleLaunchKernel(function(module, name), 1, 1, 1, 64, 1, 1, 0, nullptr, arguments,
                                  nullptr));
  const std::vector<int> values = out.read();
  return values[0] == 15 && values[31] == 15 && values[32] == 0;
}

bool check_variable(hiprtcProgram program, hipModule_t module) {
  hipDeviceptr_t address = nullptr;
  size_t size = 0;
  int value = 0;
  HIP_CHECK(hipModuleGetGlobal(&address, &size, module, lowered(program, "&shapes::calls")));
  HIP_CHECK(hipMemcpyDtoH(&value, address, sizeof value));
  return size == sizeof value && value == 7;
}

bool refuses_destroyed_stream(hipModule_t module) {
  hipFunction_t kernel;
  HIP_CHECK(hipModuleGetFunction(&kernel, module, "fill"));
  hipStream_t stream;
  HIP_CHECK(hipStreamCreate(&stream));
  HIP_CHECK(hipStreamDestroy(stream));
  void* arguments[3] = {};
  return hipModuleLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, stream, arguments, nullptr) ==
         hipErrorInvalidValue;
}

bool compile_and_run() {
  hiprtcProgram program = make_program(kSource, "fill.cu");
  for (const char* name : {"shapes::repeat<int, 32>", "&shapes::calls"}) {
    if (hiprtcAddNameExpression(program, name) != HIPRTC_SUCCESS) return false;
  }
  const char* options[] = {"-DBIAS=0.5f", "-std=c++17"};
  bool ok = example::line("compiles", hiprtcCompileProgram(program, 2, options) == HIPRTC_SUCCESS);
  if (!ok) std::printf("%s\n", log_of(program).c_str());
  ok = example::line("has an empty log", log_of(program).empty()) && ok;
  hipModule_t module = load(program);
  ok = example::line("a kernel by its own name", run_fill(module)) && ok;
  ok = example::line("no stream", refuses_destroyed_stream(module)) && ok;
  ok = example::line("a template by its lowered name", run_repeat(program, module)) && ok;
  ok = example::line("a variable by its lowered name", check_variable(program, module)) && ok;
  const char* name = nullptr;
  ok = example::line("an expression not added", hiprtcGetLoweredName(program, "shapes", &name) ==
                                                    HIPRTC_ERROR_NAME_EXPRESSION_NOT_VALID) && ok;
  HIP_CHECK(hipModuleUnload(module));
  ok = example::line("unloaded once", hipModuleUnload(module) == hipErrorNotFound) && ok;
  ok = example::line("a file without a name", hipModuleLoad(&module, "") ==
                                                  hipErrorInvalidValue) && ok;
  hiprtcProgram stale = program;
  ok = example::line("destroyed once", hiprtcDestroyProgram(&program) == HIPRTC_SUCCESS) && ok;
  return example::line("and no more", hiprtcDestroyProgram(&stale) ==
                                          HIPRTC_ERROR_INVALID_PROGRAM) && ok;
}

bool report_errors() {
  hiprtcProgram program = make_program("__global__ void broken(int* p) {\n  *p = nothing;\n}",
                                       "broken.cu");
  const bool failed = hiprtcCompileProgram(program, 0, nullptr) == HIPRTC_ERROR_COMPILATION;
  const std::string log = log_of(program);
  bool ok = example::line("a wrong source", failed);
  ok = example::line("the log names file and line",
                     log.find("broken.cu:2:8: error: use of undeclared identifier 'nothing'") !=
                         std::string::npos) && ok;
  ok = example::line("the log ends with a zero byte", !log.empty() && log.back() == '\0') && ok;
  size_t size = 1;
  ok = example::line("no code", hiprtcGetCodeSize(program, &size) == HIPRTC_SUCCESS &&
                                    size == 0) && ok;
  (void)hiprtcDestroyProgram(&program);
  program = make_program("int i;", "escape.cu");
  hiprtcProgram outside = nullptr;
  const char* text = "int j;";
  const char* name = "../../outside.h";
  (void)hiprtcCreateProgram(&outside, "int i;", nullptr, 1, &text, &name);
  ok = example::line("a header outside of the folder",
                     hiprtcCompileProgram(outside, 0, nullptr) == HIPRTC_ERROR_COMPILATION) && ok;
  (void)hiprtcDestroyProgram(&outside);
  (void)hiprtcDestroyProgram(&program);
  ok = example::line("an empty source", hiprtcCreateProgram(&program, "", "", 0, nullptr, nullptr) ==
                                            HIPRTC_ERROR_INVALID_INPUT) && ok;
  return example::line("names of errors",
                       std::strcmp(hiprtcGetErrorString(HIPRTC_ERROR_COMPILATION),
                                   "HIPRTC_ERROR_COMPILATION") == 0) && ok;
}

bool link_bitcode() {
  const char* sources[] = {"__device__ int twice(int v) { return 2 * v; }",
                           "__device__ int twice(int);\n"
                           "extern \"C\" __global__ void use(int* p) { *p = twice(*p); }"};
  void* state = nullptr;
  if (hiprtcLinkCreate(0, nullptr, nullptr, &state) != HIPRTC_SUCCESS) return false;
  bool ok = true;
  void* image = nullptr;
  size_t image_size = 0;
  for (int i = 1; i >= 0; --i) {
    hiprtcProgram program = make_program(sources[i], "part.cu");
    const char* options[] = {"-fgpu-rdc"};
    ok = hiprtcCompileProgram(program, 1, options) == HIPRTC_SUCCESS && ok;
    size_t size = 0;
    ok = hiprtcGetBitcodeSize(program, &size) == HIPRTC_SUCCESS && ok;
    std::string bitcode(size, '\0');
    ok = hiprtcGetBitcode(program, bitcode.data()) == HIPRTC_SUCCESS && ok;
    ok = hiprtcLinkAddData(state, kInputBitcode, bitcode.data(), size, "part", 0, nullptr,
                           nullptr) == HIPRTC_SUCCESS && ok;
    (void)hiprtcDestroyProgram(&program);
    const int linked = hiprtcLinkComplete(state, &image, &image_size);
    ok = linked == (i == 1 ? kLinkingFailed : 0) && ok;
  }
  if (!example::line("bitcode links once complete", ok)) return false;
  hipModule_t module = nullptr;
  HIP_CHECK(hipModuleLoadData(&module, image));
  example::DeviceArray<int> value(std::vector<int>{21});
  void* data = value.data();
  void* arguments[] = {&data};
  HIP_CHECK(hipModuleLaunchKernel(function(module, "use"), 1, 1, 1, 1, 1, 1, 0, nullptr, arguments,
                                  nullptr));
  ok = example::line("and runs", value.read()[0] == 42);
  ok = example::line("link state destroyed", hiprtcLinkDestroy(state) == HIPRTC_SUCCESS) && ok;
  return example::line("and no more", hiprtcLinkDestroy(state) == HIPRTC_ERROR_INVALID_INPUT) && ok;
}

int main() {
  bool ok = compile_and_run();
  ok = report_errors() && ok;
  ok = link_bitcode() && ok;
  return example::verdict(ok);
}
