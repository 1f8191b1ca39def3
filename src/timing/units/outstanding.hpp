// The memory operations of a wave that s_waitcnt counts.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "profile/reason.hpp"
#include "timing/memory/memory_port.hpp"

namespace wavetank::timing {

/// How long a counter keeps a wave waiting, and for what.
struct CounterWait {
  std::uint64_t until = 0;
  profile::Reason reason = profile::Reason::kWaitVectorMemory;
  bool known = true;  ///< false: it depends on answers of this window
};

/// Whatever the order in which they end, the count is down to n once all but n have.
template <unsigned kMost>
class Outstanding {
 public:
  void clear() { count_ = unknown_ = 0; }
  /// An operation of `instruction` begins at `now`. Its end is known, or has a number by which
  /// settle() names it.
  void add(Due end, profile::Reason reason, std::uint64_t now, std::uint32_t instruction,
           bool stores = false) {
    forget(now);
    if (count_ == kMost) drop_earliest();
    entries_[count_++] = {end.known() ? end.cycle() : kUnknown | end.request(), instruction, reason,
                          stores};
    if (!end.known()) ++unknown_;
  }
  /// Operation `number` ends at `end`.
  void settle(std::uint32_t number, std::uint64_t end) {
    if (unknown_ == 0) return;
    for (unsigned i = 0; i < count_; ++i) {
      if (entries_[i].end != (kUnknown | number)) continue;
      entries_[i].end = end;
      --unknown_;
      return;
    }
  }
  /// When at most `limit` are left, and what the last one was. Ends that are not known yet lie at
  /// or behind `window_end`. `not_stores`: who waits for all does not wait for stores.
  CounterWait down_to(unsigned limit, std::uint64_t window_end, bool not_stores = false) {
    if (count_ <= limit) return {};
    std::sort(entries_.begin(), entries_.begin() + count_,
              [](const Entry& a, const Entry& b) { return a.end < b.end; });
    if (not_stores && limit == 0) return all_but_stores();
    const Entry& last = entries_[count_ - limit - 1];
    return {last.end, last.reason, unknown_ == 0 || last.end < window_end};
  }
  /// Calls visit(StepFacts::index, end) for the operations that end by `until`, one after the
  /// other, where down_to() has given that.
  template <class Visit>
  void for_ends_until(std::uint64_t until, Visit visit) const {
    for (unsigned i = 0; i < count_ && entries_[i].end <= until; ++i) {
      visit(entries_[i].instruction, entries_[i].end);
    }
  }

 private:
  /// Later than any known end.
  static constexpr std::uint64_t kUnknown = std::uint64_t{1} << 63;
  struct Entry {
    std::uint64_t end = 0;
    std::uint32_t instruction = 0;
    profile::Reason reason = profile::Reason::kWaitVectorMemory;
    bool stores = false;
  };
  CounterWait all_but_stores() const {
    CounterWait wait;
    for (unsigned i = 0; i < count_; ++i) {
      const Entry& one = entries_[i];
      if (!one.stores && one.end > wait.until) wait = {one.end, one.reason, one.end < kUnknown};
    }
    return wait;
  }
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
    if (first->end >= kUnknown) --unknown_;
    *first = entries_[--count_];
  }

  unsigned count_ = 0, unknown_ = 0;  // before the entries, of which most are never touched
  std::array<Entry, kMost> entries_;
};

}  // namespace wavetank::timing
