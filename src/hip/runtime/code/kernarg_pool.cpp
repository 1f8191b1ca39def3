#include "hip/runtime/code/kernarg_pool.hpp"

#include <cstring>

#include <fmt/format.h>

namespace wavetank::hip {

KernargBlock::~KernargBlock() { pool_.give_back(size_class_, index_); }

Result<std::shared_ptr<KernargBlock>> KernargPool::allocate(std::size_t size_bytes) {
  unsigned size_class = 0;
  while (size_class < kSizeClasses && (kSmallestBytes << size_class) < size_bytes) ++size_class;
  if (size_class == kSizeClasses) {
    return fail(ErrorCode::kBadLaunch,
                fmt::format("{} bytes of kernel arguments are too many", size_bytes));
  }
  const std::size_t block_bytes = kSmallestBytes << size_class;
  const std::lock_guard lock(mutex_);
  Ring& ring = rings_[size_class];
  if (ring.blocks.empty() || ring.blocks[ring.next].in_use) {
    if (auto grown = grow(ring, block_bytes); !grown) return tl::unexpected(grown.error());
  }
  const std::size_t index = ring.next;
  Block& block = ring.blocks[index];
  block.in_use = true;
  ring.next = (index + 1) % ring.blocks.size();
  std::memset(block.address, 0, block_bytes);
  return std::make_shared<KernargBlock>(*this, size_class, index, block.address);
}

/// The turn goes to the first of the new blocks.
Result<void> KernargPool::grow(Ring& ring, std::size_t block_bytes) {
  const auto chunk = memory_.allocate(kChunkBlocks * block_bytes, machine::MemoryKind::kHostPinned);
  if (!chunk) return tl::unexpected(chunk.error());
  ring.next = ring.blocks.size();
  for (std::size_t i = 0; i < kChunkBlocks; ++i) {
    ring.blocks.push_back({.address = *chunk + i * block_bytes});
  }
  return {};
}

void KernargPool::give_back(unsigned size_class, std::size_t index) {
  const std::lock_guard lock(mutex_);
  rings_[size_class].blocks[index].in_use = false;
}

}  // namespace wavetank::hip
