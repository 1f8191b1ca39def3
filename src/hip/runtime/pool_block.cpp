#include "hip/runtime/pool_block.hpp"

#include <sys/mman.h>

#include <iterator>

namespace wavetank::hip {

std::mutex& pool_mutex() {
  static auto* mutex = new std::mutex;
  return *mutex;
}

std::map<std::byte*, PoolBlock>& pool_blocks() {
  static auto* blocks = new std::map<std::byte*, PoolBlock>;
  return *blocks;
}

PoolBlock* find_pool_block(void* address) {
  const auto found = pool_blocks().find(static_cast<std::byte*>(address));
  return found == pool_blocks().end() ? nullptr : &found->second;
}

void close_pages(std::byte* address, std::size_t capacity_bytes) {
  // Closing all pages of an allocation splits no mapping, which is all that could fail.
  (void)::mprotect(address, capacity_bytes, PROT_NONE);
}

bool open_pages(std::byte* address, std::size_t size_bytes) {
  return ::mprotect(address, page_bytes_of(size_bytes), PROT_READ | PROT_WRITE) == 0;
}

bool limit_to_pool_block(machine::Allocation& allocation) {
  const std::lock_guard lock(pool_mutex());
  const PoolBlock* block = find_pool_block(allocation.address);
  if (block == nullptr) return false;
  allocation.size_bytes = block->closed ? 0 : block->size_bytes;
  return true;
}

CompletionPtr pool_block_opening(const void* address) {
  const std::lock_guard lock(pool_mutex());
  auto* const wanted = static_cast<std::byte*>(const_cast<void*>(address));
  const auto next = pool_blocks().upper_bound(wanted);
  if (next == pool_blocks().begin()) return nullptr;
  const auto& [begin, block] = *std::prev(next);
  const bool inside = static_cast<std::size_t>(wanted - begin) < block.capacity_bytes;
  return inside && block.opened != nullptr && !block.opened->done() ? block.opened : nullptr;
}

void keep_pool_block_from_reuse(void* address) {
  const std::lock_guard lock(pool_mutex());
  if (PoolBlock* block = find_pool_block(address)) block->shared = true;
}

}  // namespace wavetank::hip
