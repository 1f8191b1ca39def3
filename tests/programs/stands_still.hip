// A kernel waits longer for the host than anybody should: a warning tells, and the program goes on.
#include <hip/hip_runtime.h>

#include <chrono>
#include <cstdio>
#include <thread>

__global__ void wait_for(const int* flag) {
  while (__hip_atomic_load(flag, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_SYSTEM) == 0) {
    __builtin_amdgcn_s_sleep(1);
  }
}

int main() {
  int* flag = nullptr;
  if (hipHostMalloc(&flag, sizeof *flag) != hipSuccess) return 1;
  *flag = 0;
  wait_for<<<3, 128>>>(flag);
  std::this_thread::sleep_for(std::chrono::seconds(12));
  __atomic_store_n(flag, 1, __ATOMIC_RELEASE);
  if (hipDeviceSynchronize() != hipSuccess) return 1;
  std::puts("PASS");
}
