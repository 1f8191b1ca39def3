// Stream-ordered memory pools (hipMallocAsync). An allocation is made at once; a free takes effect
// when the stream comes to it. What was freed serves later allocations of about its size: at once
// on the stream that freed it, on others when they come after the free.
#pragma once

#include <cstdint>
#include <map>
#include <memory>

#include "hip/abi/status.hpp"
#include "hip/abi/types.hpp"
#include "hip/abi/virtual_memory_types.hpp"
#include "hip/runtime/pool_block.hpp"
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
  abi::Status allocate(void** address, std::size_t size_bytes, Stream& stream);
  /// Frees when the stream comes to it; kInvalidValue for memory of another kind, and for memory
  /// that is free already.
  static abi::Status free(void* address, Stream& stream);
  /// Gives memory that is not in use back to the device until the pool has no more than this.
  void trim(std::uint64_t bytes_to_keep);

  /// Values are 32-bit for the three reuse flags, 64-bit for the rest: bytes that the program has
  /// asked for (used) and those of the pages behind them and of what is kept (reserved).
  /// Errors: kInvalidValue.
  abi::Status attribute(PoolAttribute attribute, void* value) const;
  abi::Status set_attribute(PoolAttribute attribute, const void* value);

  // For holders of pool_mutex():

  /// Marks a block as free; the caller says what closes it.
  void take_back(std::byte* address, PoolBlock& block);
  /// Closes a block that is free, or gives it to the device if nobody may have it again.
  void close(std::byte* address, PoolBlock& block);
  /// trim(); false if there was nothing to give back.
  bool release_unused(std::uint64_t bytes_to_keep);
  std::uint64_t release_threshold() const { return release_threshold_; }
  /// No more memory will be handed out; what is in use stays until it is freed.
  void retire();

 private:
  bool has_room(std::size_t size_bytes);
  bool may_reuse(const PoolBlock& block, const Stream& stream) const;
  std::byte* reuse(std::size_t size_bytes, Stream& stream);
  bool hand_out(std::byte* address, PoolBlock& block, std::size_t size_bytes, Stream& stream);
  void count_use(std::size_t size_bytes);
  void give_to_device(std::byte* address);
  abi::Status free_block(std::byte* address, PoolBlock& block, Stream& stream);

  VirtualDevice& device_;
  const std::size_t max_bytes_;  ///< 0: the device's memory
  const abi::MemHandleType handle_type_;
  std::shared_ptr<machine::PhysicalMemory> token_;
  bool retired_ = false;
  /// By capacity, what was freed, closed or not.
  std::multimap<std::size_t, std::byte*> unused_;
  int reuse_flags_[3] = {1, 1, 1};
  std::uint64_t release_threshold_ = 0;
  std::uint64_t used_ = 0;
  std::uint64_t used_high_ = 0;
  std::uint64_t reserved_ = 0;
  std::uint64_t reserved_high_ = 0;
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
