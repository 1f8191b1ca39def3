// Waits of the host and of workgroups. Linux counts a yield as a whole time slice, so that on busy
// cores each costs milliseconds: nothing may yield, nor keep a core busy while all workgroups wait
// for the host.
#include "common/check.hpp"
#include "litmus/agent.hpp"

#include <atomic>
#include <chrono>
#include <ctime>
#include <thread>
#include <vector>

namespace {

std::atomic<int> yields{0};

__global__ void add_one(int* values) { atomicAdd(&values[threadIdx.x], 1); }

/// Workgroups pass the barrier together, `rounds` times.
__global__ void barriers(int* arrived, int rounds) {
  for (int i = 1; i <= rounds; ++i) {
    if (threadIdx.x == 0) {
      atomicAdd(arrived, 1);
      while (litmus::load(arrived) < i * static_cast<int>(gridDim.x)) {
      }
    }
    __syncthreads();
  }
}

/// Sleeps between any two steps, which is no waiting.
__global__ void dozing_sum(int* sums, int steps) {
  int sum = 0;
  for (int i = 0; i < steps; ++i) {
    sum += i & 3;
    __builtin_amdgcn_s_sleep(1);
  }
  sums[threadIdx.x] = sum;
}

__global__ void until_told(volatile int* told) {
  while (*told == 0) {
  }
}

double processor_seconds() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

/// Each thread waits for its own stream, again and again.
void wait_for_streams(int* values, int rounds) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([=] {
      hipStream_t stream;
      HIP_CHECK(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
      for (int round = 0; round < rounds; ++round) {
        add_one<<<1, 64, 0, stream>>>(values);
        HIP_CHECK(hipStreamSynchronize(stream));
      }
      HIP_CHECK(hipStreamDestroy(stream));
    });
  }
  for (std::thread& thread : threads) thread.join();
}

/// Processor time for each second in which a kernel waits for the host.
double busy_share_of_a_wait() {
  void* memory = nullptr;
  HIP_CHECK(hipHostMalloc(&memory, 64));
  auto* const told = static_cast<volatile int*>(memory);
  *told = 0;
  until_told<<<4, 64>>>(static_cast<int*>(memory));
  constexpr double kSeconds = 0.4;
  const double before = processor_seconds();
  std::this_thread::sleep_for(std::chrono::duration<double>(kSeconds));
  const double share = (processor_seconds() - before) / kSeconds;
  *told = 1;
  example::finish_kernel();
  return share;
}

}  // namespace

/// Instead of the C library's, for the runtime too.
extern "C" int sched_yield() noexcept {
  ++yields;
  return 0;
}

int main() {
  example::DeviceArray<int> values(256);
  std::this_thread::yield();
  bool ok = example::line("yields are counted", yields.exchange(0) == 1);

  values.clear();
  HIP_CHECK(hipDeviceSynchronize());  // the streams do not wait for the null stream's fill
  constexpr int kRounds = 200;
  wait_for_streams(values.data(), kRounds);
  ok = example::line("four threads wait for their streams", values.read()[5] == 4 * kRounds) && ok;

  values.clear();
  barriers<<<8, 64>>>(values.data(), kRounds);
  example::finish_kernel();
  ok = example::line("workgroups wait for each other", values.read()[0] == 8 * kRounds) && ok;

  dozing_sum<<<1, 256>>>(values.data(), 4 * kRounds);
  example::finish_kernel();
  ok = example::line("a workgroup sleeps between its steps", values.read()[255] == 6 * kRounds) &&
       ok;

  ok = example::line("workgroups wait for the host and leave the core",
                     busy_share_of_a_wait() < 0.7) &&
       ok;
  ok = example::line("and nobody has yielded", yields == 0) && ok;
  return example::verdict(ok);
}
