#include "hip/runtime/memory/allocation_notes.hpp"

#include <atomic>
#include <mutex>
#include <unordered_map>

#include "hip/runtime/memory/memory_advice.hpp"

namespace wavetank::hip {
namespace {

struct Note {
  std::uint32_t number = 0;  ///< 0: nobody has asked
  bool sync_memops = false;
};

/// By the address of the allocation.
struct Notes {
  std::mutex mutex;
  std::unordered_map<const std::byte*, Note> all;
  std::uint32_t last_number = 0;
  /// How many there are, so that the copies and frees of programs that never use them take no lock.
  std::atomic<std::size_t> count{0};
};

Notes& notes() {
  static auto* all = new Notes;
  return *all;
}

Note& note_of(const machine::Allocation& allocation) {
  Note& note = notes().all[allocation.address];
  notes().count = notes().all.size();
  return note;
}

}  // namespace

void set_sync_memops(const machine::Allocation& allocation, bool wanted) {
  const std::lock_guard lock(notes().mutex);
  note_of(allocation).sync_memops = wanted;
}

bool sync_memops(const machine::Allocation& allocation) {
  if (notes().count == 0) return false;
  const std::lock_guard lock(notes().mutex);
  const auto found = notes().all.find(allocation.address);
  return found != notes().all.end() && found->second.sync_memops;
}

std::uint32_t allocation_number(const machine::Allocation& allocation) {
  const std::lock_guard lock(notes().mutex);
  Note& note = note_of(allocation);
  if (note.number == 0) note.number = ++notes().last_number;
  return note.number;
}

void forget_allocation(const machine::Allocation& allocation) {
  MemoryAdvice::instance().forget(allocation.address, allocation.size_bytes);
  if (notes().count == 0) return;
  const std::lock_guard lock(notes().mutex);
  notes().all.erase(allocation.address);
  notes().count = notes().all.size();
}

}  // namespace wavetank::hip
