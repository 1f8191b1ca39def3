// What the model keeps of one resident wave.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "machine/step.hpp"
#include "profile/reason.hpp"
#include "timing/hazards.hpp"

namespace wavetank::timing {

struct GroupContext;

/// How long a counter keeps a wave waiting, and for what.
struct CounterWait {
  std::uint64_t until = 0;
  profile::Reason reason = profile::Reason::kWaitVectorMemory;
};

/// Ends of memory operations that s_waitcnt counts. Whatever the order in which they end, the count
/// is down to n once all but n have.
template <unsigned kMost>
class Outstanding {
 public:
  void clear() { count_ = 0; }
  void add(std::uint64_t end, profile::Reason reason, std::uint64_t now) {
    forget(now);
    if (count_ == kMost) drop_earliest();
    entries_[count_++] = {end, reason};
  }
  /// When at most `limit` are left, and what the last one was.
  CounterWait down_to(unsigned limit) {
    if (count_ <= limit) return {};
    std::sort(entries_.begin(), entries_.begin() + count_,
              [](const Entry& a, const Entry& b) { return a.end < b.end; });
    const Entry& last = entries_[count_ - limit - 1];
    return {last.end, last.reason};
  }

 private:
  struct Entry {
    std::uint64_t end = 0;
    profile::Reason reason = profile::Reason::kWaitVectorMemory;
  };
  void forget(std::uint64_t now) {
    unsigned kept = 0;
    for (unsigned i = 0; i < count_; ++i) {
      if (entries_[i].end > now) entries_[kept++] = entries_[i];
    }
    count_ = kept;
  }
  void drop_earliest() {
    auto* first = std::min_element(entries_.begin(), entries_.begin() + count_,
                                   [](const Entry& a, const Entry& b) { return a.end < b.end; });
    *first = entries_[--count_];
  }

  std::array<Entry, kMost> entries_;
  unsigned count_ = 0;
};

/// A reason that keeps the wave from its next instruction, and until when.
struct Blocker {
  profile::Reason reason = profile::Reason::kNotPicked;
  std::uint64_t until = 0;
};

struct WaveContext {
  machine::SteppedWave* stepped = nullptr;
  GroupContext* group = nullptr;
  const machine::StepFacts* next = nullptr;
  const machine::StepFacts* previous = nullptr;  ///< issued last; null before the first
  std::uint64_t begin = 0;                       ///< when the slot was taken
  std::uint64_t accounted = 0;                   ///< every cycle before this has its reason
  std::uint64_t issue_end = 0;                   ///< the last instruction's issue is over
  std::array<Blocker, 10> blockers;
  unsigned blocker_count = 0;
  std::uint64_t fetched_line = 0;       ///< the line the wave's buffer holds ...
  std::uint64_t next_line_ready = 0;    ///< ... and when the one after it is there
  std::uint64_t fetched_bytes_end = 0;  ///< code offset up to which fetches were counted
  bool branched = false, taken = false;
  std::uint64_t branch_until = 0, barrier_until = 0, sleep_until = 0;
  std::uint64_t vector_until = 0;  ///< its own vector instruction occupies the unit
  std::uint64_t ready = 0;         ///< the last blocker is gone
  bool waits_at_barrier = false;
  Outstanding<64> vector_memory;
  Outstanding<24> scalar_and_lds;
  Hazards hazards;
  std::uint32_t trace_index = 0;
};

/// A workgroup on a CU.
struct GroupContext {
  machine::SteppedGroup* stepped = nullptr;
  std::uint64_t workgroup = 0;
  std::uint32_t waves = 0, alive = 0, at_barrier = 0;
  std::uint64_t last_arrival = 0;
  bool uses_lds = false;
};

}  // namespace wavetank::timing
