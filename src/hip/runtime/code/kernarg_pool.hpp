// Small blocks of device-visible memory for kernel arguments, recycled when a launch is done.
#pragma once

#include <array>
#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>

#include "base/error.hpp"
#include "machine/device_memory.hpp"

namespace wavetank::hip {

class KernargPool;

/// One kernarg segment, 64-byte aligned and zero-filled; goes back to its pool when destroyed.
class KernargBlock {
 public:
  KernargBlock(KernargPool& pool, std::byte* address, unsigned size_class)
      : pool_(pool), address_(address), size_class_(size_class) {}
  ~KernargBlock();
  KernargBlock(const KernargBlock&) = delete;
  KernargBlock& operator=(const KernargBlock&) = delete;
  std::byte* address() const { return address_; }

 private:
  KernargPool& pool_;
  std::byte* address_;
  unsigned size_class_;
};

/// Blocks come in powers of two from 256 bytes up, cut from chunks that are never given back.
class KernargPool {
 public:
  explicit KernargPool(machine::DeviceMemory& memory) : memory_(memory) {}
  /// Gives a block of at least `size_bytes` (at most 64 KiB). Errors: kOutOfMemory, kBadLaunch.
  Result<std::shared_ptr<KernargBlock>> allocate(std::size_t size_bytes);

 private:
  friend class KernargBlock;
  static constexpr std::size_t kSmallestBytes = 256;
  static constexpr unsigned kSizeClasses = 9;  // 256 B .. 64 KiB
  static constexpr std::size_t kChunkBytes = 128 * 1024;

  Result<void> refill(unsigned size_class);
  void give_back(std::byte* address, unsigned size_class);

  machine::DeviceMemory& memory_;
  std::mutex mutex_;
  /// The block that was given back first goes first: launches get the same addresses however soon
  /// the ones before them are done, and so find the same in the caches.
  std::array<std::deque<std::byte*>, kSizeClasses> free_;
};

}  // namespace wavetank::hip
