#include "hip/runtime/device_access.hpp"

#include <fmt/format.h>

#include "dispatch/fault_guard.hpp"
#include "hip/runtime/device_failure.hpp"
#include "hip/runtime/memory/pool_block.hpp"
#include "hip/runtime/virtual_device.hpp"
#include "machine/neighbour.hpp"

namespace wavetank::hip {
namespace {

/// What is known of memory that could not be accessed.
std::string history_of(const machine::DeviceMemory& memory, const void* address) {
  if (const std::string pool = pool_block_history(address); !pool.empty()) return pool;
  const auto number = reinterpret_cast<std::uintptr_t>(address);
  if (number < memory.arena_begin() || number >= memory.arena_end()) {
    return "the program has no memory there; it may have freed or unmapped it meanwhile";
  }
  const auto allocation = memory.find(address);
  if (!allocation) return "no allocation holds the address; it may have been freed meanwhile";
  return machine::forbidden_text(*allocation);
}

}  // namespace

void run_device_access(VirtualDevice& device, const std::function<void()>& access,
                       const std::function<std::string()>& what) {
  const auto fault = dispatch::run_guarded(access);
  if (!fault) return;
  Error error;
  error.code = ErrorCode::kMemoryFault;
  error.message = fmt::format("memory access fault: {} at {:#x}", fault->write ? "write" : "read",
                              fault->address);
  error.where = what();
  error.note = history_of(device.memory(), reinterpret_cast<const void*>(fault->address));
  error.help = "wait for the stream before its memory is freed, or free it with hipFreeAsync";
  report_device_failure(device, error);
}

}  // namespace wavetank::hip
