// Stream-ordered memory pools (hipMallocAsync). An allocation is made at once; a free takes effect
// when the stream comes to it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

#include "hip/abi/status.hpp"
#include "hip/abi/types.hpp"
#include "hip/abi/virtual_memory_types.hpp"
#include "hip/runtime/stream.hpp"
#include "machine/physical_memory.hpp"

namespace wavetank::hip {

/// hipMemPoolAttr.
enum class PoolAttribute : int {
  kReuseFollowEventDependencies = 1,
  kReuseAllowOpportunistic = 2,
  kReuseAllowInternalDependencies = 3,
  kReleaseThreshold = 4,
  kReservedMemCurrent = 5,
  kReservedMemHigh = 6,
  kUsedMemCurrent = 7,
  kUsedMemHigh = 8,
};

class MemoryPool {
 public:
  MemoryPool(VirtualDevice& device, std::size_t max_bytes,
             abi::MemHandleType handle_type = abi::MemHandleType::kNone)
      : device_(device), max_bytes_(max_bytes), handle_type_(handle_type) {}

  VirtualDevice& device() const { return device_; }
  /// How the pool may be exported.
  abi::MemHandleType handle_type() const { return handle_type_; }
  /// What stands for the pool in other processes, or nullptr when the host has no memory for it.
  std::shared_ptr<machine::PhysicalMemory> token();
  /// Allocates for use on a stream. Gives kOutOfMemory beyond the pool's or the device's limit.
  abi::Status allocate(void** address, std::size_t size_bytes);
  /// Frees when the stream comes to it; kInvalidValue for memory of another kind.
  static abi::Status free(void* address, Stream& stream);
  /// Gives what was allocated back to the count; called when a free takes effect.
  void release(void* address);

  /// Values are 32-bit for the three reuse flags, 64-bit for the rest. Errors: kInvalidValue.
  abi::Status attribute(PoolAttribute attribute, void* value) const;
  abi::Status set_attribute(PoolAttribute attribute, const void* value);

 private:
  VirtualDevice& device_;
  const std::size_t max_bytes_;  ///< 0: the device's memory
  const abi::MemHandleType handle_type_;
  std::shared_ptr<machine::PhysicalMemory> token_;
  mutable std::mutex mutex_;
  std::map<void*, std::size_t> in_use_;
  int reuse_flags_[3] = {1, 1, 1};
  std::uint64_t release_threshold_ = 0;
  std::uint64_t used_ = 0;
  std::uint64_t used_high_ = 0;
};

/// The pool that hipMallocAsync takes from on a device.
MemoryPool& default_pool(VirtualDevice& device);
MemoryPool& current_pool(VirtualDevice& device);
void set_current_pool(VirtualDevice& device, MemoryPool& pool);
/// A pool of the program's own; destroy_pool gives false for no such pool.
MemoryPool& create_pool(VirtualDevice& device, std::size_t max_bytes,
                        abi::MemHandleType handle_type);
bool destroy_pool(MemoryPool* pool);
bool is_pool(const MemoryPool* pool);

}  // namespace wavetank::hip
