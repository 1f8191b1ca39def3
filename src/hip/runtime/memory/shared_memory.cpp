#include "hip/runtime/memory/shared_memory.hpp"
#include "hip/runtime/checked/checker.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <map>
#include <mutex>

#include <fmt/format.h>

#include "hip/runtime/memory/allocation.hpp"
#include "hip/runtime/memory/pool_block.hpp"
#include "hip/runtime/runtime.hpp"

namespace wavetank::hip {
namespace {

using abi::Status;

constexpr std::uint64_t kMagic = 0x4b4e41545645'4157;  // "WAVETANK"

/// Memory of other processes that is open here.
struct Opened {
  std::uint64_t inode = 0;
  OpenedBy by = OpenedBy::kIpcHandle;
  unsigned times = 0;
};

struct OpenedMemory {
  std::mutex mutex;
  std::map<std::byte*, Opened> by_address;
};

OpenedMemory& opened() {
  static auto* all = new OpenedMemory;
  return *all;
}

}  // namespace

SharedObject describe(HandleKind kind, int descriptor) {
  struct stat status{};
  (void)::fstat(descriptor, &status);
  return {.magic = kMagic,
          .kind = kind,
          .process_id = ::getpid(),
          .descriptor = descriptor,
          .inode = status.st_ino,
          .size_bytes = static_cast<std::uint64_t>(status.st_size)};
}

ProcessHandle to_handle(const SharedObject& object) {
  static_assert(sizeof object <= sizeof(ProcessHandle));
  ProcessHandle handle{};
  std::memcpy(handle.bytes.data(), &object, sizeof object);
  return handle;
}

bool from_handle(const ProcessHandle& handle, HandleKind kind, SharedObject& object) {
  std::memcpy(&object, handle.bytes.data(), sizeof object);
  return object.magic == kMagic && object.kind == kind;
}

int open_descriptor(const SharedObject& object) {
  const std::string path = fmt::format("/proc/{}/fd/{}", object.process_id, object.descriptor);
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (descriptor < 0) return -1;
  struct stat status{};
  const bool same = ::fstat(descriptor, &status) == 0 && status.st_ino == object.inode &&
                    static_cast<std::uint64_t>(status.st_size) == object.size_bytes;
  if (same) return descriptor;
  ::close(descriptor);
  return -1;
}

Status export_memory(void* address, SharedObject& object) {
  Runtime& runtime = Runtime::instance();
  const auto allocation = find_allocation(runtime.memory(), address);
  if (!allocation || allocation->kind != machine::MemoryKind::kDevice) {
    return Status::kInvalidValue;
  }
  runtime.synchronize();
  keep_pool_block_from_reuse(allocation->address);
  const auto pages = runtime.memory().share(allocation->address);
  if (!pages) {
    const bool full = pages.error().code == ErrorCode::kOutOfMemory;
    return full ? Status::kOutOfMemory : Status::kInvalidValue;
  }
  // What other processes write there is not seen.
  if (Checker* const checker = runtime.checker()) {
    checker->on_defined_memory(allocation->address, allocation->size_bytes);
  }
  object = describe(HandleKind::kMemory, (*pages)->descriptor());
  object.device = allocation->device;
  object.offset_bytes =
      static_cast<std::uint64_t>(static_cast<std::byte*>(address) - allocation->address);
  return Status::kSuccess;
}

Status open_memory(VirtualDevice& device, const SharedObject& object, OpenedBy by, void** address) {
  if (object.offset_bytes >= object.size_bytes) return Status::kInvalidDevicePointer;
  const std::lock_guard lock(opened().mutex);
  for (auto& [base, known] : opened().by_address) {
    if (known.inode != object.inode || known.by != by) continue;
    ++known.times;
    *address = base + object.offset_bytes;
    return Status::kSuccess;
  }
  const int descriptor = open_descriptor(object);
  if (descriptor < 0) return Status::kInvalidDevicePointer;
  const auto pages = machine::PhysicalMemory::adopt(descriptor);
  if (!pages) return Status::kInvalidDevicePointer;
  const auto base = device.memory().attach(*pages, device.ordinal());
  if (!base) return Status::kInvalidDevicePointer;
  opened().by_address.emplace(*base, Opened{object.inode, by, 1});
  *address = *base + object.offset_bytes;
  return Status::kSuccess;
}

Status close_memory(void* address, OpenedBy by) {
  Runtime& runtime = Runtime::instance();
  const auto allocation = runtime.memory().find(address);
  if (!allocation || !allocation->attached) return Status::kInvalidValue;
  const std::lock_guard lock(opened().mutex);
  const auto found = opened().by_address.find(allocation->address);
  if (found == opened().by_address.end() || found->second.by != by) return Status::kInvalidValue;
  if (--found->second.times != 0) return Status::kSuccess;
  opened().by_address.erase(found);
  return runtime.memory().detach(allocation->address) ? Status::kSuccess : Status::kInvalidValue;
}

}  // namespace wavetank::hip
