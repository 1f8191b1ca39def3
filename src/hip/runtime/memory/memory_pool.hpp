// Stream-ordered memory pools: what was freed serves later allocations of about its size, at once
// on the stream that freed it, on others when they come after the free. Where new memory comes
// from, and who frees it, is pool_allocation.hpp's and deallocation.hpp's.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>

#include "hip/abi/status.hpp"
#include "hip/abi/types.hpp"
#include "hip/abi/virtual_memory_types.hpp"
#include "hip/runtime/memory/pool_block.hpp"
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
  /// Gives memory that is not in use back to the device until the pool has no more than this.
  void trim(std::uint64_t bytes_to_keep);

  /// Values are 32-bit for the three reuse flags, 64-bit for the rest: bytes that the program has
  /// asked for (used) and those of the pages behind them and of what is kept (reserved).
  /// Errors: kInvalidValue.
  abi::Status attribute(PoolAttribute attribute, void* value) const;
  abi::Status set_attribute(PoolAttribute attribute, const void* value);

  // For holders of pool_mutex():

  /// Hands out a block that was freed, and that the stream may have; nullptr if there is none.
  std::byte* reuse(std::size_t size_bytes, Stream& stream);
  /// True if the pool's limit allows so many bytes more, perhaps after giving closed blocks back.
  bool has_room(std::size_t size_bytes);
  /// Takes a new block, in use.
  void add(std::byte* address, std::size_t size_bytes, std::size_t capacity_bytes);
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
  bool may_reuse(const PoolBlock& block, const Stream& stream) const;
  bool hand_out(std::byte* address, PoolBlock& block, std::size_t size_bytes, Stream& stream);
  void count_use(std::size_t size_bytes);
  void give_to_device(std::byte* address);

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

/// Frees a block after all streams were waited for. Nothing for an address that is no block's;
/// kInvalidValue for a block that is free already.
std::optional<abi::Status> free_pool_block(void* address);
/// Gives the closed blocks of all pools of a device back; false if there were none.
bool release_unused_pool_memory(const VirtualDevice& device);
/// The same down to each pool's release threshold; called when the program waited for its work.
void trim_pools(const VirtualDevice& device);

}  // namespace wavetank::hip
