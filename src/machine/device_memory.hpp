// Memory that a device can reach. All of it lies in one reserved address range of the process, so a
// device pointer is a host pointer and "may a kernel touch this" is one comparison:
//
//   |<-- device 0 -->|<-- device 1 -->| ... |<-- host: pinned, managed -->|
//
// A device has such a part for each user of its memory (MemoryUser): first all of the programs'.
// Allocations are whole pages with an unmapped page after each, so that an access beyond an
// allocation is a host fault, which the executor reports as the device's memory fault. A device's
// range is larger than its capacity, so that unmapped pages and alignment never exhaust it first.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <shared_mutex>
#include <vector>

#include "base/error.hpp"
#include "machine/physical_memory.hpp"

namespace wavetank::machine {

enum class MemoryKind : std::uint8_t {
  kDevice,      ///< hipMalloc; counts against the capacity
  kHostPinned,  ///< hipHostMalloc
  kManaged,     ///< hipMallocManaged
};

/// Who takes device memory. Each has addresses of its own, so that those of a program depend on the
/// program alone, and not on how far its launches have come: they choose cache sets and channels.
enum class MemoryUser : std::uint8_t {
  kProgram,   ///< what its calls ask for
  kLaunches,  ///< what launches need, in the order of the program: scratch under the cycle model
  kHeap,      ///< the device's malloc, as waves come to it
  kWorkers,   ///< what launches need, in the order in which the host's threads come to it
};
inline constexpr std::size_t kMemoryUsers = 4;

/// One allocation, or (kind kHostPinned, registered) a range of the program's own memory.
struct Allocation {
  std::byte* address = nullptr;
  std::size_t size_bytes = 0;
  MemoryKind kind = MemoryKind::kDevice;
  MemoryUser user = MemoryUser::kProgram;
  bool registered = false;  ///< hipHostRegister: the program's own pages
  unsigned flags = 0;       ///< the caller's; not interpreted here
  int device = 0;           ///< ordinal of the owner; not interpreted here
  bool writable = true;     ///< false for a range that was mapped for reading only
  bool attached = false;    ///< pages of another process
  bool fine_grained =
      false;  ///< the host sees what a running kernel writes: devices do not cache it
};

/// Addresses that are alike fine-grained or not.
struct GrainRange {
  std::uint64_t begin = 0;
  std::uint64_t size_bytes = 0;
  bool fine_grained = false;
  bool contains(std::uint64_t address) const { return address - begin < size_bytes; }
};

/// What devices may do with a mapped range (hipMemAccessFlags).
enum class Access : std::uint8_t { kNone = 0, kRead = 1, kReadWrite = 3 };

/// The address space of one process's virtual devices. All functions are safe from any thread.
class DeviceMemory {
 public:
  /// Reserves address space for `device_count` devices of `capacity_bytes` each and for
  /// host-visible memory. Nothing is committed; it takes microseconds.
  /// Errors: kOutOfMemory when the address space cannot be reserved, kUsage for no devices.
  static Result<std::unique_ptr<DeviceMemory>> reserve(std::uint64_t capacity_bytes,
                                                       int device_count = 1);
  ~DeviceMemory();
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  /// Gives zero-filled memory aligned to 4096 bytes, from 4 MiB on to 2 MiB (huge pages).
  /// Errors: kOutOfMemory; kUsage for no bytes or an unknown device.
  Result<std::byte*> allocate(std::size_t size_bytes, MemoryKind kind, unsigned flags = 0,
                              int device = 0);
  /// Gives a user device memory, as allocate() gives it to the program.
  Result<std::byte*> allocate_for(MemoryUser user, std::size_t size_bytes, int device = 0);
  /// Frees what these two gave. Errors: kUsage when `address` is not the start of an allocation.
  Result<void> free(void* address);
  /// Makes the program's own range visible to devices, and the reverse. Ranges may overlap; of
  /// those with the same begin the longest counts, and one call unregisters them all. Errors:
  /// kUsage when the range is empty, not mapped memory, overlaps the arena, or was not registered.
  Result<void> register_host(void* address, std::size_t size_bytes, unsigned flags = 0);
  Result<void> unregister_host(void* address);

  /// Makes an allocation or registered range fine-grained or coarse-grained, given an address in
  /// it. Device memory is coarse-grained at first, all other fine-grained. Errors: kUsage.
  Result<void> set_fine_grained(const void* address, bool fine_grained);
  /// A range that contains `address`; it may end before its allocation does. Memory that nobody
  /// allocated is fine-grained if it is the program's own.
  GrainRange grain_at(std::uint64_t address) const;

  /// Makes the pages of an allocation ones that another process can map, and gives them. The
  /// content stays; nobody may write to it meanwhile. Errors: kUsage for what is no allocation,
  /// kOutOfMemory.
  Result<std::shared_ptr<PhysicalMemory>> share(void* address);
  /// Makes pages of another process an allocation; it does not count against the capacity.
  /// Errors: kUsage, kOutOfMemory.
  Result<std::byte*> attach(const std::shared_ptr<PhysicalMemory>& pages, int device = 0);
  /// Undoes attach. Errors: kUsage when `address` is not what attach gave.
  Result<void> detach(void* address);

  /// Device memory without an address; it counts against the capacity until the last user lets go,
  /// which must be before this object ends. Errors: kUsage, kOutOfMemory.
  Result<std::shared_ptr<PhysicalMemory>> create_pages(std::size_t size_bytes, int device = 0);
  /// Takes a range of addresses: whole pages, aligned to a power of two, at `wanted` if that is
  /// free. An access faults until something is mapped. Errors: kUsage, kOutOfMemory.
  Result<std::byte*> reserve_addresses(std::size_t size_bytes, std::size_t alignment_bytes,
                                       void* wanted = nullptr, int device = 0);
  /// Gives a whole reserved range back. Errors: kUsage for another range, or while it has pages.
  Result<void> release_addresses(void* address, std::size_t size_bytes);
  /// Maps the first `size_bytes` of some pages inside a reserved range; an access faults until
  /// set_access(). `pages` is kept. Errors: kUsage (not inside one reservation, not whole pages,
  /// more than there are, something mapped there already), kOutOfMemory.
  Result<void> map(void* address, std::size_t size_bytes, std::shared_ptr<PhysicalMemory> pages,
                   int device = 0);
  /// Unmaps a range that begins and ends with mappings. Errors: kUsage, also for a gap in it.
  Result<void> unmap(void* address, std::size_t size_bytes);
  /// Sets what a device may do with a range that begins and ends with mappings. As all devices
  /// share the host's page tables, an access works if any device may make it. Errors: kUsage.
  Result<void> set_access(void* address, std::size_t size_bytes, int device, Access access);
  /// What a device may do at an address; nothing where nothing is mapped.
  std::optional<Access> access_at(const void* address, int device) const;
  /// The pages mapped at an address, or nullptr.
  std::shared_ptr<PhysicalMemory> pages_at(const void* address) const;

  /// The allocation, registered range or mapped range with access that contains `address`. Mappings
  /// without a gap and with the same access are one range.
  std::optional<Allocation> find(const void* address) const;
  /// From now on addresses of freed allocations are not given again, as long as there are others.
  void keep_freed_addresses() { keeps_freed_addresses_ = true; }
  /// The freed allocation whose address this was, where they are kept.
  std::optional<Allocation> find_freed(const void* address) const;
  /// The allocation that begins last before an address.
  std::optional<Allocation> find_before(const void* address) const;
  /// Bytes of device memory in use on a device, in whole pages, and the capacity of each.
  std::uint64_t used_bytes(int device = 0) const;
  std::uint64_t capacity_bytes() const { return capacity_bytes_; }

  /// The reserved range: an access inside it either works or faults in the host's page tables.
  std::uint64_t arena_begin() const { return arena_begin_; }
  std::uint64_t arena_end() const { return arena_end_; }
  /// True if devices may reach every host address (HSA_XNACK=1, MI300A).
  bool host_accessible() const { return host_accessible_.load(std::memory_order_relaxed); }
  void set_host_accessible(bool accessible) { host_accessible_ = accessible; }
  /// For an address outside the arena: may a device touch it?
  bool outside_access_allowed(std::uint64_t address, std::size_t size_bytes) const;
  /// True if devices may reach some address of [begin, end): memory of the arena, or the program's.
  bool reaches(std::uint64_t begin, std::uint64_t end) const;

 private:
  DeviceMemory() = default;

  /// A part of the arena and what of it is free. A taken block is an allocation's pages and the
  /// unmapped page after them.
  struct Range {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    std::map<std::uint64_t, std::uint64_t> free_by_address;  ///< begin -> size

    /// First fit; 0 when no free block is large enough.
    std::uint64_t take(std::uint64_t size_bytes, std::uint64_t alignment_bytes);
    /// Takes a block at an address; false unless all of it is free.
    bool take_at(std::uint64_t address, std::uint64_t size_bytes);
    /// Gives a block back and joins it with its free neighbours.
    void give_back(std::uint64_t address, std::uint64_t size_bytes);
  };

  /// Pages in a reserved range.
  struct Mapping {
    std::uint64_t size_bytes = 0;
    std::shared_ptr<PhysicalMemory> pages;
    int device = 0;
    std::map<int, Access> access;  ///< by device
    Access protection = Access::kNone;
  };
  using Mappings = std::map<std::uint64_t, Mapping>;
  struct Reservation {
    std::uint64_t size_bytes = 0;
    int device = 0;
    Mappings mappings;
  };

  Reservation* reservation_at(std::uint64_t address, std::uint64_t size_bytes);
  const Mapping* mapping_at(std::uint64_t address) const;
  std::optional<Allocation> find_mapped(std::uint64_t address) const;
  const Allocation* find_registered(std::uint64_t address, std::uint64_t size_bytes) const;
  Allocation* find_known(std::uint64_t address);
  bool known_device(int device) const;
  Range& range_of(MemoryKind kind, int device, MemoryUser user = MemoryUser::kProgram);
  Result<std::byte*> take_pages(Allocation wanted);
  std::uint64_t take(Range& range, std::uint64_t block_bytes, std::uint64_t alignment_bytes);
  Result<void> check_request(std::uint64_t size_bytes, MemoryKind kind, int device) const;

  mutable std::shared_mutex mutex_;
  std::map<std::uint64_t, Allocation> allocations_;
  std::map<std::uint64_t, Allocation> freed_;  ///< whose addresses are kept
  std::atomic<bool> keeps_freed_addresses_ = false;
  std::map<std::uint64_t, Allocation> registered_;
  std::uint64_t longest_registered_bytes_ = 0;  ///< of those there were since there was none
  std::array<std::vector<Range>, kMemoryUsers> device_ranges_;  ///< by MemoryUser and device
  Range host_range_;
  std::vector<std::uint64_t> used_bytes_;
  std::uint64_t capacity_bytes_ = 0;
  std::uint64_t arena_begin_ = 0;
  std::uint64_t arena_end_ = 0;
  std::atomic<bool> host_accessible_ = false;
  std::atomic<std::size_t> fine_grained_device_allocations_ = 0;
  std::map<std::uint64_t, std::shared_ptr<PhysicalMemory>> shared_;  ///< of allocations, by address
  std::map<std::uint64_t, Reservation> reservations_;  ///< last: its pages count in used_bytes_
};

}  // namespace wavetank::machine
