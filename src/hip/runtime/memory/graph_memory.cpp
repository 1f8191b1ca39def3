#include "hip/runtime/memory/graph_memory.hpp"

#include <algorithm>
#include <map>
#include <mutex>

#include "hip/runtime/memory/allocation.hpp"
#include "hip/runtime/virtual_device.hpp"

namespace wavetank::hip {
namespace {

using abi::Status;

struct Usage {
  std::uint64_t used = 0;
  std::uint64_t used_high = 0;
  std::uint64_t reserved = 0;
  std::uint64_t reserved_high = 0;
};

struct GraphMemory {
  std::mutex mutex;
  std::map<const void*, std::weak_ptr<GraphAllocation>> reserved;
  std::map<const void*, std::shared_ptr<GraphAllocation>> allocated;
  std::map<const VirtualDevice*, Usage> usage;
};

GraphMemory& memory() {
  static auto* all = new GraphMemory;
  return *all;
}

}  // namespace

GraphAllocation::~GraphAllocation() {
  {
    const std::lock_guard lock(memory().mutex);
    memory().reserved.erase(address_);
    memory().usage[&device_].reserved -= size_bytes_;
  }
  (void)device_.memory().free(address_);
}

bool GraphAllocation::is_allocated() const {
  const std::lock_guard lock(memory().mutex);
  return memory().allocated.contains(address_);
}

Status reserve_graph_memory(VirtualDevice& device, std::size_t size_bytes,
                            std::shared_ptr<GraphAllocation>& allocation) {
  void* address = nullptr;
  const Status status = allocate_memory(device, &address, size_bytes, machine::MemoryKind::kDevice);
  if (status != Status::kSuccess) return status;
  allocation = std::make_shared<GraphAllocation>(device, address, size_bytes);
  const std::lock_guard lock(memory().mutex);
  memory().reserved[address] = allocation;
  Usage& usage = memory().usage[&device];
  usage.reserved += size_bytes;
  usage.reserved_high = std::max(usage.reserved_high, usage.reserved);
  return Status::kSuccess;
}

std::shared_ptr<GraphAllocation> find_graph_memory(const void* address) {
  const std::lock_guard lock(memory().mutex);
  const auto found = memory().reserved.find(address);
  return found == memory().reserved.end() ? nullptr : found->second.lock();
}

void allocate_graph_memory(const std::shared_ptr<GraphAllocation>& allocation) {
  const std::lock_guard lock(memory().mutex);
  if (!memory().allocated.emplace(allocation->address(), allocation).second) return;
  Usage& usage = memory().usage[&allocation->device()];
  usage.used += allocation->size_bytes();
  usage.used_high = std::max(usage.used_high, usage.used);
}

bool free_graph_memory(const GraphAllocation& allocation) {
  const std::lock_guard lock(memory().mutex);
  if (memory().allocated.erase(allocation.address()) == 0) return false;
  memory().usage[&allocation.device()].used -= allocation.size_bytes();
  return true;
}

std::uint64_t graph_memory_attribute(const VirtualDevice& device, GraphMemoryAttribute attribute) {
  const std::lock_guard lock(memory().mutex);
  const Usage& usage = memory().usage[&device];
  switch (attribute) {
    case GraphMemoryAttribute::kUsedCurrent: return usage.used;
    case GraphMemoryAttribute::kUsedHigh: return usage.used_high;
    case GraphMemoryAttribute::kReservedCurrent: return usage.reserved;
    case GraphMemoryAttribute::kReservedHigh: return usage.reserved_high;
  }
  return 0;
}

void reset_graph_memory_high(const VirtualDevice& device, GraphMemoryAttribute attribute) {
  const std::lock_guard lock(memory().mutex);
  Usage& usage = memory().usage[&device];
  if (attribute == GraphMemoryAttribute::kUsedHigh) usage.used_high = usage.used;
  if (attribute == GraphMemoryAttribute::kReservedHigh) usage.reserved_high = usage.reserved;
}

}  // namespace wavetank::hip
