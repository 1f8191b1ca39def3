// The handles of virtual memory management (hipMemGenericAllocationHandle_t): pages without an
// address, and what the program asked of them.
#pragma once

#include <memory>

#include "hip/abi/virtual_memory_types.hpp"
#include "machine/physical_memory.hpp"

namespace wavetank::hip {

/// A program holds a handle as often as it created or retained it; mappings hold the pages.
struct MemoryHandle {
  std::weak_ptr<machine::PhysicalMemory> pages;
  std::shared_ptr<machine::PhysicalMemory> held;  ///< the same, while the program holds the handle
  unsigned holds = 0;
  abi::MemAllocationProperties properties{};
};

/// A new handle, held once.
MemoryHandle* add_memory_handle(std::shared_ptr<machine::PhysicalMemory> pages,
                                const abi::MemAllocationProperties& properties);
/// A copy of what a held handle means; nothing is held for a handle that is none.
MemoryHandle memory_handle(const MemoryHandle* handle);
/// Holds the handle of mapped pages once more, or nullptr if they have none.
MemoryHandle* retain_memory_handle(const std::shared_ptr<machine::PhysicalMemory>& pages);
/// Lets go once; false for a handle that is not held.
bool release_memory_handle(const MemoryHandle* handle);

}  // namespace wavetank::hip
