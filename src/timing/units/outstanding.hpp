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
  /// An operation begins at `now`. Its end is known, or has a number by which settle() names it.
  void add(Due end, profile::Reason reason, std::uint64_t now) {
    forget(now);
    if (count_ == kMost) drop_earliest();
    entries_[count_++] = {end.known() ? end.cycle() : kUnknown | end.request(), reason};
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
  /// or behind `window_end`.
  CounterWait down_to(unsigned limit, std::uint64_t window_end) {
    if (count_ <= limit) return {};
    std::sort(entries_.begin(), entries_.begin() + count_,
              [](const Entry& a, const Entry& b) { return a.end < b.end; });
    const Entry& last = entries_[count_ - limit - 1];
    return {last.end, last.reason, unknown_ == 0 || last.end < window_end};
  }

 private:
  /// Later than any known end.
  static constexpr std::uint64_t kUnknown = std::uint64_t{1} << 63;
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
    if (first->end >= kUnknown) --unknown_;
    *first = entries_[--count_];
  }

  unsigned count_ = 0, unknown_ = 0;  // before the entries, of which most are never touched
  std::array<Entry, kMost> entries_;
};

}  // namespace wavetank::timing
