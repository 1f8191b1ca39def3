// Workgroups that wait for each other in spin loops. The device could hold them all at once, so
// each must go on while another spins.
#include "common/check.hpp"
#include "litmus/agent.hpp"

using litmus::load;
using litmus::store;

// Two workgroups hand a counter to and fro.
__global__ void ping_pong(int* turn, int rounds) {
  if (threadIdx.x != 0) return;
  const int self = blockIdx.x;
  for (int i = 0; i < rounds; ++i) {
    while (load(turn) % 2 != self) {
    }
    store(turn, load(turn) + 1);
  }
}

// The first workgroup waits for the last, all others for their successor.
__global__ void wait_for_successor(int* flags) {
  const int next = blockIdx.x + 1;
  if (threadIdx.x == 0) {
    if (next < static_cast<int>(gridDim.x)) {
      while (load(&flags[next]) == 0) __builtin_amdgcn_s_sleep(1);
    }
    store(&flags[blockIdx.x], 1);
  }
}

// A lock taken by one lane of each wave, held over a critical section.
__global__ void spin_lock(int* lock, int* counter) {
  if (threadIdx.x % 64 != 0) return;
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence();
  *const_cast<volatile int*>(counter) = *const_cast<volatile int*>(counter) + 1;
  __threadfence();
  atomicExch(lock, 0);
}

int main() {
  example::DeviceArray<int> words(256);
  bool ok = true;

  words.clear();
  ping_pong<<<2, 64>>>(words.data(), 1000);
  example::finish_kernel();
  ok = example::line("ping-pong", words.read()[0] == 2000) && ok;

  words.clear();
  wait_for_successor<<<200, 128>>>(words.data());
  example::finish_kernel();
  int set = 0;
  for (int flag : words.read()) set += flag;
  ok = example::line("wait for the successor", set == 200) && ok;

  words.clear();
  spin_lock<<<50, 256>>>(words.data(), words.data() + 64);
  example::finish_kernel();
  ok = example::line("spin lock", words.read()[64] == 200) && ok;
  return example::verdict(ok);
}
