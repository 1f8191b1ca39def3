#include "dispatch/launch_memory.hpp"

namespace wavetank::dispatch {

std::byte* LaunchMemory::borrow(std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  const auto found = free_.lower_bound(bytes);
  if (found != free_.end() && found->first <= 2 * bytes + 65536) {
    std::byte* const block = found->second;
    free_.erase(found);
    return block;
  }
  const auto block = memory_.allocate_for(user_, bytes, device_);
  if (!block) return nullptr;
  sizes_[*block] = bytes;
  return *block;
}

void LaunchMemory::give_back(std::byte* block) {
  const std::lock_guard lock(mutex_);
  free_.emplace(sizes_.at(block), block);
}

BorrowedBlocks::~BorrowedBlocks() {
  for (std::byte* block : blocks_) memory_.give_back(block);
}

std::byte* BorrowedBlocks::borrow(std::size_t bytes) {
  std::byte* const block = memory_.borrow(bytes);
  const std::lock_guard lock(mutex_);
  if (block != nullptr) blocks_.push_back(block);
  return block;
}

}  // namespace wavetank::dispatch
