#include "hip/runtime/code/kernarg_pool.hpp"

#include <cstring>

#include <fmt/format.h>

namespace wavetank::hip {

KernargBlock::~KernargBlock() { pool_.give_back(address_, size_class_); }

Result<std::shared_ptr<KernargBlock>> KernargPool::allocate(std::size_t size_bytes) {
  unsigned size_class = 0;
  while (size_class < kSizeClasses && (kSmallestBytes << size_class) < size_bytes) ++size_class;
  if (size_class == kSizeClasses) {
    return fail(ErrorCode::kBadLaunch,
                fmt::format("{} bytes of kernel arguments are too many", size_bytes));
  }
  const std::lock_guard lock(mutex_);
  if (free_[size_class].empty()) {
    if (auto refilled = refill(size_class); !refilled) return tl::unexpected(refilled.error());
  }
  std::byte* address = free_[size_class].front();
  free_[size_class].pop_front();
  std::memset(address, 0, kSmallestBytes << size_class);
  return std::make_shared<KernargBlock>(*this, address, size_class);
}

Result<void> KernargPool::refill(unsigned size_class) {
  const auto chunk = memory_.allocate(kChunkBytes, machine::MemoryKind::kHostPinned);
  if (!chunk) return tl::unexpected(chunk.error());
  const std::size_t block_bytes = kSmallestBytes << size_class;
  for (std::size_t at = 0; at + block_bytes <= kChunkBytes; at += block_bytes) {
    free_[size_class].push_back(*chunk + at);
  }
  return {};
}

void KernargPool::give_back(std::byte* address, unsigned size_class) {
  const std::lock_guard lock(mutex_);
  free_[size_class].push_back(address);
}

}  // namespace wavetank::hip
