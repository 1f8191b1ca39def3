// A program may end while the device works: the exit waits for kernels that run or have yet to be
// translated, and what they stored is there. Each way is tried in child processes, whose runtime is
// new.
#include <hip/hip_runtime.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "common/check.hpp"

namespace {

constexpr int kChildren = 12;
constexpr int kItems = 64;

/// Memory that parent and children share.
struct Record {
  float values[kItems];
  int stored;
};

__global__ void first(Record* record) { record->values[threadIdx.x] = 0; }

/// Not launched before the end: its translation is still to come when main returns.
template <int kRounds>
__global__ void last(Record* record) {
  __shared__ float tile[kItems];
  float value = static_cast<float>(threadIdx.x);
#pragma unroll
  for (int round = 0; round < kRounds; ++round) {
    tile[threadIdx.x] = value;
    __syncthreads();
    value = sinf(value) + sqrtf(fabsf(tile[(threadIdx.x + 1 + round) % kItems]));
    __syncthreads();
  }
  record->values[threadIdx.x] = value;
  atomicAdd_system(&record->stored, 1);
}

void launch_first(Record* record) {
  hipLaunchKernelGGL(first, dim3(1), dim3(kItems), 0, nullptr, record);
  HIP_CHECK(hipDeviceSynchronize());
}

void end_behind_a_launch(Record* record) {
  launch_first(record);
  hipLaunchKernelGGL(last<8>, dim3(1), dim3(kItems), 0, nullptr, record);
}

void end_behind_the_first_launch(Record* record) {
  hipLaunchKernelGGL(last<9>, dim3(1), dim3(kItems), 0, nullptr, record);
}

void end_behind_a_stream(Record* record) {
  launch_first(record);
  hipStream_t stream;
  HIP_CHECK(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
  hipLaunchKernelGGL(last<10>, dim3(1), dim3(kItems), 0, stream, record);
}

void end_behind_a_graph(Record* record) {
  launch_first(record);
  hipStream_t stream;
  HIP_CHECK(hipStreamCreate(&stream));
  HIP_CHECK(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
  hipLaunchKernelGGL(last<11>, dim3(1), dim3(kItems), 0, stream, record);
  hipGraph_t graph;
  HIP_CHECK(hipStreamEndCapture(stream, &graph));
  hipGraphExec_t executable;
  HIP_CHECK(hipGraphInstantiate(&executable, graph, nullptr, nullptr, 0));
  HIP_CHECK(hipGraphLaunch(executable, stream));
}

bool ends_well(void (*work)(Record*), Record* record) {
  record->stored = 0;
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    HIP_CHECK(hipHostRegister(record, sizeof(Record), hipHostRegisterDefault));
    work(record);
    std::exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 && record->stored == kItems;
}

int count_good_ends(void (*work)(Record*), Record* record) {
  int good = 0;
  for (int i = 0; i < kChildren; ++i) good += ends_well(work, record) ? 1 : 0;
  return good;
}

}  // namespace

int main() {
  void* const shared = mmap(nullptr, sizeof(Record), PROT_READ | PROT_WRITE,
                            MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  auto* const record = static_cast<Record*>(shared);
  bool right = true;
  const auto expect = [&](const char* name, void (*work)(Record*)) {
    right &= example::line(name, count_good_ends(work, record) == kChildren);
  };
  expect("behind a launch", end_behind_a_launch);
  expect("behind the first launch", end_behind_the_first_launch);
  expect("behind a stream", end_behind_a_stream);
  expect("behind a graph", end_behind_a_graph);
  return example::verdict(right);
}
