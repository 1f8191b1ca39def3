// Stream-ordered pools: order, attributes, access, and a pool whose pointers another process uses.
#include <hip/hip_ext.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>

#include "common/check.hpp"

constexpr int kCount = 4096;

__global__ void fill(int* out, int first) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = first + blockIdx.x * blockDim.x + threadIdx.x;
}
__global__ void add(int* out, const int* more) {
  out[blockIdx.x * blockDim.x + threadIdx.x] += more[blockIdx.x * blockDim.x + threadIdx.x];
}

hipMemPool_t create_pool(hipMemAllocationHandleType handle_type) {
  hipMemPoolProps wanted{};
  wanted.allocType = hipMemAllocationTypePinned;
  wanted.handleTypes = handle_type;
  wanted.location = {hipMemLocationTypeDevice, 0};
  hipMemPool_t pool;
  HIP_CHECK(hipMemPoolCreate(&pool, &wanted));
  return pool;
}

uint64_t attribute(hipMemPool_t pool, hipMemPoolAttr which) {
  uint64_t value = 0;
  HIP_CHECK(hipMemPoolGetAttribute(pool, which, &value));
  return value;
}

bool order_and_attributes() {
  hipStream_t stream;
  HIP_CHECK(hipStreamCreate(&stream));
  hipMemPool_t pool = create_pool(hipMemHandleTypeNone);
  int *a = nullptr, *b = nullptr;
  HIP_CHECK(hipMallocFromPoolAsync(reinterpret_cast<void**>(&a), kCount * sizeof(int), pool, stream));
  HIP_CHECK(hipMallocFromPoolAsync(reinterpret_cast<void**>(&b), kCount * sizeof(int), pool, stream));
  bool ok = example::line("used bytes", attribute(pool, hipMemPoolAttrUsedMemCurrent) ==
                                            2 * kCount * sizeof(int));
  fill<<<kCount / 256, 256, 0, stream>>>(a, 1);
  fill<<<kCount / 256, 256, 0, stream>>>(b, 10);
  add<<<kCount / 256, 256, 0, stream>>>(a, b);
  HIP_CHECK(hipFreeAsync(b, stream));
  std::vector<int> values(kCount);
  HIP_CHECK(hipMemcpyAsync(values.data(), a, kCount * sizeof(int), hipMemcpyDeviceToHost, stream));
  HIP_CHECK(hipFreeAsync(a, stream));
  HIP_CHECK(hipStreamSynchronize(stream));
  bool right = true;
  for (int i = 0; i < kCount; ++i) right = right && values[i] == 2 * i + 11;
  ok = example::line("work before the free", right) && ok;
  ok = example::line("used bytes after it", attribute(pool, hipMemPoolAttrUsedMemCurrent) == 0) && ok;
  ok = example::line("high water mark", attribute(pool, hipMemPoolAttrUsedMemHigh) ==
                                            2 * kCount * sizeof(int)) && ok;
  uint64_t threshold = 1 << 20;
  HIP_CHECK(hipMemPoolSetAttribute(pool, hipMemPoolAttrReleaseThreshold, &threshold));
  ok = example::line("release threshold",
                     attribute(pool, hipMemPoolAttrReleaseThreshold) == threshold) && ok;
  HIP_CHECK(hipMemPoolTrimTo(pool, 0));
  hipMemLocation location = {hipMemLocationTypeDevice, 0};
  hipMemAccessFlags flags = hipMemAccessFlagsProtNone;
  HIP_CHECK(hipMemPoolGetAccess(&flags, pool, &location));
  const hipMemAccessDesc none = {location, hipMemAccessFlagsProtNone};
  ok = example::line("access", flags == hipMemAccessFlagsProtReadWrite &&
                                   hipMemPoolSetAccess(pool, &none, 1) == hipErrorInvalidDevice) && ok;
  int descriptor = -1;
  ok = example::line("no export unless asked for",
                     hipMemPoolExportToShareableHandle(&descriptor, pool,
                                                       hipMemHandleTypePosixFileDescriptor, 0) ==
                         hipErrorInvalidValue) && ok;
  HIP_CHECK(hipMemPoolDestroy(pool));
  ok = example::line("destroyed once", hipMemPoolDestroy(pool) == hipErrorInvalidValue) && ok;
  HIP_CHECK(hipStreamDestroy(stream));
  return ok;
}

// The child has the descriptor by inheritance, and gets the pointer through the pipe.
struct Message {
  int descriptor;
  hipMemPoolPtrExportData pointer;
};

bool child(int input) {
  Message message;
  if (read(input, &message, sizeof message) != sizeof message) return false;
  hipMemPool_t pool;
  // As after an export into the lower half of a wider variable.
  const intptr_t number = (intptr_t{0x1234} << 32) | message.descriptor;
  HIP_CHECK(hipMemPoolImportFromShareableHandle(&pool, reinterpret_cast<void*>(number),
                                                hipMemHandleTypePosixFileDescriptor, 0));
  int* values = nullptr;
  HIP_CHECK(hipMemPoolImportPointer(reinterpret_cast<void**>(&values), pool, &message.pointer));
  fill<<<kCount / 256, 256>>>(values, 100);
  HIP_CHECK(hipFreeAsync(values, nullptr));
  HIP_CHECK(hipDeviceSynchronize());
  return hipMemset(values, 0, 4) == hipErrorInvalidValue;
}

bool between_processes() {
  hipMemPool_t pool = create_pool(hipMemHandleTypePosixFileDescriptor);
  Message message;
  HIP_CHECK(hipMemPoolExportToShareableHandle(&message.descriptor, pool,
                                              hipMemHandleTypePosixFileDescriptor, 0));
  int* values = nullptr;
  HIP_CHECK(hipMallocFromPoolAsync(reinterpret_cast<void**>(&values), kCount * sizeof(int), pool,
                                   nullptr));
  HIP_CHECK(hipMemPoolExportPointer(&message.pointer, values));
  int ends[2];
  if (pipe(ends) != 0) return false;
  // The descriptor must survive the exec below.
  message.descriptor = dup(message.descriptor);
  const pid_t process = fork();
  if (process == 0) {
    const std::string input = std::to_string(ends[0]);
    execl("/proc/self/exe", "child", input.c_str(), nullptr);
    _exit(2);
  }
  if (write(ends[1], &message, sizeof message) != sizeof message) return false;
  int status = 0;
  waitpid(process, &status, 0);
  std::vector<int> result(kCount);
  HIP_CHECK(hipMemcpy(result.data(), values, kCount * sizeof(int), hipMemcpyDeviceToHost));
  bool right = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  for (int i = 0; i < kCount; ++i) right = right && result[i] == 100 + i;
  HIP_CHECK(hipFreeAsync(values, nullptr));
  HIP_CHECK(hipMemPoolDestroy(pool));
  return example::line("a pointer in another process", right);
}

// hipExtLaunchKernelGGL records events around the kernel itself.
bool launch_with_events() {
  example::DeviceArray<int> out(kCount);
  hipEvent_t start, stop;
  HIP_CHECK(hipEventCreate(&start));
  HIP_CHECK(hipEventCreate(&stop));
  hipExtLaunchKernelGGL(fill, dim3(kCount / 256), dim3(256), 0, nullptr, start, stop, 0, out.data(),
                        3);
  HIP_CHECK(hipEventSynchronize(stop));
  float milliseconds = -1;
  HIP_CHECK(hipEventElapsedTime(&milliseconds, start, stop));
  const bool right = milliseconds >= 0 && out.read()[kCount - 1] == kCount + 2;
  hipExtLaunchKernelGGL(fill, dim3(1), dim3(64), 0, nullptr, nullptr, nullptr, 0, out.data(), 5);
  example::finish_kernel();
  HIP_CHECK(hipEventDestroy(start));
  HIP_CHECK(hipEventDestroy(stop));
  return example::line("a launch with events", right && out.read()[63] == 68);
}

int main(int argc, char** argv) {
  if (argc == 2) return child(std::atoi(argv[1])) ? 0 : 1;
  bool ok = order_and_attributes();
  ok = between_processes() && ok;
  ok = launch_with_events() && ok;
  return example::verdict(ok);
}
