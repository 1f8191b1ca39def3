#include "hip/runtime/memory/memory_pool.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "hip/runtime/checked/checker.hpp"
#include "hip/runtime/virtual_device.hpp"

namespace wavetank::hip {
namespace {

using abi::Status;

/// All pools of the process, guarded by pool_mutex(). A destroyed pool lives on while allocations
/// from it do, so none is ever deleted.
struct Pools {
  std::vector<std::unique_ptr<MemoryPool>> all;
  std::vector<const MemoryPool*> live;
  std::map<const VirtualDevice*, MemoryPool*> defaults;
  std::map<const VirtualDevice*, MemoryPool*> current;
};

Pools& pools() {
  static auto* all = new Pools;
  return *all;
}

MemoryPool& add_pool(Pools& registry, VirtualDevice& device, std::size_t max_bytes,
                     abi::MemHandleType handle_type = abi::MemHandleType::kNone) {
  registry.all.push_back(std::make_unique<MemoryPool>(device, max_bytes, handle_type));
  registry.live.push_back(registry.all.back().get());
  return *registry.all.back();
}

/// True if all that a stream is given from now on runs after a block's free: the null stream and
/// the blocking streams of a device wait for each other.
bool comes_after_free(const Stream& stream, const PoolBlock& block) {
  if (&stream.device() == block.freed_on) {
    const StreamKind kind = stream.kind();
    if (kind == StreamKind::kNull && block.freed_by == StreamKind::kBlocking) return true;
    if (kind == StreamKind::kBlocking && block.freed_by == StreamKind::kNull) return true;
  }
  return stream.is_behind(*block.freed);
}

template <class Value>
Status give(void* target, Value value) {
  std::memcpy(target, &value, sizeof value);
  return Status::kSuccess;
}

}  // namespace

void MemoryPool::add(std::byte* address, std::size_t size_bytes, std::size_t capacity_bytes) {
  pool_blocks()[address] = {
      .pool = this, .size_bytes = size_bytes, .capacity_bytes = capacity_bytes};
  count_use(size_bytes);
  reserved_ += capacity_bytes;
  reserved_high_ = std::max(reserved_high_, reserved_);
}

bool MemoryPool::has_room(std::size_t size_bytes) {
  if (max_bytes_ == 0) return true;
  const auto fits = [&] {
    std::uint64_t held = used_;
    for (const auto& [capacity, address] : unused_) held += capacity;
    return held + size_bytes <= max_bytes_;
  };
  return fits() || (release_unused(0) && fits());
}

void MemoryPool::count_use(std::size_t size_bytes) {
  used_ += size_bytes;
  used_high_ = std::max(used_high_, used_);
}

bool MemoryPool::may_reuse(const PoolBlock& block, const Stream& stream) const {
  if (block.freed == nullptr || block.freed->stream_id() == stream.id()) return true;
  const bool follow = reuse_flags_[0] != 0;         // kReuseFollowEventDependencies
  const bool opportunistic = reuse_flags_[1] != 0;  // kReuseAllowOpportunistic
  return (opportunistic && block.closed) || (follow && comes_after_free(stream, block));
}

std::byte* MemoryPool::reuse(std::size_t size_bytes, Stream& stream) {
  // As AMD's runtime does, an eighth may be wasted (ROCm/clr, hip_mempool_impl.cpp).
  const std::size_t least_bytes = page_bytes_of(size_bytes);
  const std::size_t most_bytes = least_bytes + least_bytes / 8;
  for (auto it = unused_.lower_bound(least_bytes); it != unused_.end() && it->first <= most_bytes;
       ++it) {
    std::byte* const address = it->second;
    PoolBlock& block = *find_pool_block(address);
    if (block.shared || !may_reuse(block, stream)) continue;
    if (!hand_out(address, block, size_bytes, stream)) continue;
    unused_.erase(it);
    return address;
  }
  return nullptr;
}

bool MemoryPool::hand_out(std::byte* address, PoolBlock& block, std::size_t size_bytes,
                          Stream& stream) {
  block.opened = nullptr;
  if (!block.closed) {
    // The free that closes the block is before this in the stream's order.
    block.opened = stream.submit(HostOperation{[=] { (void)open_pages(address, size_bytes); }});
  } else if (!open_pages(address, size_bytes)) {
    return false;
  }
  block.closed = false;
  block.in_use = true;
  block.size_bytes = size_bytes;
  ++block.hand_outs;
  count_use(size_bytes);
  return true;
}

void MemoryPool::take_back(std::byte* address, PoolBlock& block) {
  block.in_use = false;
  used_ -= block.size_bytes;
  unused_.emplace(block.capacity_bytes, address);
}

void MemoryPool::give_to_device(std::byte* address) {
  const auto block = pool_blocks().find(address);
  reserved_ -= block->second.capacity_bytes;
  if (Checker* const checker = device_.checker()) {
    checker->on_defined_memory(address, block->second.capacity_bytes);
  }
  pool_blocks().erase(block);
  (void)device_.memory().free(address);
}

void MemoryPool::close(std::byte* address, PoolBlock& block) {
  close_pages(address, block.capacity_bytes);
  block.closed = true;
  // Whoever has it next finds nothing defined in it.
  if (Checker* const checker = device_.checker()) {
    checker->on_fresh_memory(address, block.capacity_bytes);
  }
  if (!block.shared && !retired_ && device_.checker() == nullptr) return;
  std::erase_if(unused_, [&](const auto& entry) { return entry.second == address; });
  give_to_device(address);
}

bool MemoryPool::release_unused(std::uint64_t bytes_to_keep) {
  bool released = false;
  for (auto it = unused_.begin(); it != unused_.end() && reserved_ > bytes_to_keep;) {
    if (!find_pool_block(it->second)->closed) {
      ++it;
      continue;
    }
    give_to_device(it->second);
    it = unused_.erase(it);
    released = true;
  }
  return released;
}

void MemoryPool::retire() {
  retired_ = true;
  (void)release_unused(0);
}

void MemoryPool::trim(std::uint64_t bytes_to_keep) {
  const std::lock_guard lock(pool_mutex());
  (void)release_unused(bytes_to_keep);
}

std::shared_ptr<machine::PhysicalMemory> MemoryPool::token() {
  constexpr std::size_t kTokenBytes = 4096;
  const std::lock_guard lock(pool_mutex());
  if (token_ == nullptr) {
    if (auto made = machine::PhysicalMemory::create(kTokenBytes)) token_ = std::move(*made);
  }
  return token_;
}

Status MemoryPool::attribute(PoolAttribute attribute, void* value) const {
  const std::lock_guard lock(pool_mutex());
  switch (attribute) {
    case PoolAttribute::kReuseFollowEventDependencies:
    case PoolAttribute::kReuseAllowOpportunistic:
    case PoolAttribute::kReuseAllowInternalDependencies:
      return give(value, reuse_flags_[static_cast<int>(attribute) - 1]);
    case PoolAttribute::kReleaseThreshold: return give(value, release_threshold_);
    case PoolAttribute::kReservedMemCurrent: return give(value, reserved_);
    case PoolAttribute::kReservedMemHigh: return give(value, reserved_high_);
    case PoolAttribute::kUsedMemCurrent: return give(value, used_);
    case PoolAttribute::kUsedMemHigh: return give(value, used_high_);
  }
  return Status::kInvalidValue;
}

Status MemoryPool::set_attribute(PoolAttribute attribute, const void* value) {
  const std::lock_guard lock(pool_mutex());
  switch (attribute) {
    case PoolAttribute::kReuseFollowEventDependencies:
    case PoolAttribute::kReuseAllowOpportunistic:
    case PoolAttribute::kReuseAllowInternalDependencies:
      std::memcpy(&reuse_flags_[static_cast<int>(attribute) - 1], value, sizeof(int));
      return Status::kSuccess;
    case PoolAttribute::kReleaseThreshold:
      std::memcpy(&release_threshold_, value, sizeof release_threshold_);
      return Status::kSuccess;
    case PoolAttribute::kReservedMemHigh:
    case PoolAttribute::kUsedMemHigh: {
      std::uint64_t high = 0;
      std::memcpy(&high, value, sizeof high);
      if (high != 0) return Status::kInvalidValue;  // a high-water mark can only be reset
      if (attribute == PoolAttribute::kUsedMemHigh) used_high_ = used_;
      if (attribute == PoolAttribute::kReservedMemHigh) reserved_high_ = reserved_;
      return Status::kSuccess;
    }
    case PoolAttribute::kReservedMemCurrent:
    case PoolAttribute::kUsedMemCurrent: break;
  }
  return Status::kInvalidValue;
}

MemoryPool& default_pool(VirtualDevice& device) {
  Pools& registry = pools();
  const std::lock_guard lock(pool_mutex());
  MemoryPool*& pool = registry.defaults[&device];
  if (pool == nullptr) pool = &add_pool(registry, device, 0);
  return *pool;
}

MemoryPool& current_pool(VirtualDevice& device) {
  {
    const std::lock_guard lock(pool_mutex());
    const auto found = pools().current.find(&device);
    if (found != pools().current.end()) return *found->second;
  }
  return default_pool(device);
}

void set_current_pool(VirtualDevice& device, MemoryPool& pool) {
  const std::lock_guard lock(pool_mutex());
  pools().current[&device] = &pool;
}

MemoryPool& create_pool(VirtualDevice& device, std::size_t max_bytes,
                        abi::MemHandleType handle_type) {
  const std::lock_guard lock(pool_mutex());
  return add_pool(pools(), device, max_bytes, handle_type);
}

bool destroy_pool(MemoryPool* pool) {
  Pools& registry = pools();
  const std::lock_guard lock(pool_mutex());
  for (const auto& [device, standard] : registry.defaults) {
    if (standard == pool) return false;
  }
  std::erase_if(registry.current, [&](const auto& entry) { return entry.second == pool; });
  if (std::erase(registry.live, pool) == 0) return false;
  pool->retire();
  return true;
}

bool is_pool(const MemoryPool* pool) {
  const std::lock_guard lock(pool_mutex());
  return std::ranges::find(pools().live, pool) != pools().live.end();
}

std::optional<Status> free_pool_block(void* address) {
  const std::lock_guard lock(pool_mutex());
  PoolBlock* block = find_pool_block(address);
  if (block == nullptr) return std::nullopt;
  if (!block->in_use) return Status::kInvalidValue;
  MemoryPool& pool = *block->pool;
  pool.take_back(static_cast<std::byte*>(address), *block);
  block->freed = nullptr;
  pool.close(static_cast<std::byte*>(address), *block);
  (void)pool.release_unused(pool.release_threshold());
  return Status::kSuccess;
}

bool release_unused_pool_memory(const VirtualDevice& device) {
  const std::lock_guard lock(pool_mutex());
  bool released = false;
  for (const auto& pool : pools().all) {
    if (&pool->device() == &device) released = pool->release_unused(0) || released;
  }
  return released;
}

void trim_pools(const VirtualDevice& device) {
  const std::lock_guard lock(pool_mutex());
  for (const auto& pool : pools().all) {
    if (&pool->device() == &device) (void)pool->release_unused(pool->release_threshold());
  }
}

}  // namespace wavetank::hip
