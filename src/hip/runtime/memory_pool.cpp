#include "hip/runtime/memory_pool.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "hip/graph/graph_memory.hpp"
#include "hip/runtime/allocation.hpp"
#include "hip/runtime/shared_memory.hpp"
#include "hip/runtime/transfer.hpp"
#include "hip/runtime/virtual_device.hpp"

namespace wavetank::hip {
namespace {

using abi::Status;

/// All pools of the process. A destroyed pool lives on while allocations from it do, so none is
/// ever deleted.
struct Pools {
  std::mutex mutex;
  std::vector<std::unique_ptr<MemoryPool>> all;
  std::vector<const MemoryPool*> live;
  std::map<const VirtualDevice*, MemoryPool*> defaults;
  std::map<const VirtualDevice*, MemoryPool*> current;
  std::map<void*, MemoryPool*> owners;  ///< allocation -> pool
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

template <class Value>
Status give(void* target, Value value) {
  std::memcpy(target, &value, sizeof value);
  return Status::kSuccess;
}

}  // namespace

Status MemoryPool::allocate(void** address, std::size_t size_bytes) {
  {
    const std::lock_guard lock(mutex_);
    if (max_bytes_ != 0 && used_ + size_bytes > max_bytes_) return Status::kOutOfMemory;
  }
  const Status status =
      allocate_memory(device_, address, size_bytes, machine::MemoryKind::kDevice);
  if (status != Status::kSuccess || *address == nullptr) return status;
  {
    const std::lock_guard lock(mutex_);
    in_use_.emplace(*address, size_bytes);
    used_ += size_bytes;
    used_high_ = std::max(used_high_, used_);
  }
  const std::lock_guard lock(pools().mutex);
  pools().owners[*address] = this;
  return Status::kSuccess;
}

std::shared_ptr<machine::PhysicalMemory> MemoryPool::token() {
  constexpr std::size_t kTokenBytes = 4096;
  const std::lock_guard lock(mutex_);
  if (token_ == nullptr) {
    if (auto made = machine::PhysicalMemory::create(kTokenBytes)) token_ = std::move(*made);
  }
  return token_;
}

void MemoryPool::release(void* address) {
  const std::lock_guard lock(mutex_);
  const auto found = in_use_.find(address);
  if (found == in_use_.end()) return;
  used_ -= found->second;
  in_use_.erase(found);
}

Status MemoryPool::free(void* address, Stream& stream) {
  machine::DeviceMemory& memory = stream.device().memory();
  const auto allocation = memory.find(address);
  if (!allocation || allocation->registered || allocation->address != address) {
    return Status::kInvalidValue;
  }
  if (allocation->attached) {
    return submit_operation(
        stream, HostOperation{[address] { (void)close_memory(address, OpenedBy::kPool); }},
        Blocking::kNo);
  }
  if (const auto of_graph = find_graph_memory(address)) {
    if (!free_graph_memory(*of_graph)) return Status::kInvalidValue;
    // What the stream was given may still use the memory.
    return submit_operation(stream, HostOperation{[of_graph] {}}, Blocking::kNo);
  }
  MemoryPool* owner = nullptr;
  {
    const std::lock_guard lock(pools().mutex);
    const auto found = pools().owners.find(address);
    if (found != pools().owners.end()) {
      owner = found->second;
      pools().owners.erase(found);
    }
  }
  HostOperation operation;
  operation.call = [address, owner, &memory] {
    (void)memory.free(address);
    if (owner != nullptr) owner->release(address);
  };
  return submit_operation(stream, std::move(operation), Blocking::kNo);
}

Status MemoryPool::attribute(PoolAttribute attribute, void* value) const {
  const std::lock_guard lock(mutex_);
  switch (attribute) {
    case PoolAttribute::kReuseFollowEventDependencies:
    case PoolAttribute::kReuseAllowOpportunistic:
    case PoolAttribute::kReuseAllowInternalDependencies:
      return give(value, reuse_flags_[static_cast<int>(attribute) - 1]);
    case PoolAttribute::kReleaseThreshold: return give(value, release_threshold_);
    case PoolAttribute::kReservedMemCurrent:
    case PoolAttribute::kUsedMemCurrent: return give(value, used_);
    case PoolAttribute::kReservedMemHigh:
    case PoolAttribute::kUsedMemHigh: return give(value, used_high_);
  }
  return Status::kInvalidValue;
}

Status MemoryPool::set_attribute(PoolAttribute attribute, const void* value) {
  const std::lock_guard lock(mutex_);
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
      used_high_ = used_;
      return Status::kSuccess;
    }
    case PoolAttribute::kReservedMemCurrent:
    case PoolAttribute::kUsedMemCurrent: break;
  }
  return Status::kInvalidValue;
}

MemoryPool& default_pool(VirtualDevice& device) {
  Pools& registry = pools();
  const std::lock_guard lock(registry.mutex);
  MemoryPool*& pool = registry.defaults[&device];
  if (pool == nullptr) pool = &add_pool(registry, device, 0);
  return *pool;
}

MemoryPool& current_pool(VirtualDevice& device) {
  {
    const std::lock_guard lock(pools().mutex);
    const auto found = pools().current.find(&device);
    if (found != pools().current.end()) return *found->second;
  }
  return default_pool(device);
}

void set_current_pool(VirtualDevice& device, MemoryPool& pool) {
  const std::lock_guard lock(pools().mutex);
  pools().current[&device] = &pool;
}

MemoryPool& create_pool(VirtualDevice& device, std::size_t max_bytes,
                        abi::MemHandleType handle_type) {
  const std::lock_guard lock(pools().mutex);
  return add_pool(pools(), device, max_bytes, handle_type);
}

bool destroy_pool(MemoryPool* pool) {
  Pools& registry = pools();
  const std::lock_guard lock(registry.mutex);
  for (const auto& [device, standard] : registry.defaults) {
    if (standard == pool) return false;
  }
  std::erase_if(registry.current, [&](const auto& entry) { return entry.second == pool; });
  return std::erase(registry.live, pool) != 0;
}

bool is_pool(const MemoryPool* pool) {
  const std::lock_guard lock(pools().mutex);
  return std::ranges::find(pools().live, pool) != pools().live.end();
}

}  // namespace wavetank::hip
