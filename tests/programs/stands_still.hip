// A kernel waits longer for the host than anybody should: a warning tells, and the program goes on.
#include <hip/hip_runtime.h>
#include <unistd.h>

#include <cstdio>
#include <string>

__global__ void wait_for(const int* flag) {
  while (__hip_atomic_load(flag, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_SYSTEM) == 0) {
    __builtin_amdgcn_s_sleep(1);
  }
}

// What stderr says, up to a line that ends so.
static std::string read_to(int stream, const std::string& last) {
  std::string text;
  char next = 0;
  while (!text.ends_with(last + "\n") && read(stream, &next, 1) == 1) text += next;
  return text;
}

int main() {
  int* flag = nullptr;
  int stream[2];
  if (hipHostMalloc(&flag, sizeof *flag) != hipSuccess || pipe(stream) != 0) return 1;
  *flag = 0;
  const int console = dup(STDERR_FILENO);
  dup2(stream[1], STDERR_FILENO);
  wait_for<<<3, 128>>>(flag);
  const std::string said = read_to(stream[0], "a loop that asks memory");
  __atomic_store_n(flag, 1, __ATOMIC_RELEASE);
  const bool done = hipDeviceSynchronize() == hipSuccess;
  dup2(console, STDERR_FILENO);
  std::fputs(said.c_str(), stderr);
  std::puts(done ? "PASS" : "FAIL");
  return done ? 0 : 1;
}
