// Memory for the registers and the LDS of workgroups that are stepped: the cycle model holds as
// many at once as a device does, and the next launch as many again.
#pragma once

#include <cstddef>
#include <mutex>
#include <vector>

namespace wavetank::dispatch {

/// Gives pieces of large blocks, in few and large pages of the host where it has such. Safe from
/// several threads.
class GroupArena {
 public:
  GroupArena() = default;
  ~GroupArena();
  GroupArena(const GroupArena&) = delete;
  GroupArena& operator=(const GroupArena&) = delete;

  /// A piece of at least `bytes`, of whole lines of the host's caches. It holds zeros, or what it
  /// held when it was last used. nullptr: the host has no memory left.
  std::byte* take(std::size_t bytes);
  /// All pieces are free again.
  void reuse();

 private:
  struct Block {
    std::byte* memory;
    std::size_t bytes, used;
  };
  bool add_block(std::size_t bytes);

  std::mutex mutex_;
  std::vector<Block> blocks_;
  std::size_t current_ = 0;  ///< the block that pieces come from; those before are full
};

}  // namespace wavetank::dispatch
