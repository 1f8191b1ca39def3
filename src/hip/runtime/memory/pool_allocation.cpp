#include "hip/runtime/memory/pool_allocation.hpp"

#include "hip/runtime/checked/checker.hpp"
#include "hip/runtime/checked/operation_name.hpp"
#include "hip/runtime/memory/allocation.hpp"
#include "hip/runtime/memory/pool_block.hpp"
#include "hip/runtime/virtual_device.hpp"

namespace wavetank::hip {

using abi::Status;

Status allocate_from_pool(MemoryPool& pool, void** address, std::size_t size_bytes,
                          Stream& stream) {
  VirtualDevice& device = pool.device();
  *address = nullptr;
  if (size_bytes == 0) return Status::kSuccess;
  if (size_bytes > device.memory().capacity_bytes()) return Status::kOutOfMemory;
  const bool is_checked = device.checker() != nullptr;
  const std::size_t capacity_bytes = page_bytes_of(size_bytes);
  {
    const std::lock_guard lock(pool_mutex());
    *address = is_checked ? nullptr : pool.reuse(size_bytes, stream);
    if (*address != nullptr) return Status::kSuccess;
    if (!pool.has_room(size_bytes)) return Status::kOutOfMemory;
  }
  // Checks want to know where the program's memory ends, and that no address means two things.
  const Status status = allocate_memory(device, address, is_checked ? size_bytes : capacity_bytes,
                                        machine::MemoryKind::kDevice);
  if (status != Status::kSuccess) return status;
  if (is_checked)
    stream.submit(HostOperation{[] { name_operation("hipMallocAsync"); },
                                touched_block(*address, size_bytes)});
  const std::lock_guard lock(pool_mutex());
  pool.add(static_cast<std::byte*>(*address), size_bytes, capacity_bytes);
  return Status::kSuccess;
}

}  // namespace wavetank::hip
