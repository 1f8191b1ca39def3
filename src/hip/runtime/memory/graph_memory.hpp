// Device memory that graphs allocate while they run. Its address is known when the allocation node
// is made, so the memory is reserved then and stays for as long as a node needs it; "allocated" and
// "freed" are states that launches give it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "hip/abi/status.hpp"

namespace wavetank::hip {

class VirtualDevice;

/// The memory of one allocation node. Freed when no node and no launch refers to it any more.
class GraphAllocation {
 public:
  GraphAllocation(VirtualDevice& device, void* address, std::size_t size_bytes)
      : device_(device), address_(address), size_bytes_(size_bytes) {}
  ~GraphAllocation();
  GraphAllocation(const GraphAllocation&) = delete;
  GraphAllocation& operator=(const GraphAllocation&) = delete;

  VirtualDevice& device() const { return device_; }
  void* address() const { return address_; }
  std::size_t size_bytes() const { return size_bytes_; }
  /// True from the launch of the allocation node until it is freed, by a node or by the program.
  bool is_allocated() const;

  /// Set when a free node for it was added to some graph: there can be only one.
  bool has_free_node = false;

 private:
  VirtualDevice& device_;
  void* const address_;
  const std::size_t size_bytes_;
};

/// Reserves memory on a device. Gives kOutOfMemory.
abi::Status reserve_graph_memory(VirtualDevice& device, std::size_t size_bytes,
                                 std::shared_ptr<GraphAllocation>& allocation);

/// The live allocation that starts at an address, or nullptr.
std::shared_ptr<GraphAllocation> find_graph_memory(const void* address);

/// A launch allocates it; it then outlives its graph until it is freed.
void allocate_graph_memory(const std::shared_ptr<GraphAllocation>& allocation);
/// Frees it; false if it was not allocated. The caller keeps a reference for as long as work that
/// uses the memory may run.
bool free_graph_memory(const GraphAllocation& allocation);

/// hipGraphMemAttributeType.
enum class GraphMemoryAttribute : std::int32_t {
  kUsedCurrent = 0,
  kUsedHigh = 1,
  kReservedCurrent = 2,
  kReservedHigh = 3,
};

/// Bytes of a device's graph memory; `used` is allocated, `reserved` all there is.
std::uint64_t graph_memory_attribute(const VirtualDevice& device, GraphMemoryAttribute attribute);
/// Lets a high-water mark begin anew from the current value.
void reset_graph_memory_high(const VirtualDevice& device, GraphMemoryAttribute attribute);

}  // namespace wavetank::hip
