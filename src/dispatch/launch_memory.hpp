// Device memory that launches borrow, for scratch and what dispatch_ptr and queue_ptr point at.
// Blocks are kept for the launches that follow.
#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <vector>

#include "machine/device_memory.hpp"

namespace wavetank::dispatch {

/// The blocks of one user of a device's memory. Safe from any thread.
class LaunchMemory {
 public:
  LaunchMemory(machine::DeviceMemory& memory, machine::MemoryUser user, int device)
      : memory_(memory), user_(user), device_(device) {}
  /// A block of at least `bytes`; nullptr when the device is full.
  std::byte* borrow(std::size_t bytes);
  void give_back(std::byte* block);

 private:
  machine::DeviceMemory& memory_;
  machine::MemoryUser user_;
  int device_;
  std::mutex mutex_;
  std::multimap<std::size_t, std::byte*> free_;  ///< by size
  std::map<std::byte*, std::size_t> sizes_;
};

/// What one launch has borrowed, which it gives back when it ends. Safe from any thread.
class BorrowedBlocks {
 public:
  explicit BorrowedBlocks(LaunchMemory& memory) : memory_(memory) {}
  ~BorrowedBlocks();
  BorrowedBlocks(const BorrowedBlocks&) = delete;
  BorrowedBlocks& operator=(const BorrowedBlocks&) = delete;
  std::byte* borrow(std::size_t bytes);

 private:
  LaunchMemory& memory_;
  std::mutex mutex_;
  std::vector<std::byte*> blocks_;
};

}  // namespace wavetank::dispatch
