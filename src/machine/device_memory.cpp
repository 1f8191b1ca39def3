#include "machine/device_memory.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <mutex>
#include <numeric>
#include <string>

#include "machine/page_table.hpp"

namespace wavetank::machine {
namespace {

constexpr std::uint64_t kHugePageBytes = std::uint64_t{2} << 20;
constexpr std::uint64_t kHugeAllocationBytes = std::uint64_t{4} << 20;
constexpr std::uint64_t kHostRangeBytes = std::uint64_t{1} << 40;
constexpr std::uint64_t kRangeSlackBytes = std::uint64_t{1} << 30;
constexpr std::uint64_t kUserAddressEnd = std::uint64_t{1} << 47;
/// Where the arena goes if nothing else is there: runs whose addresses agree take the same cycles,
/// as addresses choose cache sets and channels.
constexpr std::uint64_t kPreferredBegin = std::uint64_t{1} << 45;

std::string bytes_text(std::uint64_t bytes) {
  if (bytes >= std::uint64_t{1} << 30) {
    return fmt::format("{:.2f} GiB", static_cast<double>(bytes) / (1u << 30));
  }
  if (bytes >= std::uint64_t{1} << 20) {
    return fmt::format("{:.2f} MiB", static_cast<double>(bytes) / (1u << 20));
  }
  return fmt::format("{} bytes", bytes);
}

/// True if the process has memory at every address of a range.
bool is_mapped(std::uint64_t begin, std::uint64_t end) {
  const std::uint64_t first_page = begin & ~(kPageBytes - 1);
  // Changes nothing, and fails with ENOMEM at a gap.
  return ::msync(reinterpret_cast<void*>(first_page), end - first_page, MS_ASYNC) == 0 ||
         errno != ENOMEM;
}

std::uint64_t host_memory_bytes() {
  static const auto bytes = static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) *
                            static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  return bytes;
}

/// Makes pages usable. Errors: kOutOfMemory, for example when the process has too many mappings.
Result<void> commit(std::uint64_t address, std::uint64_t size_bytes, bool in_large_pages) {
  void* pages = reinterpret_cast<void*>(address);
  if (::mprotect(pages, size_bytes, PROT_READ | PROT_WRITE) != 0) {
    return fail(ErrorCode::kOutOfMemory, fmt::format("the host refused {} of device memory: {}",
                                                     bytes_text(size_bytes), std::strerror(errno)));
  }
  // Huge pages are only advice: where the host has none, small pages serve.
  if (in_large_pages) ::madvise(pages, size_bytes, MADV_HUGEPAGE);
  return {};
}

}  // namespace

Result<std::unique_ptr<DeviceMemory>> DeviceMemory::reserve(std::uint64_t capacity_bytes,
                                                            int device_count) {
  if (device_count < 1 || capacity_bytes == 0) {
    return fail(ErrorCode::kUsage, "there must be at least one device with memory");
  }
  const auto devices = static_cast<std::uint64_t>(device_count);
  if (capacity_bytes > kUserAddressEnd || devices > kUserAddressEnd / kRangeSlackBytes) {
    return fail(ErrorCode::kOutOfMemory, fmt::format("{} devices of {} exceed the address space",
                                                     devices, bytes_text(capacity_bytes)));
  }
  const std::uint64_t range_bytes = align_up(2 * capacity_bytes + kRangeSlackBytes, kHugePageBytes);
  std::uint64_t total_bytes = 0;
  void* arena = MAP_FAILED;
  if (!__builtin_mul_overflow(range_bytes, kMemoryUsers * devices, &total_bytes) &&
      !__builtin_add_overflow(total_bytes, kHostRangeBytes + kHugePageBytes, &total_bytes)) {
    void* const preferred = reinterpret_cast<void*>(kPreferredBegin);
    arena = ::mmap(preferred, total_bytes, PROT_NONE, kNoAccessFlags, -1, 0);
  }
  if (arena == MAP_FAILED) {
    return fail(ErrorCode::kOutOfMemory,
                fmt::format("cannot reserve the address space of {} devices of {}", devices,
                            bytes_text(capacity_bytes)),
                {}, "lift the limit on virtual memory (ulimit -v unlimited)");
  }
  std::unique_ptr<DeviceMemory> memory(new DeviceMemory);
  memory->arena_begin_ = number_of(arena);
  memory->arena_end_ = memory->arena_begin_ + total_bytes;
  memory->capacity_bytes_ = capacity_bytes;
  memory->used_bytes_.resize(devices);
  std::uint64_t begin = align_up(memory->arena_begin_, kHugePageBytes);
  for (auto& ranges : memory->device_ranges_) {
    for (std::uint64_t device = 0; device < devices; ++device, begin += range_bytes)
      ranges.push_back({begin, begin + range_bytes, {{begin, range_bytes}}});
  }
  memory->host_range_ = {begin, begin + kHostRangeBytes, {{begin, kHostRangeBytes}}};
  return memory;
}

DeviceMemory::~DeviceMemory() {
  if (arena_begin_ == 0) return;
  ::munmap(reinterpret_cast<void*>(arena_begin_), arena_end_ - arena_begin_);
}

DeviceMemory::Range& DeviceMemory::range_of(MemoryKind kind, int device, MemoryUser user) {
  if (kind != MemoryKind::kDevice) return host_range_;
  return device_ranges_[static_cast<std::size_t>(user)][static_cast<std::size_t>(device)];
}

bool DeviceMemory::known_device(int device) const {
  return device >= 0 && static_cast<std::size_t>(device) < used_bytes_.size();
}

Result<void> DeviceMemory::check_request(std::uint64_t size_bytes, MemoryKind kind,
                                         int device) const {
  if (size_bytes == 0) return fail(ErrorCode::kUsage, "an allocation needs at least one byte");
  if (!known_device(device)) {
    return fail(ErrorCode::kUsage, fmt::format("there is no device {}", device));
  }
  if (kind != MemoryKind::kDevice) {
    if (size_bytes <= kHostRangeBytes / 2) return {};
    return fail(ErrorCode::kOutOfMemory,
                fmt::format("cannot give {} of host memory", bytes_text(size_bytes)));
  }
  const std::uint64_t used = used_bytes_[static_cast<std::size_t>(device)];
  const std::uint64_t free_bytes = capacity_bytes_ - std::min(used, capacity_bytes_);
  if (size_bytes <= free_bytes && align_up(size_bytes, kPageBytes) <= free_bytes) return {};
  return fail(ErrorCode::kOutOfMemory,
              fmt::format("cannot give {} of device memory: {} of {} are in use",
                          bytes_text(size_bytes), bytes_text(used), bytes_text(capacity_bytes_)));
}

/// Room for a block, at the cost of kept addresses if there is no other; 0 when there is none.
std::uint64_t DeviceMemory::take(Range& range, std::uint64_t block_bytes,
                                 std::uint64_t alignment_bytes) {
  const std::uint64_t address = range.take(block_bytes, alignment_bytes);
  if (address != 0 || freed_.empty()) return address;
  std::erase_if(freed_, [&](const auto& entry) {
    const auto& [begin, allocation] = entry;
    if (begin < range.begin || begin >= range.end) return false;
    range.give_back(begin, align_up(allocation.size_bytes, kPageBytes) + kPageBytes);
    return true;
  });
  return range.take(block_bytes, alignment_bytes);
}

Result<std::byte*> DeviceMemory::allocate(std::size_t size_bytes, MemoryKind kind, unsigned flags,
                                          int device) {
  return take_pages({.size_bytes = size_bytes, .kind = kind, .flags = flags, .device = device});
}

Result<std::byte*> DeviceMemory::allocate_for(MemoryUser user, std::size_t size_bytes, int device) {
  return take_pages({.size_bytes = size_bytes, .user = user, .device = device});
}

Result<std::byte*> DeviceMemory::take_pages(Allocation wanted) {
  const std::unique_lock lock(mutex_);
  const std::size_t size_bytes = wanted.size_bytes;
  const MemoryKind kind = wanted.kind;
  if (auto checked = check_request(size_bytes, kind, wanted.device); !checked) {
    return tl::unexpected(checked.error());
  }
  const std::uint64_t rounded_bytes = align_up(size_bytes, kPageBytes);
  const bool is_large = rounded_bytes >= kHugeAllocationBytes;
  const std::uint64_t alignment_bytes = is_large ? kHugePageBytes : kPageBytes;
  Range& range = range_of(kind, wanted.device, wanted.user);
  const std::uint64_t block_bytes = rounded_bytes + kPageBytes;
  const std::uint64_t address = take(range, block_bytes, alignment_bytes);
  if (address == 0) {
    return fail(ErrorCode::kOutOfMemory,
                fmt::format("the address space is too fragmented for {}", bytes_text(size_bytes)));
  }
  // Of more than the host has a program can touch but few places, and each must cost a small page.
  const std::uint64_t with_others =
      std::accumulate(used_bytes_.begin(), used_bytes_.end(), rounded_bytes);
  const bool in_large_pages = is_large && with_others <= host_memory_bytes();
  if (auto committed = commit(address, rounded_bytes, in_large_pages); !committed) {
    range.give_back(address, block_bytes);
    return tl::unexpected(committed.error());
  }
  wanted.address = reinterpret_cast<std::byte*>(address);
  wanted.fine_grained = kind != MemoryKind::kDevice;
  allocations_.emplace(address, wanted);
  if (kind == MemoryKind::kDevice)
    used_bytes_[static_cast<std::size_t>(wanted.device)] += rounded_bytes;
  return wanted.address;
}

Result<void> DeviceMemory::free(void* address) {
  const std::unique_lock lock(mutex_);
  const auto found = allocations_.find(number_of(address));
  if (found == allocations_.end()) {
    const auto around = find_containing(allocations_, number_of(address));
    return fail(ErrorCode::kUsage,
                around == allocations_.end()
                    ? fmt::format("{} is no allocation", fmt::ptr(address))
                    : fmt::format("{} lies inside the allocation at {}", fmt::ptr(address),
                                  fmt::ptr(around->second.address)));
  }
  const Allocation allocation = found->second;
  if (allocation.attached) {
    return fail(ErrorCode::kUsage,
                fmt::format("{} is memory of another process", fmt::ptr(address)));
  }
  const std::uint64_t rounded_bytes = align_up(allocation.size_bytes, kPageBytes);
  decommit(found->first, rounded_bytes);
  if (keeps_freed_addresses_) {
    freed_.emplace(found->first, allocation);
  } else {
    range_of(allocation.kind, allocation.device, allocation.user)
        .give_back(found->first, rounded_bytes + kPageBytes);
  }
  if (allocation.kind == MemoryKind::kDevice) {
    used_bytes_[static_cast<std::size_t>(allocation.device)] -= rounded_bytes;
    if (allocation.fine_grained) --fine_grained_device_allocations_;
  }
  shared_.erase(found->first);
  allocations_.erase(found);
  return {};
}

Result<void> DeviceMemory::register_host(void* address, std::size_t size_bytes, unsigned flags) {
  const std::uint64_t begin = number_of(address);
  std::uint64_t end = 0;
  if (begin == 0 || size_bytes == 0 || __builtin_add_overflow(begin, size_bytes, &end) ||
      end > kUserAddressEnd) {
    return fail(ErrorCode::kUsage, "the range to register is no range of host memory");
  }
  if (begin < arena_end_ && end > arena_begin_) {
    return fail(ErrorCode::kUsage, "the range to register is device memory already");
  }
  if (!is_mapped(begin, end)) {
    return fail(ErrorCode::kUsage, "the range to register is not all mapped memory");
  }
  const std::unique_lock lock(mutex_);
  Allocation& allocation = registered_[begin];
  allocation = {.address = static_cast<std::byte*>(address),
                .size_bytes = std::max(size_bytes, allocation.size_bytes),
                .kind = MemoryKind::kHostPinned,
                .registered = true,
                .flags = flags,
                .fine_grained = true};
  longest_registered_bytes_ = std::max<std::uint64_t>(longest_registered_bytes_, size_bytes);
  return {};
}

/// The registered range that contains all of [address, address + size_bytes). The nearest one
/// before the address nearly always does; earlier ones only where ranges overlap.
const Allocation* DeviceMemory::find_registered(std::uint64_t address,
                                                std::uint64_t size_bytes) const {
  auto range = registered_.upper_bound(address);
  while (range != registered_.begin()) {
    --range;
    const std::uint64_t offset = address - range->first;
    if (offset >= longest_registered_bytes_) break;
    const std::uint64_t range_bytes = range->second.size_bytes;
    if (offset < range_bytes && size_bytes <= range_bytes - offset) return &range->second;
  }
  return nullptr;
}

Result<void> DeviceMemory::unregister_host(void* address) {
  const std::unique_lock lock(mutex_);
  if (registered_.erase(number_of(address)) == 0) {
    return fail(ErrorCode::kUsage, fmt::format("{} is not registered", fmt::ptr(address)));
  }
  if (registered_.empty()) longest_registered_bytes_ = 0;
  return {};
}

std::optional<Allocation> DeviceMemory::find(const void* address) const {
  const std::uint64_t number = number_of(address);
  const std::shared_lock lock(mutex_);
  if (number < arena_begin_ || number >= arena_end_) {
    const Allocation* registered = find_registered(number, 1);
    return registered == nullptr ? std::nullopt : std::optional(*registered);
  }
  const auto found = find_containing(allocations_, number);
  return found != allocations_.end() ? found->second : find_mapped(number);
}

std::optional<Allocation> DeviceMemory::find_freed(const void* address) const {
  const std::shared_lock lock(mutex_);
  const auto found = find_containing(freed_, number_of(address));
  return found == freed_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<Allocation> DeviceMemory::find_before(const void* address) const {
  const std::shared_lock lock(mutex_);
  const auto next = allocations_.upper_bound(number_of(address));
  return next == allocations_.begin() ? std::nullopt : std::optional(std::prev(next)->second);
}

std::uint64_t DeviceMemory::used_bytes(int device) const {
  const std::shared_lock lock(mutex_);
  if (device < 0 || static_cast<std::size_t>(device) >= used_bytes_.size()) return 0;
  return used_bytes_[static_cast<std::size_t>(device)];
}

bool DeviceMemory::outside_access_allowed(std::uint64_t address, std::size_t size_bytes) const {
  if (address >= kUserAddressEnd || size_bytes > kUserAddressEnd - address) return false;
  // An access that reaches into the arena from outside is none of the program's own memory.
  if (address < arena_end_ && address + size_bytes > arena_begin_) return false;
  if (host_accessible()) return true;
  const std::shared_lock lock(mutex_);
  return find_registered(address, size_bytes) != nullptr;
}

bool DeviceMemory::reaches(std::uint64_t begin, std::uint64_t end) const {
  if (begin < arena_end_ && end > arena_begin_) return true;
  if (host_accessible()) return begin < kUserAddressEnd;
  const std::shared_lock lock(mutex_);
  return std::ranges::any_of(registered_, [&](const auto& range) {
    return range.first < end && range.first + range.second.size_bytes > begin;
  });
}

}  // namespace wavetank::machine
