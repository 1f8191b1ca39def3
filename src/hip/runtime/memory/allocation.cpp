#include "hip/runtime/memory/allocation.hpp"

#include "hip/runtime/checked/checker.hpp"
#include "hip/runtime/memory/managed_variables.hpp"
#include "hip/runtime/memory/memory_pool.hpp"
#include "hip/runtime/memory/pool_block.hpp"
#include "hip/runtime/runtime.hpp"

namespace wavetank::hip {

using abi::Status;
using machine::MemoryKind;

namespace {

Result<std::byte*> try_allocate(VirtualDevice& device, std::size_t size_bytes, MemoryKind kind,
                                unsigned flags) {
  if (kind == MemoryKind::kDevice) {
    const std::uint64_t used = device.memory().used_bytes(device.ordinal());
    const std::uint64_t total = device.description().memory_bytes;
    if (used > total || size_bytes > total - used) {
      return fail(ErrorCode::kOutOfMemory, "the device's memory is in use");
    }
  }
  return device.memory().allocate(size_bytes, kind, flags, device.ordinal());
}

}  // namespace

bool is_fine_grained(const VirtualDevice& device, MemoryKind kind, unsigned flags) {
  constexpr unsigned kExtFineGrained = 1, kExtSignal = 2, kExtUncached = 3;
  constexpr unsigned kAlways =
      abi::kHostMallocCoherent | abi::kHostMallocMapped | abi::kHostMallocNumaUser;
  switch (kind) {
    case MemoryKind::kDevice:
      return flags == kExtFineGrained || flags == kExtSignal || flags == kExtUncached;
    case MemoryKind::kManaged: return true;
    case MemoryKind::kHostPinned: break;
  }
  if ((flags & abi::kHostMallocNonCoherent) != 0) return false;
  return flags == 0 || (flags & kAlways) != 0 || device.host_coherent();
}

Status allocate_memory(VirtualDevice& device, void** address, std::size_t size_bytes,
                       MemoryKind kind, unsigned flags) {
  if (address == nullptr) return Status::kInvalidValue;
  *address = nullptr;
  if (size_bytes == 0) return Status::kSuccess;
  auto memory = try_allocate(device, size_bytes, kind, flags);
  if (!memory && release_unused_pool_memory(device)) {
    memory = try_allocate(device, size_bytes, kind, flags);
  }
  if (!memory) return Status::kOutOfMemory;
  const bool fine_grained = is_fine_grained(device, kind, flags);
  if (fine_grained != (kind != MemoryKind::kDevice)) {
    const auto set = device.memory().set_fine_grained(*memory, fine_grained);
    if (!set) return Status::kInvalidValue;
  }
  if (kind == MemoryKind::kDevice && device.checker() != nullptr) {
    device.checker()->on_fresh_memory(*memory, size_bytes);
  }
  *address = *memory;
  note_allocation(*memory, size_bytes, kind != MemoryKind::kDevice);
  return Status::kSuccess;
}

void note_allocation(const void* address, std::size_t size_bytes, bool host_sees) {
  Checker* const checker = Runtime::instance().checker();
  if (checker != nullptr) checker->program_memory().allocate(address, size_bytes, host_sees);
}

void note_registration(const void* address, std::size_t size_bytes) {
  Checker* const checker = Runtime::instance().checker();
  if (checker != nullptr) checker->program_memory().allocate(address, size_bytes, true, true);
}

void note_free(const void* address) {
  Checker* const checker = Runtime::instance().checker();
  if (checker != nullptr) checker->program_memory().free(address);
}

std::optional<machine::Allocation> find_allocation(const machine::DeviceMemory& memory,
                                                   const void* address) {
  auto found = memory.find(address);
  if (!found || found->registered || !limit_to_pool_block(*found)) return found;
  if (static_cast<const std::byte*>(address) - found->address <
      static_cast<std::ptrdiff_t>(found->size_bytes)) {
    return found;
  }
  return std::nullopt;
}

std::size_t pitch_of(std::size_t width_bytes) {
  constexpr std::size_t kPitchAlignmentBytes = 256;
  return (width_bytes + kPitchAlignmentBytes - 1) / kPitchAlignmentBytes * kPitchAlignmentBytes;
}

abi::MemoryType memory_type_at(const machine::Allocation& allocation) {
  switch (allocation.kind) {
    case MemoryKind::kDevice: return abi::MemoryType::kDevice;
    case MemoryKind::kManaged: return abi::MemoryType::kManaged;
    case MemoryKind::kHostPinned: break;
  }
  // The memory of __managed__ variables is the program's own, registered.
  const bool managed = is_managed(allocation.address);
  return managed ? abi::MemoryType::kManaged : abi::MemoryType::kHost;
}

}  // namespace wavetank::hip
