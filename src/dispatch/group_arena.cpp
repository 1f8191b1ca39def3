#include "dispatch/group_arena.hpp"

#include <sys/mman.h>

#include <algorithm>

namespace wavetank::dispatch {
namespace {

constexpr std::size_t kLine = 64, kLargePage = std::size_t{2} << 20, kBlock = 8 * kLargePage;

constexpr std::size_t rounded(std::size_t bytes, std::size_t to) {
  return (bytes + to - 1) / to * to;
}

}  // namespace

GroupArena::~GroupArena() {
  for (const Block& block : blocks_) munmap(block.memory, block.bytes);
}

std::byte* GroupArena::take(std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  const std::size_t wanted = rounded(std::max<std::size_t>(bytes, 1), kLine);
  while (current_ < blocks_.size() && blocks_[current_].bytes - blocks_[current_].used < wanted) {
    ++current_;
  }
  if (current_ == blocks_.size() && !add_block(wanted)) return nullptr;
  Block& block = blocks_[current_];
  block.used += wanted;
  return block.memory + (block.used - wanted);
}

void GroupArena::reuse() {
  const std::lock_guard lock(mutex_);
  for (Block& block : blocks_) block.used = 0;
  current_ = 0;
}

bool GroupArena::add_block(std::size_t bytes) {
  // Of what is mapped a whole number of large pages is kept: only those that begin with one are.
  const std::size_t kept = rounded(std::max(bytes, kBlock), kLargePage);
  void* const mapped = mmap(nullptr, kept + kLargePage, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED) return false;
  auto* const begin = static_cast<std::byte*>(mapped);
  const std::size_t before = rounded(reinterpret_cast<std::uintptr_t>(begin), kLargePage) -
                             reinterpret_cast<std::uintptr_t>(begin);
  if (before != 0) munmap(begin, before);
  if (before != kLargePage) munmap(begin + before + kept, kLargePage - before);
  madvise(begin + before, kept, MADV_HUGEPAGE);  // where there are none, small ones do
  // No workgroup goes on in a process that is forked; it would copy large pages in small ones.
  madvise(begin + before, kept, MADV_WIPEONFORK);
  blocks_.push_back({begin + before, kept, 0});
  return true;
}

}  // namespace wavetank::dispatch
