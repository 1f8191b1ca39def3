// Launches whose arguments have other bytes in the padding of a struct, or, with a word behind the
// program's name, the same. How long one takes is said by a word in memory, which is another for
// each: of a launch that is taken to repeat an earlier one it does not show.
#include <hip/hip_runtime.h>

#include <cstddef>
#include <cstring>

#include "common/check.hpp"

struct Task {
  bool doubled;
  float* values;
  short first;
  signed char step;
  int count;
  bool negated;
  const int* rounds;
};

__global__ void add(Task task) {
  const int i = task.first + task.step * static_cast<int>(threadIdx.x);
  const float value = task.doubled ? 2.0f : 1.0f;
  if (i >= task.count) return;
  for (int round = 0; round < *task.rounds; ++round)
    task.values[i] += task.negated ? -value : value;
}

int main(int argc, char**) {
  Task task{true, nullptr, 1, 1, 64, false, nullptr};
  int* rounds = nullptr;
  HIP_CHECK(hipMalloc(&rounds, sizeof *rounds));
  task.rounds = rounds;
  HIP_CHECK(hipMalloc(&task.values, 64 * sizeof(float)));
  HIP_CHECK(hipMemset(task.values, 0, 64 * sizeof(float)));
  alignas(Task) unsigned char bytes[sizeof(Task)];
  for (int launch = 0; launch < 6; ++launch) {
    std::memset(bytes, argc > 1 ? 0 : 0x5a + 7 * launch, sizeof bytes);
    std::memcpy(bytes + offsetof(Task, doubled), &task.doubled, sizeof task.doubled);
    std::memcpy(bytes + offsetof(Task, values), &task.values, sizeof task.values);
    std::memcpy(bytes + offsetof(Task, first), &task.first, sizeof task.first);
    std::memcpy(bytes + offsetof(Task, step), &task.step, sizeof task.step);
    std::memcpy(bytes + offsetof(Task, count), &task.count, sizeof task.count);
    std::memcpy(bytes + offsetof(Task, negated), &task.negated, sizeof task.negated);
    std::memcpy(bytes + offsetof(Task, rounds), &task.rounds, sizeof task.rounds);
    const int now = 1 + launch;
    HIP_CHECK(hipMemcpy(rounds, &now, sizeof now, hipMemcpyHostToDevice));
    void* arguments[] = {bytes};
    HIP_CHECK(hipLaunchKernel(reinterpret_cast<const void*>(add), 1, 64, arguments, 0, nullptr));
    HIP_CHECK(hipDeviceSynchronize());
  }
  float values[64];
  HIP_CHECK(hipMemcpy(values, task.values, sizeof values, hipMemcpyDeviceToHost));
  return values[0] == 0 && values[1] == 42 && values[63] == 42 ? 0 : 1;
}
