#include "hip/runtime/memory/pool_block.hpp"

#include <sys/mman.h>

#include <iterator>
#include <utility>

#include <fmt/format.h>

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

namespace {

/// The block whose pages hold an address, or nullptr; for holders of pool_mutex().
const std::pair<std::byte* const, PoolBlock>* block_that_holds(const void* address) {
  auto* const wanted = static_cast<std::byte*>(const_cast<void*>(address));
  const auto next = pool_blocks().upper_bound(wanted);
  if (next == pool_blocks().begin()) return nullptr;
  const auto& found = *std::prev(next);
  const bool inside = static_cast<std::size_t>(wanted - found.first) < found.second.capacity_bytes;
  return inside ? &found : nullptr;
}

}  // namespace

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
  const auto* const found = block_that_holds(address);
  if (found == nullptr) return nullptr;
  const CompletionPtr& opened = found->second.opened;
  return opened != nullptr && !opened->done() ? opened : nullptr;
}

std::string pool_block_history(const void* address) {
  const std::lock_guard lock(pool_mutex());
  const auto* const found = block_that_holds(address);
  if (found == nullptr) return {};
  const auto& [begin, block] = *found;
  const bool freed_by_stream = block.freed != nullptr;
  return fmt::format("{} bytes of a pool at {} were freed {}", block.size_bytes, fmt::ptr(begin),
                     freed_by_stream
                         ? fmt::format("in the order of stream {}", block.freed->stream_id())
                         : "by hipFree");
}

void keep_pool_block_from_reuse(void* address) {
  const std::lock_guard lock(pool_mutex());
  if (PoolBlock* block = find_pool_block(address)) block->shared = true;
}

check::TouchedRanges touched_block(const void* address, std::size_t size_bytes) {
  const auto begin = reinterpret_cast<std::uint64_t>(address);
  return {{begin, begin + size_bytes, check::AccessKind::kWrite, 0}};
}

}  // namespace wavetank::hip
