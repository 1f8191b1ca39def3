// Which addresses of a part of the arena are free.
#include <iterator>

#include "machine/device_memory.hpp"
#include "machine/page_table.hpp"

namespace wavetank::machine {

std::uint64_t DeviceMemory::Range::take(std::uint64_t size_bytes, std::uint64_t alignment_bytes) {
  for (auto block = free_by_address.begin(); block != free_by_address.end(); ++block) {
    const std::uint64_t block_end = block->first + block->second;
    const std::uint64_t address = align_up(block->first, alignment_bytes);
    if (address > block_end || size_bytes > block_end - address) continue;
    const std::uint64_t gap_bytes = address - block->first;
    if (gap_bytes > 0) {
      block->second = gap_bytes;
    } else {
      free_by_address.erase(block);
    }
    const std::uint64_t taken_end = address + size_bytes;
    if (taken_end < block_end) free_by_address.emplace(taken_end, block_end - taken_end);
    return address;
  }
  return 0;
}

void DeviceMemory::Range::give_back(std::uint64_t address, std::uint64_t size_bytes) {
  auto next = free_by_address.lower_bound(address);
  if (next != free_by_address.end() && next->first == address + size_bytes) {
    size_bytes += next->second;
    next = free_by_address.erase(next);
  }
  if (next != free_by_address.begin()) {
    const auto previous = std::prev(next);
    if (previous->first + previous->second == address) {
      previous->second += size_bytes;
      return;
    }
  }
  free_by_address.emplace(address, size_bytes);
}

bool DeviceMemory::Range::take_at(std::uint64_t address, std::uint64_t size_bytes) {
  auto block = free_by_address.upper_bound(address);
  if (block == free_by_address.begin()) return false;
  --block;
  const std::uint64_t block_begin = block->first;
  const std::uint64_t block_end = block_begin + block->second;
  if (address >= block_end || size_bytes > block_end - address) return false;
  free_by_address.erase(block);
  if (address > block_begin) free_by_address.emplace(block_begin, address - block_begin);
  const std::uint64_t taken_end = address + size_bytes;
  if (taken_end < block_end) free_by_address.emplace(taken_end, block_end - taken_end);
  return true;
}

}  // namespace wavetank::machine
