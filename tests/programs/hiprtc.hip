// Compiling at run time: from source to a running kernel, lowered names, headers in memory, errors,
// linking bitcode, and what a source may use without an #include.
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
  ok = example::line("the log's size counts no zero byte", !log.empty() && log.back() == '\n') && ok;
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

// Each thread leaves one number that the host expects.
constexpr const char* kBuiltins = R"(
static_assert(__hip_internal::is_same<ptrdiff_t, long long>::value == WANTED, "ptrdiff_t");
__device__ hipTextureObject_t picture;
__device__ hipSurfaceObject_t canvas;
extern "C" __global__ void builtins(double* out) {
  __shared__ double numbers[16];
  const int lane = threadIdx.x;
  if (lane < 16) numbers[lane] = lane;
  __syncthreads();
  const __half half = __float2half(1.5f);
  const __half2 pair = __hadd2(__halves2half2(half, half), __float2half2_rn(1.0f));
  if (lane == 0) out[0] = __half2float(__hmul(half, __high2half(pair)));
  const __half other = __shfl(__float2half(float(lane)), 9);
  if (lane == 1) out[1] = __half2float(other);
  if (lane == 2) out[2] = hipCrealf(hipCmulf(make_hipFloatComplex(1, 2), make_hipFloatComplex(3, 4)));
  if (lane == 3) out[3] = hipCimag(hipCadd(make_hipDoubleComplex(1, 2), make_hipDoubleComplex(3, 4)));
  if (lane == 4) out[4] = HIP_INF_F > 1e38f && __int_as_float(0x40490fdb) == HIP_PI_F ? 1 : 0;
  if (lane == 5) out[5] = float(hip_bfloat16(1.0f) + hip_bfloat16(2.0f));
  __hip_internal::enable_if<true, double*>::type target = &out[6];
  if (lane < 16) unsafeAtomicMax(target, numbers[lane]);
  if (lane < 16) unsafeAtomicMin(&out[7], -numbers[lane]);
  double* heap = static_cast<double*>(malloc(sizeof(double)));
  if (heap != nullptr) *heap = 8;
  if (lane == 8) out[8] = heap != nullptr ? *heap : -1;
  free(heap);
  const cooperative_groups::thread_block block = cooperative_groups::this_thread_block();
  block.sync();
  if (lane == 9) out[9] = block.size() + __popcll(__ballot(1)) + warpSize;
  if (lane == 10) out[10] = fminf(rsqrtf(0.25f), 3.0f) + uint(8);
  if (lane == 11) out[11] = make_float4(1, 2, 3, 4).w + uchar4{1, 2, 3, 4}.y;
  assert(lane < 64);
  if (lane > 64) abort();
  if (lane > 64) printf("%d\n", lane);
}
)";

// Grids that are counted in work-items have no limit of blocks.
bool launch_most_work_items() {
  hiprtcProgram program = make_program("extern \"C\" __global__ void nothing() {}", "nothing.cu");
  if (hiprtcCompileProgram(program, 0, nullptr) != HIPRTC_SUCCESS) return false;
  hipModule_t module = load(program);
  bool ok = true;
  for (const dim3 grid : {dim3(~0u, 1, 1), dim3(1, ~0u, 1), dim3(1, 1, ~0u)}) {
    const hipError_t launched =
        hipExtModuleLaunchKernel(function(module, "nothing"), grid.x, grid.y, grid.z, 1, 1, 1, 0,
                                 nullptr, nullptr, nullptr);
    ok = example::line("2^32 - 1 work-items", launched == hipSuccess) && ok;
  }
  HIP_CHECK(hipDeviceSynchronize());
  HIP_CHECK(hipModuleUnload(module));
  (void)hiprtcDestroyProgram(&program);
  return ok;
}

bool run_builtins(hiprtcProgram program) {
  hipModule_t module = load(program);
  example::DeviceArray<double> out(12);
  out.clear();
  void* data = out.data();
  void* arguments[] = {&data};
  HIP_CHECK(hipModuleLaunchKernel(function(module, "builtins"), 1, 1, 1, 64, 1, 1, 0, nullptr,
                                  arguments, nullptr));
  const std::vector<double> expected = {3.75, 9, -5, 6, 1, 3, 15, -15, 8, 64 + 1 + 64, 10, 6};
  const std::vector<double> values = out.read();
  HIP_CHECK(hipModuleUnload(module));
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (values[i] != expected[i]) std::printf("thread %zu: %g, not %g\n", i, values[i], expected[i]);
  }
  return values == expected;
}

bool use_builtins() {
  bool ok = true;
  for (const bool wanted : {false, true}) {
    hiprtcProgram program = make_program(kBuiltins, "builtins.cu");
    const char* options[] = {wanted ? "-DWANTED=true" : "-DWANTED=false",
                             "-D__HIPRTC_PTRDIFF_T_IS_LONG_LONG__=1"};
    const bool compiled =
        hiprtcCompileProgram(program, wanted ? 2 : 1, options) == HIPRTC_SUCCESS;
    if (!compiled) std::printf("%s\n", log_of(program).c_str());
    ok = example::line(wanted ? "ptrdiff_t as asked for" : "names without an #include", compiled) && ok;
    if (!compiled) return false;
    ok = example::line("and they do what they say", run_builtins(program)) && ok;
    (void)hiprtcDestroyProgram(&program);
  }
  return ok;
}

int main() {
  bool ok = compile_and_run();
  ok = report_errors() && ok;
  ok = link_bitcode() && ok;
  ok = use_builtins() && ok;
  ok = launch_most_work_items() && ok;
  return example::verdict(ok);
}
