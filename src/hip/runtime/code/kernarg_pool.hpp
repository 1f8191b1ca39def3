// Small blocks of device-visible memory for kernel arguments, recycled when a launch is done.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "base/error.hpp"
#include "machine/device_memory.hpp"

namespace wavetank::hip {

class KernargPool;

/// One kernarg segment, 64-byte aligned and zero-filled; goes back to its pool when destroyed.
class KernargBlock {
 public:
  KernargBlock(KernargPool& pool, unsigned size_class, std::size_t index, std::byte* address)
      : pool_(pool), size_class_(size_class), index_(index), address_(address) {}
  ~KernargBlock();
  KernargBlock(const KernargBlock&) = delete;
  KernargBlock& operator=(const KernargBlock&) = delete;
  std::byte* address() const { return address_; }

 private:
  KernargPool& pool_;
  unsigned size_class_;
  std::size_t index_;
  std::byte* address_;
};

/// Blocks come in powers of two from 256 bytes up, cut from chunks that are never given back. Those
/// of a size are handed out in turn, so that launches get the same addresses however soon the ones
/// before them are done, and find the same in the caches.
class KernargPool {
 public:
  explicit KernargPool(machine::DeviceMemory& memory) : memory_(memory) {}
  /// Gives a block of at least `size_bytes` (at most 64 KiB). Errors: kOutOfMemory, kBadLaunch.
  Result<std::shared_ptr<KernargBlock>> allocate(std::size_t size_bytes);

 private:
  friend class KernargBlock;
  static constexpr std::size_t kSmallestBytes = 256;
  static constexpr unsigned kSizeClasses = 9;  // 256 B .. 64 KiB
  /// More launches than a program has under way, as a rule.
  static constexpr std::size_t kChunkBlocks = 512;

  struct Block {
    std::byte* address = nullptr;
    bool in_use = false;
  };
  struct Ring {
    std::vector<Block> blocks;
    std::size_t next = 0;  ///< whose turn it is
  };

  Result<void> grow(Ring& ring, std::size_t block_bytes);
  void give_back(unsigned size_class, std::size_t index);

  machine::DeviceMemory& memory_;
  std::mutex mutex_;
  std::array<Ring, kSizeClasses> rings_;
};

}  // namespace wavetank::hip
