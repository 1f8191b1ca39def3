// What the files of DeviceMemory share: pages of the host's address space.
#pragma once

#include <sys/mman.h>

#include <cstdint>
#include <iterator>

namespace wavetank::machine {

inline constexpr std::uint64_t kPageBytes = 4096;
inline constexpr int kNoAccessFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;

constexpr std::uint64_t align_up(std::uint64_t value, std::uint64_t alignment) {
  return (value + alignment - 1) & ~(alignment - 1);
}

inline std::uint64_t number_of(const void* address) {
  return reinterpret_cast<std::uint64_t>(address);
}

/// The entry of an address-ordered map that contains `address`, or its end.
template <class Map>
auto find_containing(Map& map, std::uint64_t address) {
  auto next = map.upper_bound(address);
  if (next == map.begin()) return map.end();
  const auto candidate = std::prev(next);
  return address - candidate->first < candidate->second.size_bytes ? candidate : map.end();
}

/// Drops pages and their content. Mapping anew also joins the kernel's records of the neighbours,
/// of which a process may only have some ten thousands.
inline void decommit(std::uint64_t address, std::uint64_t size_bytes) {
  void* pages = reinterpret_cast<void*>(address);
  if (::mmap(pages, size_bytes, PROT_NONE, kNoAccessFlags | MAP_FIXED, -1, 0) != MAP_FAILED) return;
  // Splitting a mapping can hit the limit on their number; dropping content and access cannot fail
  // on pages that are one mapping already.
  ::madvise(pages, size_bytes, MADV_DONTNEED);
  ::mprotect(pages, size_bytes, PROT_NONE);
}

}  // namespace wavetank::machine
