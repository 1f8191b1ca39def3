// A graph whose nodes use the same memory has no edge between them. FIXED: it has.
#include "memory.hpp"

__global__ void fill(int* out) { out[blockIdx.x * blockDim.x + threadIdx.x] = 1; }

int main() {
  int* memory = zeros<int>(1024);
  int* const result = zeros<int>(1024);
  void* arguments[] = {&memory};
  hipKernelNodeParams launch = {};
  launch.func = reinterpret_cast<void*>(fill);
  launch.gridDim = dim3(4);
  launch.blockDim = dim3(256);
  launch.kernelParams = arguments;
  hipGraph_t graph;
  hipGraphNode_t filling, copying;
  HIP_CHECK(hipGraphCreate(&graph, 0));
  HIP_CHECK(hipGraphAddKernelNode(&filling, graph, nullptr, 0, &launch));
#ifdef FIXED
  const std::size_t edges = 1;
#else
  const std::size_t edges = 0;
#endif
  HIP_CHECK(hipGraphAddMemcpyNode1D(&copying, graph, &filling, edges, result, memory, 4096,
                                    hipMemcpyDeviceToDevice));
  hipGraphExec_t executable;
  HIP_CHECK(hipGraphInstantiate(&executable, graph, nullptr, nullptr, 0));
  HIP_CHECK(hipGraphLaunch(executable, nullptr));
  return finish();
}
