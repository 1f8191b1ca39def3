// Memory that its program frees while another stream has work left on it: what a device then does
// ends as a memory fault, whoever frees and whatever the work is.
//
//   freed_in_flight fill|copy|host_copy|write|null_fill
#include <sys/mman.h>

#include <atomic>
#include <string>

#include "common/check.hpp"

constexpr std::size_t kBytes = 65536;
static std::atomic<bool> is_freed{false};

/// Keeps the stream's later work back until the memory is freed.
static void wait_until_freed(hipStream_t, hipError_t, void*) {
  while (!is_freed) {
  }
}

static void* allocate(hipStream_t stream) {
  void* memory = nullptr;
  HIP_CHECK(hipMallocAsync(&memory, kBytes, stream));
  HIP_CHECK(hipStreamSynchronize(stream));
  return memory;
}

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const std::string work = argv[1];
  hipStream_t owner, user;
  HIP_CHECK(hipStreamCreateWithFlags(&owner, hipStreamNonBlocking));
  HIP_CHECK(hipStreamCreateWithFlags(&user, hipStreamNonBlocking));
  if (work == "null_fill") user = nullptr;
  example::DeviceArray<char> other(kBytes);
  void* const memory = allocate(owner);
  void* const pages =
      mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  HIP_CHECK(hipHostRegister(pages, kBytes, 0));
  HIP_CHECK(hipStreamAddCallback(user, wait_until_freed, nullptr, 0));
  if (work == "fill" || work == "null_fill") HIP_CHECK(hipMemsetAsync(memory, 1, kBytes, user));
  if (work == "copy") {
    HIP_CHECK(hipMemcpyAsync(other.data(), memory, kBytes, hipMemcpyDeviceToDevice, user));
  }
  if (work == "host_copy") {
    HIP_CHECK(hipMemcpyAsync(other.data(), pages, kBytes, hipMemcpyHostToDevice, user));
  }
  if (work == "write") HIP_CHECK(hipStreamWriteValue32(user, memory, 1, 0));
  HIP_CHECK(hipFreeAsync(memory, owner));
  // Not by the API: the free must not wait for its stream, so that the pool keeps the memory.
  while (hipStreamQuery(owner) == hipErrorNotReady) {
  }
  munmap(pages, kBytes);
  is_freed = true;
  return hipStreamSynchronize(user) == hipSuccess ? 0 : 1;
}
