// The memory of pools, piece by piece. A block that its program freed stays in the pool for a later
// allocation. Until then nothing may reach it: its pages are closed when the stream comes to the
// free, and opened again when they are handed out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>

#include "check/touched_ranges.hpp"
#include "hip/abi/status.hpp"
#include "hip/runtime/completion.hpp"
#include "hip/runtime/stream_kind.hpp"
#include "machine/device_memory.hpp"

namespace wavetank::hip {

class MemoryPool;
class VirtualDevice;

/// One allocation of DeviceMemory that a pool owns.
struct PoolBlock {
  MemoryPool* pool = nullptr;
  std::size_t size_bytes = 0;      ///< what the program asked for
  std::size_t capacity_bytes = 0;  ///< whole pages
  bool in_use = true;              ///< from the call that allocates to the call that frees
  bool closed = false;             ///< the free has run, and it was not handed out since
  bool shared = false;             ///< other processes may have it: it is never handed out again
  std::uint64_t hand_outs = 1;
  CompletionPtr opened = {};  ///< what opens the pages in the order of the stream that has them
  CompletionPtr freed = {};   ///< the free that gave it back; nullptr: it waited for all streams
  const VirtualDevice* freed_on = nullptr;  ///< the device of that free's stream, and its kind
  StreamKind freed_by = StreamKind::kNull;
};

/// Guards all blocks and all pools.
std::mutex& pool_mutex();
/// All blocks by address; for holders of pool_mutex().
std::map<std::byte*, PoolBlock>& pool_blocks();
/// The block at an address or nullptr; for holders of pool_mutex().
PoolBlock* find_pool_block(void* address);

/// Whole pages.
constexpr std::size_t page_bytes_of(std::size_t size_bytes) {
  constexpr std::size_t kPageBytes = 4096;
  return (size_bytes + kPageBytes - 1) / kPageBytes * kPageBytes;
}
/// Lets any access to the pages of a block fault; their content stays.
void close_pages(std::byte* address, std::size_t capacity_bytes);
/// Allows access to the pages of its first bytes; false when the host cannot.
bool open_pages(std::byte* address, std::size_t size_bytes);

/// For an allocation of a pool: narrows it to what the program asked for, or makes it end before it
/// begins when the block is closed. False for all other allocations, which it leaves as they are.
bool limit_to_pool_block(machine::Allocation& allocation);
/// What must run before the host can touch an address that was handed out: nullptr, unless the free
/// before it has yet to run.
CompletionPtr pool_block_opening(const void* address);
/// What became of the closed block that holds an address; empty if none does.
std::string pool_block_history(const void* address);
/// The block, if there is one at the address, goes back to the device when it is freed.
void keep_pool_block_from_reuse(void* address);
/// What an allocation and a free of a block touch, for checks: all of it.
check::TouchedRanges touched_block(const void* address, std::size_t size_bytes);

}  // namespace wavetank::hip
