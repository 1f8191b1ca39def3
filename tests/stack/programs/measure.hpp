// Times a library call: the first, a later one, and its kernels alone.
#pragma once

#include <hip/hip_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

/// Ends the program where a call of the HIP runtime or of a library, whose success is 0, fails.
template <typename Status>
void check(Status status, const char* what) {
  if (static_cast<int>(status) == 0) return;
  std::fprintf(stderr, "%s gave %d\n", what, static_cast<int>(status));
  std::exit(2);
}

/// Milliseconds of the wall clock that `work` takes.
template <typename Work>
double milliseconds(Work work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
      .count();
}

/// Device memory with `count` values of a simple pattern of small integers, which f16 holds
/// exactly.
template <typename T>
T* filled(std::size_t count) {
  std::vector<T> host(count);
  for (std::size_t i = 0; i < count; ++i) host[i] = static_cast<T>(static_cast<float>(i % 7) - 3);
  void* device = nullptr;
  check(hipMalloc(&device, count * sizeof(T)), "hipMalloc");
  check(hipMemcpy(device, host.data(), count * sizeof(T), hipMemcpyHostToDevice), "hipMemcpy");
  return static_cast<T*>(device);
}

/// Prints `name`, the milliseconds of a first call of `call` with the wait for the device, those of
/// a later one, and those of what a call enqueues on `stream` without the library's host code: the
/// same work, captured, as a graph. Later calls and launches of the graph alternate, and the least
/// of each counts: other work on the machine only adds.
template <typename Call>
void measure(const char* name, hipStream_t stream, Call call) {
  constexpr int kRounds = 10;
  const auto finished = [&] {
    call();
    check(hipStreamSynchronize(stream), "hipStreamSynchronize");
  };
  const double first = milliseconds(finished);
  hipGraph_t graph = nullptr;
  hipGraphExec_t executable = nullptr;
  check(hipStreamBeginCapture(stream, hipStreamCaptureModeRelaxed), "hipStreamBeginCapture");
  call();
  check(hipStreamEndCapture(stream, &graph), "hipStreamEndCapture");
  check(hipGraphInstantiate(&executable, graph, nullptr, nullptr, 0), "hipGraphInstantiate");
  const auto kernels = [&] {
    check(hipGraphLaunch(executable, stream), "hipGraphLaunch");
    check(hipStreamSynchronize(stream), "hipStreamSynchronize");
  };
  kernels();
  double later = milliseconds(finished), alone = milliseconds(kernels);
  for (int round = 1; round < kRounds; ++round) {
    later = std::min(later, milliseconds(finished));
    alone = std::min(alone, milliseconds(kernels));
  }
  std::printf("%s|%.2f|%.2f|%.2f\n", name, first, later, alone);
  std::fflush(stdout);
}
