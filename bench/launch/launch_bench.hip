// What a launch costs: small grids in a row, one at a time, and workgroups that do nothing.
// WAVETANK_THREADS sets the worker threads. Wall time and processor time of the process, the best
// of a few rounds:
//
//   launch_bench [ROUNDS]
#include "common/check.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>

namespace {

__global__ void add_one(int* values) { values[blockIdx.x * blockDim.x + threadIdx.x] += 1; }

__global__ void next_to_nothing(int* out) {
  if (out != nullptr) *out = 1;
}

/// Some 10 ms in each workgroup.
__global__ void long_chain(float* out, int rounds) {
  float value = static_cast<float>(threadIdx.x);
  for (int i = 0; i < rounds; ++i) value = value * 0.999f + 1.0f;
  out[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

double processor_seconds() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

double wall_seconds() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double>(now).count();
}

/// Prints the best of `rounds` calls, divided by `count`, in units of `unit_seconds`.
template <class Work>
void report(const char* name, int rounds, double count, const char* unit, double unit_seconds,
            Work work) {
  double wall = 1e30, processor = 1e30;
  for (int i = 0; i < rounds; ++i) {
    const double wall_begin = wall_seconds(), processor_begin = processor_seconds();
    work();
    wall = std::min(wall, wall_seconds() - wall_begin);
    processor = std::min(processor, processor_seconds() - processor_begin);
  }
  std::printf("%-44s %9.2f %9.2f %s\n", name, wall / count / unit_seconds,
              processor / count / unit_seconds, unit);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = example::size_argument(argc, argv, 5);
  constexpr double kUs = 1e-6, kMs = 1e-3, kNs = 1e-9;
  constexpr int kLaunches = 20000, kWaits = 5000, kLongRounds = 200000;
  example::DeviceArray<int> values(1 << 20);
  example::DeviceArray<float> numbers(4 * 256);
  std::printf("%-44s %9s %9s\n", "", "wall", "processor");
  report("launches in a row, 4 workgroups of 256", rounds, kLaunches, "us", kUs, [&] {
    for (int i = 0; i < kLaunches; ++i) add_one<<<4, 256>>>(values.data());
    example::finish_kernel();
  });
  report("launches in a row, 1 workgroup of 64", rounds, kLaunches, "us", kUs, [&] {
    for (int i = 0; i < kLaunches; ++i) add_one<<<1, 64>>>(values.data());
    example::finish_kernel();
  });
  report("launch and wait, 4 workgroups of 256", rounds, kWaits, "us", kUs, [&] {
    for (int i = 0; i < kWaits; ++i) {
      add_one<<<4, 256>>>(values.data());
      example::finish_kernel();
    }
  });
  report("a launch of 4096 workgroups of 256", rounds, 20, "us", kUs, [&] {
    for (int i = 0; i < 20; ++i) add_one<<<4096, 256>>>(values.data());
    example::finish_kernel();
  });
  report("a workgroup of 64 that does next to nothing", rounds, 1 << 20, "ns", kNs, [&] {
    next_to_nothing<<<1 << 20, 64>>>(nullptr);
    example::finish_kernel();
  });
  for (const int groups : {1, 4}) {
    report(groups == 1 ? "1 long workgroup" : "4 long workgroups", rounds, 1, "ms", kMs, [&] {
      long_chain<<<groups, 256>>>(numbers.data(), kLongRounds);
      example::finish_kernel();
    });
  }
}
