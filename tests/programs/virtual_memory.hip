// Virtual memory management: addresses reserved, pages mapped, access set, all of it used by kernels
// and copies; and what must be refused.
#include <fcntl.h>
#include <unistd.h>

#include "common/check.hpp"

constexpr size_t kChunkBytes = 1 << 20;
constexpr int kChunkInts = kChunkBytes / sizeof(int);

__global__ void fill(int* out, int count, int first) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = first + i;
}

hipMemAllocationProp properties(hipMemAllocationHandleType handle_type = hipMemHandleTypeNone) {
  hipMemAllocationProp result{};
  result.type = hipMemAllocationTypePinned;
  result.location = {hipMemLocationTypeDevice, 0};
  result.requestedHandleType = handle_type;
  return result;
}

hipMemGenericAllocationHandle_t create(hipMemAllocationHandleType handle_type) {
  const hipMemAllocationProp wanted = properties(handle_type);
  hipMemGenericAllocationHandle_t handle;
  HIP_CHECK(hipMemCreate(&handle, kChunkBytes, &wanted, 0));
  return handle;
}

hipError_t set_access(void* address, size_t size, hipMemAccessFlags flags) {
  const hipMemAccessDesc wanted = {{hipMemLocationTypeDevice, 0}, flags};
  return hipMemSetAccess(address, size, &wanted, 1);
}

bool are_numbers(const int* device, int count, int first) {
  std::vector<int> values(count);
  HIP_CHECK(hipMemcpy(values.data(), device, count * sizeof(int), hipMemcpyDeviceToHost));
  for (int i = 0; i < count; ++i) {
    if (values[i] != first + i) return false;
  }
  return true;
}

// Two chunks side by side are one array; the chunk that is mapped twice is seen at both places.
bool map_and_use() {
  void* base = nullptr;
  size_t granularity = 0, free_before = 0, free_after = 0, total = 0;
  const hipMemAllocationProp wanted = properties();
  HIP_CHECK(hipMemGetAllocationGranularity(&granularity, &wanted,
                                           hipMemAllocationGranularityMinimum));
  HIP_CHECK(hipMemGetInfo(&free_before, &total));
  HIP_CHECK(hipMemAddressReserve(&base, 4 * kChunkBytes, 1 << 21, nullptr, 0));
  bool ok = example::line("granularity", kChunkBytes % granularity == 0);
  ok = example::line("alignment", reinterpret_cast<uintptr_t>(base) % (1 << 21) == 0) && ok;
  char* const at = static_cast<char*>(base);
  int* const ints = reinterpret_cast<int*>(at);
  hipMemGenericAllocationHandle_t chunks[2] = {create(hipMemHandleTypeNone),
                                               create(hipMemHandleTypeNone)};
  HIP_CHECK(hipMemMap(at, kChunkBytes, 0, chunks[0], 0));
  HIP_CHECK(hipMemMap(at + kChunkBytes, kChunkBytes, 0, chunks[1], 0));
  HIP_CHECK(hipMemMap(at + 3 * kChunkBytes, kChunkBytes, 0, chunks[1], 0));
  ok = example::line("no copy without access",
                     hipMemset(at, 0, 4) == hipErrorInvalidValue) && ok;
  HIP_CHECK(set_access(at, 2 * kChunkBytes, hipMemAccessFlagsProtReadWrite));
  HIP_CHECK(set_access(at + 3 * kChunkBytes, kChunkBytes, hipMemAccessFlagsProtRead));
  fill<<<2 * kChunkInts / 256, 256>>>(ints, 2 * kChunkInts, 5);
  example::finish_kernel();
  ok = example::line("a kernel over two chunks", are_numbers(ints, 2 * kChunkInts, 5)) && ok;
  ok = example::line("the chunk at its other place",
                     are_numbers(ints + 3 * kChunkInts, kChunkInts, 5 + kChunkInts)) && ok;
  ok = example::line("no write where only reading is",
                     hipMemset(at + 3 * kChunkBytes, 0, 4) == hipErrorInvalidValue) && ok;
  ok = example::line("no copy over the gap",
                     hipMemset(at + kChunkBytes, 0, 2 * kChunkBytes) == hipErrorInvalidValue) && ok;
  const hipMemLocation location = {hipMemLocationTypeDevice, 0};
  unsigned long long flags = 0;
  HIP_CHECK(hipMemGetAccess(&flags, &location, at + 3 * kChunkBytes));
  ok = example::line("access is told", flags == hipMemAccessFlagsProtRead) && ok;
  for (const auto chunk : chunks) HIP_CHECK(hipMemRelease(chunk));
  HIP_CHECK(hipMemGetInfo(&free_after, &total));
  ok = example::line("mappings keep the memory", free_before - free_after == 2 * kChunkBytes) && ok;
  hipMemGenericAllocationHandle_t again;
  HIP_CHECK(hipMemRetainAllocationHandle(&again, at + kChunkBytes));
  HIP_CHECK(hipMemUnmap(at, 2 * kChunkBytes));
  HIP_CHECK(hipMemUnmap(at + 3 * kChunkBytes, kChunkBytes));
  HIP_CHECK(hipMemMap(at + 2 * kChunkBytes, kChunkBytes, 0, again, 0));
  HIP_CHECK(set_access(at + 2 * kChunkBytes, kChunkBytes, hipMemAccessFlagsProtReadWrite));
  ok = example::line("a retained handle keeps content",
                     are_numbers(ints + 2 * kChunkInts, kChunkInts, 5 + kChunkInts)) && ok;
  ok = example::line("no end of a range in use",
                     hipMemAddressFree(base, 4 * kChunkBytes) != hipSuccess) && ok;
  HIP_CHECK(hipMemUnmap(at + 2 * kChunkBytes, kChunkBytes));
  HIP_CHECK(hipMemRelease(again));
  HIP_CHECK(hipMemAddressFree(base, 4 * kChunkBytes));
  HIP_CHECK(hipMemGetInfo(&free_after, &total));
  return example::line("all given back", free_after == free_before) && ok;
}

// A file descriptor carries the pages to a second mapping, as it would to another process.
bool export_and_import() {
  const auto handle = create(hipMemHandleTypePosixFileDescriptor);
  int descriptor = -1;
  HIP_CHECK(hipMemExportToShareableHandle(&descriptor, handle, hipMemHandleTypePosixFileDescriptor,
                                          0));
  hipMemGenericAllocationHandle_t imported[2];
  HIP_CHECK(hipMemImportFromShareableHandle(&imported[0], &descriptor,
                                            hipMemHandleTypePosixFileDescriptor));
  HIP_CHECK(hipMemImportFromShareableHandle(
      &imported[1], reinterpret_cast<void*>(static_cast<intptr_t>(descriptor)),
      hipMemHandleTypePosixFileDescriptor));
  close(descriptor);
  void* base = nullptr;
  HIP_CHECK(hipMemAddressReserve(&base, 3 * kChunkBytes, 0, nullptr, 0));
  char* const at = static_cast<char*>(base);
  HIP_CHECK(hipMemMap(at, kChunkBytes, 0, handle, 0));
  for (int i = 0; i < 2; ++i) {
    HIP_CHECK(hipMemMap(at + (i + 1) * kChunkBytes, kChunkBytes, 0, imported[i], 0));
    HIP_CHECK(hipMemRelease(imported[i]));
  }
  HIP_CHECK(hipMemRelease(handle));
  HIP_CHECK(set_access(at, 3 * kChunkBytes, hipMemAccessFlagsProtReadWrite));
  int* const ints = reinterpret_cast<int*>(at);
  fill<<<kChunkInts / 256, 256>>>(ints, kChunkInts, 9);
  example::finish_kernel();
  const bool ok = example::line("imported by pointer and number",
                                are_numbers(ints + kChunkInts, kChunkInts, 9) &&
                                    are_numbers(ints + 2 * kChunkInts, kChunkInts, 9));
  HIP_CHECK(hipMemUnmap(at, 3 * kChunkBytes));
  HIP_CHECK(hipMemAddressFree(base, 3 * kChunkBytes));
  return ok;
}

bool refuse_nonsense() {
  void* base = nullptr;
  hipMemAllocationProp wanted = properties();
  hipMemGenericAllocationHandle_t handle = create(hipMemHandleTypeNone), other;
  bool ok = hipMemAddressReserve(&base, 100, 0, nullptr, 0) == hipErrorOutOfMemory;
  ok = hipMemAddressReserve(&base, kChunkBytes, 3, nullptr, 0) == hipErrorOutOfMemory && ok;
  ok = hipMemAddressReserve(nullptr, kChunkBytes, 0, nullptr, 0) == hipErrorInvalidValue && ok;
  ok = hipMemAddressReserve(&base, size_t{1} << 60, 0, nullptr, 0) == hipErrorOutOfMemory && ok;
  ok = hipMemCreate(&other, 100, &wanted, 0) == hipErrorInvalidValue && ok;
  ok = hipMemCreate(&other, size_t{1} << 50, &wanted, 0) == hipErrorOutOfMemory && ok;
  wanted.location.id = 99;
  ok = hipMemCreate(&other, kChunkBytes, &wanted, 0) == hipErrorInvalidValue && ok;
  wanted = properties(hipMemHandleTypeWin32);
  ok = hipMemCreate(&other, kChunkBytes, &wanted, 0) == hipErrorNotSupported && ok;
  HIP_CHECK(hipMemAddressReserve(&base, kChunkBytes, 0, nullptr, 0));
  ok = hipMemMap(base, 2 * kChunkBytes, 0, handle, 0) == hipErrorInvalidValue && ok;
  ok = hipMemMap(base, kChunkBytes, 4096, handle, 0) == hipErrorInvalidValue && ok;
  HIP_CHECK(hipMemMap(base, kChunkBytes, 0, handle, 0));
  ok = hipMemMap(base, kChunkBytes, 0, handle, 0) == hipErrorInvalidValue && ok;
  ok = hipMemUnmap(base, kChunkBytes / 2) == hipErrorInvalidValue && ok;
  ok = hipFree(base) == hipErrorInvalidValue && ok;
  int descriptor = -1;
  ok = hipMemExportToShareableHandle(&descriptor, handle, hipMemHandleTypePosixFileDescriptor,
                                     0) == hipErrorInvalidValue && ok;
  HIP_CHECK(hipMemUnmap(base, kChunkBytes));
  HIP_CHECK(hipMemAddressFree(base, kChunkBytes));
  HIP_CHECK(hipMemRelease(handle));
  ok = hipMemRelease(handle) == hipErrorInvalidValue && ok;
  return example::line("nonsense is refused", ok);
}

int main() {
  // A first launch takes memory for the code.
  example::DeviceArray<int> numbers(64);
  fill<<<1, 64>>>(numbers.data(), 64, 0);
  example::finish_kernel();
  bool ok = map_and_use();
  ok = export_and_import() && ok;
  ok = refuse_nonsense() && ok;
  return example::verdict(ok);
}
