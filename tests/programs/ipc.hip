// Memory and events between processes: a child (forked before the first HIP call, or started anew)
// opens the parent's allocation, works on it with kernels, and the parent sees that.
#include <sys/wait.h>
#include <unistd.h>

#include <string>

#include "common/check.hpp"

constexpr int kCount = 5000;  // no whole number of pages
constexpr int kOffset = 1000;

// What the parent tells the child through a pipe.
struct Message {
  hipIpcMemHandle_t memory;
  hipIpcMemHandle_t inside;  ///< of an address inside the same allocation
  hipIpcEventHandle_t event;
};

__global__ void add(int* values, int count, int amount) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) values[i] += amount;
}

// Takes some time, so that the event is not done at once.
__global__ void add_slowly(int* values, int count, int amount) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = 0;
  for (int trip = 0; trip < 20000; ++trip) sum += __shfl_xor(sum + amount, 1) & 1;
  if (i < count) values[i] += sum < 0 ? 0 : amount;
}

bool child(int input) {
  Message message;
  if (read(input, &message, sizeof message) != sizeof message) return false;
  int *values = nullptr, *inside = nullptr;
  hipEvent_t event;
  HIP_CHECK(hipIpcOpenMemHandle(reinterpret_cast<void**>(&values), message.memory,
                                hipIpcMemLazyEnablePeerAccess));
  HIP_CHECK(hipIpcOpenMemHandle(reinterpret_cast<void**>(&inside), message.inside,
                                hipIpcMemLazyEnablePeerAccess));
  HIP_CHECK(hipIpcOpenEventHandle(&event, message.event));
  bool ok = inside == values + kOffset;
  HIP_CHECK(hipStreamWaitEvent(nullptr, event, 0));
  add<<<(kCount + 255) / 256, 256>>>(values, kCount, 100);
  example::finish_kernel();
  HIP_CHECK(hipEventSynchronize(event));
  ok = hipEventQuery(event) == hipSuccess && ok;
  int last = 0;
  HIP_CHECK(hipMemcpy(&last, values + kCount - 1, sizeof last, hipMemcpyDeviceToHost));
  ok = last == kCount - 1 + 111 && ok;
  ok = hipFree(values) == hipErrorInvalidValue && ok;
  HIP_CHECK(hipIpcCloseMemHandle(inside));
  HIP_CHECK(hipMemset(values, 0, 0));
  HIP_CHECK(hipIpcCloseMemHandle(values));
  ok = hipIpcCloseMemHandle(values) == hipErrorInvalidValue && ok;
  HIP_CHECK(hipEventDestroy(event));
  return ok;
}

bool serve(pid_t process, int output) {
  std::vector<int> start(kCount);
  for (int i = 0; i < kCount; ++i) start[i] = i;
  example::DeviceArray<int> values(start);
  hipEvent_t event, timed;
  Message message;
  HIP_CHECK(hipEventCreateWithFlags(&event, hipEventInterprocess | hipEventDisableTiming));
  HIP_CHECK(hipEventCreate(&timed));
  add<<<(kCount + 255) / 256, 256>>>(values.data(), kCount, 1);
  HIP_CHECK(hipIpcGetMemHandle(&message.memory, values.data()));
  HIP_CHECK(hipIpcGetMemHandle(&message.inside, values.data() + kOffset));
  HIP_CHECK(hipIpcGetEventHandle(&message.event, event));
  bool ok = example::line("not for a timed event",
                          hipIpcGetEventHandle(&message.event, timed) != hipSuccess);
  void* again = nullptr;
  ok = example::line("not in the same process",
                     hipIpcOpenMemHandle(&again, message.memory, hipIpcMemLazyEnablePeerAccess) ==
                         hipErrorInvalidContext) && ok;
  add_slowly<<<(kCount + 255) / 256, 256>>>(values.data(), kCount, 10);
  HIP_CHECK(hipEventRecord(event, nullptr));
  if (write(output, &message, sizeof message) != sizeof message) return false;
  int status = 0;
  waitpid(process, &status, 0);
  ok = example::line("the child agrees", WIFEXITED(status) && WEXITSTATUS(status) == 0) && ok;
  const std::vector<int> result = values.read();
  bool right = true;
  for (int i = 0; i < kCount; ++i) right = right && result[i] == i + 111;
  HIP_CHECK(hipEventDestroy(event));
  HIP_CHECK(hipEventDestroy(timed));
  return example::line("the parent sees its work", right) && ok;
}

bool refuse_nonsense(const void* variable) {
  hipIpcMemHandle_t handle{};
  void* address = nullptr;
  bool ok = hipIpcGetMemHandle(&handle, nullptr) == hipErrorInvalidValue;
  ok = hipIpcGetMemHandle(&handle, const_cast<void*>(variable)) == hipErrorInvalidValue && ok;
  ok = hipIpcOpenMemHandle(&address, handle, hipIpcMemLazyEnablePeerAccess) ==
           hipErrorInvalidValue && ok;
  return example::line("nonsense is refused", ok);
}

int main(int argc, char** argv) {
  if (argc == 2) return child(std::atoi(argv[1])) ? 0 : 1;
  bool ok = true;
  for (const bool start_anew : {false, true}) {
    int ends[2];
    if (pipe(ends) != 0) return 2;
    const pid_t process = fork();
    if (process == 0) {
      if (!start_anew) return child(ends[0]) ? 0 : 1;
      const std::string descriptor = std::to_string(ends[0]);
      execl("/proc/self/exe", argv[0], descriptor.c_str(), nullptr);
      return 2;
    }
    std::printf("%s child\n", start_anew ? "started" : "forked");
    ok = serve(process, ends[1]) && ok;
  }
  ok = refuse_nonsense(&ok) && ok;
  return example::verdict(ok);
}
