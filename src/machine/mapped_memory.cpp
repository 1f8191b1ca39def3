// Virtual memory management: addresses and pages apart, joined by mappings.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <shared_mutex>
#include <utility>

#include "machine/device_memory.hpp"
#include "machine/page_table.hpp"

namespace wavetank::machine {
namespace {

bool whole_pages(std::uint64_t address, std::uint64_t size_bytes) {
  return size_bytes != 0 && address % kPageBytes == 0 && size_bytes % kPageBytes == 0;
}

int host_protection(Access access) {
  switch (access) {
    case Access::kNone: return PROT_NONE;
    case Access::kRead: return PROT_READ;
    case Access::kReadWrite: return PROT_READ | PROT_WRITE;
  }
  return PROT_NONE;
}

/// The mappings that fill [begin, end) without a gap, first and past the last; an empty range if
/// there are none such.
template <class Mappings>
auto mappings_of(Mappings& mappings, std::uint64_t begin, std::uint64_t end) {
  const auto first = mappings.find(begin);
  auto next = first;
  std::uint64_t at = begin;
  while (next != mappings.end() && at < end && next->first == at) {
    at += next->second.size_bytes;
    ++next;
  }
  return at == end ? std::pair(first, next) : std::pair(mappings.end(), mappings.end());
}

}  // namespace

Result<std::shared_ptr<PhysicalMemory>> DeviceMemory::create_pages(std::size_t size_bytes,
                                                                   int device) {
  if (!whole_pages(0, size_bytes)) return fail(ErrorCode::kUsage, "memory comes in whole pages");
  const std::unique_lock lock(mutex_);
  if (auto checked = check_request(size_bytes, MemoryKind::kDevice, device); !checked) {
    return tl::unexpected(checked.error());
  }
  const auto index = static_cast<std::size_t>(device);
  auto pages = PhysicalMemory::create(size_bytes, [this, index, size_bytes] {
    const std::unique_lock released(mutex_);
    used_bytes_[index] -= size_bytes;
  });
  if (pages) used_bytes_[index] += size_bytes;
  return pages;
}

Result<std::byte*> DeviceMemory::reserve_addresses(std::size_t size_bytes,
                                                   std::size_t alignment_bytes, void* wanted,
                                                   int device) {
  const bool aligned = alignment_bytes == 0 || std::has_single_bit(alignment_bytes);
  if (!whole_pages(0, size_bytes) || !aligned) {
    return fail(ErrorCode::kUsage, "addresses are reserved in whole, aligned pages");
  }
  const std::unique_lock lock(mutex_);
  if (!known_device(device)) {
    return fail(ErrorCode::kUsage, fmt::format("there is no device {}", device));
  }
  Range& range = range_of(MemoryKind::kDevice, device);
  const std::uint64_t alignment = std::max<std::uint64_t>(alignment_bytes, kPageBytes);
  const std::uint64_t arena_bytes = range.end - range.begin;
  if (size_bytes > arena_bytes || alignment > arena_bytes) {
    return fail(ErrorCode::kOutOfMemory, "the address range is larger than the device's");
  }
  const std::uint64_t block_bytes = size_bytes + kPageBytes;
  std::uint64_t address = number_of(wanted);
  const bool possible = address != 0 && address % alignment == 0;
  if (!possible || !range.take_at(address, block_bytes)) {
    address = range.take(block_bytes, alignment);
  }
  if (address == 0) return fail(ErrorCode::kOutOfMemory, "the address space is exhausted");
  reservations_.emplace(
      address, Reservation{.size_bytes = size_bytes, .device = device, .mappings = {}});
  return reinterpret_cast<std::byte*>(address);
}

Result<void> DeviceMemory::release_addresses(void* address, std::size_t size_bytes) {
  const std::unique_lock lock(mutex_);
  const auto found = reservations_.find(number_of(address));
  if (found == reservations_.end() || found->second.size_bytes != size_bytes) {
    return fail(ErrorCode::kUsage, fmt::format("{} is no reserved range of {} bytes",
                                               fmt::ptr(address), size_bytes));
  }
  if (!found->second.mappings.empty()) {
    return fail(ErrorCode::kUsage, "the reserved range still has memory mapped");
  }
  range_of(MemoryKind::kDevice, found->second.device)
      .give_back(found->first, size_bytes + kPageBytes);
  reservations_.erase(found);
  return {};
}

DeviceMemory::Reservation* DeviceMemory::reservation_at(std::uint64_t address,
                                                        std::uint64_t size_bytes) {
  const auto found = find_containing(reservations_, address);
  if (found == reservations_.end()) return nullptr;
  const std::uint64_t rest = found->second.size_bytes - (address - found->first);
  return size_bytes <= rest ? &found->second : nullptr;
}

const DeviceMemory::Mapping* DeviceMemory::mapping_at(std::uint64_t address) const {
  const auto reservation = find_containing(reservations_, address);
  if (reservation == reservations_.end()) return nullptr;
  const auto& mappings = reservation->second.mappings;
  const auto found = find_containing(mappings, address);
  return found == mappings.end() ? nullptr : &found->second;
}

Result<void> DeviceMemory::map(void* address, std::size_t size_bytes,
                               std::shared_ptr<PhysicalMemory> pages, int device) {
  const std::uint64_t begin = number_of(address);
  if (!whole_pages(begin, size_bytes) || size_bytes > pages->size_bytes()) {
    return fail(ErrorCode::kUsage, "only whole pages that exist can be mapped");
  }
  const std::unique_lock lock(mutex_);
  Reservation* const reservation = reservation_at(begin, size_bytes);
  if (reservation == nullptr) {
    return fail(ErrorCode::kUsage, fmt::format("{} bytes at {} lie in no reserved range",
                                               size_bytes, fmt::ptr(address)));
  }
  Mappings& mappings = reservation->mappings;
  const auto next = mappings.lower_bound(begin + size_bytes);
  if (next != mappings.begin()) {
    const auto& [other, mapping] = *std::prev(next);
    if (other + mapping.size_bytes > begin) {
      return fail(ErrorCode::kUsage, fmt::format("memory is mapped at {} already",
                                                 fmt::ptr(address)));
    }
  }
  const int flags = MAP_SHARED | MAP_FIXED | MAP_NORESERVE;
  if (::mmap(address, size_bytes, PROT_NONE, flags, pages->descriptor(), 0) == MAP_FAILED) {
    return fail(ErrorCode::kOutOfMemory,
                fmt::format("the host refused to map memory: {}", std::strerror(errno)));
  }
  Mapping mapping;
  mapping.size_bytes = size_bytes;
  mapping.pages = std::move(pages);
  mapping.device = device;
  mappings.emplace(begin, std::move(mapping));
  return {};
}

Result<void> DeviceMemory::unmap(void* address, std::size_t size_bytes) {
  // Pages go without the lock: the last user's end takes it.
  std::vector<std::shared_ptr<PhysicalMemory>> released;
  const std::unique_lock lock(mutex_);
  const std::uint64_t begin = number_of(address);
  Reservation* const reservation = reservation_at(begin, size_bytes);
  if (reservation == nullptr || size_bytes == 0) {
    return fail(ErrorCode::kUsage, "the range to unmap is not reserved");
  }
  const auto [first, last] = mappings_of(reservation->mappings, begin, begin + size_bytes);
  if (first == last) return fail(ErrorCode::kUsage, "the range to unmap is no row of mappings");
  decommit(begin, size_bytes);
  for (auto at = first; at != last; ++at) released.push_back(std::move(at->second.pages));
  reservation->mappings.erase(first, last);
  return {};
}

Result<void> DeviceMemory::set_access(void* address, std::size_t size_bytes, int device,
                                      Access access) {
  const std::unique_lock lock(mutex_);
  const std::uint64_t begin = number_of(address);
  Reservation* const reservation = reservation_at(begin, size_bytes);
  if (reservation == nullptr || size_bytes == 0 || !known_device(device)) {
    return fail(ErrorCode::kUsage, "the range is not reserved");
  }
  const auto [first, last] = mappings_of(reservation->mappings, begin, begin + size_bytes);
  if (first == last) return fail(ErrorCode::kUsage, "the range is no row of mappings");
  for (auto at = first; at != last; ++at) {
    Mapping& mapping = at->second;
    mapping.access[device] = access;
    mapping.protection = Access::kNone;
    for (const auto& [other, allowed] : mapping.access) {
      mapping.protection = std::max(mapping.protection, allowed);
    }
    void* const pages = reinterpret_cast<void*>(at->first);
    if (::mprotect(pages, mapping.size_bytes, host_protection(mapping.protection)) != 0) {
      return fail(ErrorCode::kOutOfMemory,
                  fmt::format("the host refused access to memory: {}", std::strerror(errno)));
    }
  }
  return {};
}

std::optional<Access> DeviceMemory::access_at(const void* address, int device) const {
  const std::shared_lock lock(mutex_);
  const Mapping* const mapping = mapping_at(number_of(address));
  if (mapping == nullptr) return std::nullopt;
  const auto found = mapping->access.find(device);
  return found == mapping->access.end() ? Access::kNone : found->second;
}

std::shared_ptr<PhysicalMemory> DeviceMemory::pages_at(const void* address) const {
  const std::shared_lock lock(mutex_);
  const Mapping* const mapping = mapping_at(number_of(address));
  return mapping == nullptr ? nullptr : mapping->pages;
}

std::optional<Allocation> DeviceMemory::find_mapped(std::uint64_t address) const {
  const auto reservation = find_containing(reservations_, address);
  if (reservation == reservations_.end()) return std::nullopt;
  const auto& mappings = reservation->second.mappings;
  const auto found = find_containing(mappings, address);
  if (found == mappings.end() || found->second.protection == Access::kNone) return std::nullopt;
  const Access protection = found->second.protection;
  std::uint64_t begin = found->first;
  for (auto at = found; at != mappings.begin();) {
    --at;
    const bool joined = at->first + at->second.size_bytes == begin;
    if (!joined || at->second.protection != protection) break;
    begin = at->first;
  }
  std::uint64_t end = found->first + found->second.size_bytes;
  for (auto at = std::next(found); at != mappings.end(); ++at) {
    if (at->first != end || at->second.protection != protection) break;
    end += at->second.size_bytes;
  }
  return Allocation{.address = reinterpret_cast<std::byte*>(begin),
                    .size_bytes = end - begin,
                    .kind = MemoryKind::kDevice,
                    .device = found->second.device,
                    .writable = protection == Access::kReadWrite};
}

}  // namespace wavetank::machine
