// Graphs with kernels: built by hand, captured from two streams, changed after instantiation.
#include "common/check.hpp"

constexpr int kCount = 1000;
constexpr int kBlock = 128;
constexpr int kBlocks = (kCount + kBlock - 1) / kBlock;

__device__ int offset = 100;
__device__ int factor = 1;

__global__ void scale(int* values, int by, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) values[i] = values[i] * by * factor + offset;
}

__global__ void add(int* sum, const int* a, const int* b, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) sum[i] = a[i] + b[i];
}

struct KernelArguments {
  int* values;
  int factor;
  int count = kCount;
  void* list[3] = {&values, &factor, &count};
  KernelArguments(int* memory, int by) : values(memory), factor(by) {}
  KernelArguments(const KernelArguments&) = delete;
};

hipKernelNodeParams scale_params(KernelArguments& arguments) {
  hipKernelNodeParams params{};
  params.func = reinterpret_cast<void*>(scale);
  params.gridDim = dim3(kBlocks);
  params.blockDim = dim3(kBlock);
  params.kernelParams = arguments.list;
  return params;
}

bool all_are(const std::vector<int>& values, int wanted) {
  for (const int value : values) {
    if (value != wanted) return false;
  }
  return true;
}

// memset -> kernel -> copy to the host -> host function; then with other arguments.
bool built_by_hand(hipStream_t stream) {
  example::DeviceArray<int> device(kCount);
  std::vector<int> host(kCount, 0);
  hipGraph_t graph;
  hipGraphNode_t fill, kernel, copy, call;
  HIP_CHECK(hipGraphCreate(&graph, 0));
  hipMemsetParams fill_params{};
  fill_params.dst = device.data();
  fill_params.elementSize = 4;
  fill_params.width = kCount;
  fill_params.height = 1;
  fill_params.value = 3;
  HIP_CHECK(hipGraphAddMemsetNode(&fill, graph, nullptr, 0, &fill_params));
  {
    // The node has its own copy of the arguments.
    KernelArguments arguments(device.data(), 2);
    const hipKernelNodeParams params = scale_params(arguments);
    HIP_CHECK(hipGraphAddKernelNode(&kernel, graph, &fill, 1, &params));
    arguments.factor = 99;
  }
  HIP_CHECK(hipGraphAddMemcpyNode1D(&copy, graph, &kernel, 1, host.data(), device.data(),
                                    kCount * sizeof(int), hipMemcpyDeviceToHost));
  int total = 0;
  struct Sum {
    std::vector<int>* values;
    int* total;
  } sum{&host, &total};
  hipHostNodeParams host_params{};
  host_params.fn = [](void* data) {
    const auto* wanted = static_cast<Sum*>(data);
    *wanted->total = 0;
    for (const int value : *wanted->values) *wanted->total += value;
  };
  host_params.userData = &sum;
  HIP_CHECK(hipGraphAddHostNode(&call, graph, &copy, 1, &host_params));

  hipGraphExec_t executable;
  HIP_CHECK(hipGraphInstantiate(&executable, graph, nullptr, nullptr, 0));
  HIP_CHECK(hipGraphLaunch(executable, stream));
  HIP_CHECK(hipStreamSynchronize(stream));
  bool ok = example::line("memset, kernel, copy, host function",
                          all_are(host, 3 * 2 + 100) && total == kCount * 106);

  KernelArguments changed(device.data(), 5);
  const hipKernelNodeParams params = scale_params(changed);
  HIP_CHECK(hipGraphExecKernelNodeSetParams(executable, kernel, &params));
  HIP_CHECK(hipGraphLaunch(executable, stream));
  HIP_CHECK(hipStreamSynchronize(stream));
  ok = example::line("other arguments", all_are(host, 3 * 5 + 100)) && ok;

  hipKernelNodeParams back{};
  HIP_CHECK(hipGraphKernelNodeGetParams(kernel, &back));
  const bool same = back.func == reinterpret_cast<void*>(scale) && back.gridDim.x == kBlocks &&
                    back.blockDim.x == kBlock && *static_cast<int*>(back.kernelParams[1]) == 2;
  ok = example::line("the graph keeps its parameters", same) && ok;

  back.blockDim.x = 1025;
  const bool refused = hipGraphKernelNodeSetParams(kernel, &back) == hipErrorInvalidConfiguration;
  ok = example::line("an impossible block is refused", refused) && ok;
  HIP_CHECK(hipGraphExecDestroy(executable));
  HIP_CHECK(hipGraphDestroy(graph));
  return ok;
}

// Two branches on two streams that meet in a sum; launched many times without waiting.
bool captured(hipStream_t stream) {
  example::DeviceArray<int> a(kCount), b(kCount), sum(kCount);
  hipStream_t branch;
  hipEvent_t fork, join;
  HIP_CHECK(hipStreamCreate(&branch));
  HIP_CHECK(hipEventCreate(&fork));
  HIP_CHECK(hipEventCreate(&join));
  a.clear();
  b.clear();
  HIP_CHECK(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
  HIP_CHECK(hipEventRecord(fork, stream));
  HIP_CHECK(hipStreamWaitEvent(branch, fork, 0));
  scale<<<kBlocks, kBlock, 0, stream>>>(a.data(), 1, kCount);
  scale<<<kBlocks, kBlock, 0, branch>>>(b.data(), 0, kCount);
  HIP_CHECK(hipEventRecord(join, branch));
  HIP_CHECK(hipStreamWaitEvent(stream, join, 0));
  add<<<kBlocks, kBlock, 0, stream>>>(sum.data(), a.data(), b.data(), kCount);
  hipGraph_t graph;
  HIP_CHECK(hipStreamEndCapture(stream, &graph));
  bool ok = example::line("nothing runs during the capture", all_are(a.read(), 0));

  size_t nodes = 0, edges = 0;
  HIP_CHECK(hipGraphGetNodes(graph, nullptr, &nodes));
  HIP_CHECK(hipGraphGetEdges(graph, nullptr, nullptr, &edges));
  ok = example::line("three nodes, two edges", nodes == 3 && edges == 2) && ok;

  hipGraphExec_t executable;
  HIP_CHECK(hipGraphInstantiate(&executable, graph, nullptr, nullptr, 0));
  constexpr int kLaunches = 20;
  for (int i = 0; i < kLaunches; ++i) HIP_CHECK(hipGraphLaunch(executable, stream));
  HIP_CHECK(hipStreamSynchronize(stream));
  ok = example::line("twenty launches", all_are(sum.read(), kLaunches * 100 + 100)) && ok;
  HIP_CHECK(hipGraphExecDestroy(executable));
  HIP_CHECK(hipGraphDestroy(graph));
  HIP_CHECK(hipEventDestroy(fork));
  HIP_CHECK(hipEventDestroy(join));
  HIP_CHECK(hipStreamDestroy(branch));
  return ok;
}

// The kind must be the direction from the memory that a copy to a symbol reads.
bool changes_of_symbol_copies_are_checked(hipGraphNode_t node, int* device) {
  static int pageable = 7;
  const auto change = [&](const void* source, hipMemcpyKind kind) {
    return hipGraphMemcpyNodeSetParamsToSymbol(node, &offset, source, sizeof(int), 0, kind);
  };
  const bool ok = change(&pageable, hipMemcpyDeviceToDevice) == hipErrorInvalidValue &&
                  change(device, hipMemcpyHostToDevice) == hipErrorInvalidValue &&
                  change(&factor, hipMemcpyDeviceToDevice) == hipErrorInvalidValue &&
                  change(device, hipMemcpyDeviceToDevice) == hipSuccess &&
                  change(&pageable, hipMemcpyDefault) == hipSuccess;
  return example::line("changes of a symbol's copy", ok);
}

// A copy to a device variable, and a child graph that uses it.
bool with_symbol_and_child(hipStream_t stream) {
  example::DeviceArray<int> device(kCount);
  device.clear();
  hipGraph_t graph, child;
  hipGraphNode_t kernel, to_symbol, child_node;
  HIP_CHECK(hipGraphCreate(&graph, 0));
  HIP_CHECK(hipGraphCreate(&child, 0));
  KernelArguments arguments(device.data(), 1);
  const hipKernelNodeParams params = scale_params(arguments);
  HIP_CHECK(hipGraphAddKernelNode(&kernel, child, nullptr, 0, &params));
  int wanted = 7;
  HIP_CHECK(hipGraphAddMemcpyNodeToSymbol(&to_symbol, graph, nullptr, 0, &offset,
                                          &wanted, sizeof(wanted), 0, hipMemcpyHostToDevice));
  HIP_CHECK(hipGraphAddChildGraphNode(&child_node, graph, &to_symbol, 1, child));
  const bool refused = changes_of_symbol_copies_are_checked(to_symbol, device.data());
  hipGraphExec_t executable;
  HIP_CHECK(hipGraphInstantiate(&executable, graph, nullptr, nullptr, 0));
  HIP_CHECK(hipGraphLaunch(executable, stream));
  HIP_CHECK(hipStreamSynchronize(stream));
  const bool ok = example::line("symbol and child graph", all_are(device.read(), 7)) && refused;
  HIP_CHECK(hipGraphExecDestroy(executable));
  HIP_CHECK(hipGraphDestroy(child));
  HIP_CHECK(hipGraphDestroy(graph));
  return ok;
}

int main() {
  hipStream_t stream;
  HIP_CHECK(hipStreamCreate(&stream));
  bool ok = built_by_hand(stream);
  ok = captured(stream) && ok;
  ok = with_symbol_and_child(stream) && ok;
  HIP_CHECK(hipStreamDestroy(stream));
  return example::verdict(ok);
}
