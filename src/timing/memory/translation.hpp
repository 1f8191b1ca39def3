// The first-level translation cache of a CU (UTCL1): pages that the CU touched lately. Accesses to
// other pages pass one that waits for its translation.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "timing/granule.hpp"
#include "timing/spec.hpp"

namespace wavetank::timing {

class TranslationCache {
 public:
  explicit TranslationCache(const TranslationSpec& spec)
      : spec_(spec), page_(spec.page_bytes), entries_(spec.entries) {}

  void start_launch() {
    std::fill(entries_.begin(), entries_.end(), Entry());
    last_ = nullptr;
    clock_ = 0;
    free_ = 0;
    misses_ = 0;
  }

  /// When the misses that were asked for have all been sent on.
  std::uint64_t busy_until() const { return free_; }
  /// Translates an address at `time`; gives when its access may go on. `missed` counts misses.
  std::uint64_t translate(std::uint64_t address, std::uint64_t time, std::uint64_t& missed) {
    const std::uint64_t page = page_.number(address);
    if (last_ == nullptr || last_->page != page) last_ = &entry_of(page, time, missed);
    last_->last_use = ++clock_;
    return std::max(time, last_->ready);
  }
  /// Cycles since start_launch() in which it was asking for what it missed.
  std::uint64_t busy_cycles() const { return misses_ * spec_.miss_interval; }

 private:
  struct Entry {
    std::uint64_t page = ~std::uint64_t{0};
    std::uint64_t ready = 0;  ///< when its translation is there
    std::uint64_t last_use = 0;
  };
  /// The page's entry, in place of the least recently used one if it is not there.
  Entry& entry_of(std::uint64_t page, std::uint64_t time, std::uint64_t& missed) {
    Entry* oldest = entries_.data();
    for (Entry& entry : entries_) {
      if (entry.page == page) return entry;
      if (entry.last_use < oldest->last_use) oldest = &entry;
    }
    ++missed;
    ++misses_;
    const std::uint64_t begin = std::max(time, free_);
    free_ = begin + spec_.miss_interval;
    *oldest = {page, begin + spec_.miss_latency, 0};
    return *oldest;
  }

  TranslationSpec spec_;
  Granule page_;
  std::vector<Entry> entries_;
  Entry* last_ = nullptr;
  std::uint64_t clock_ = 0;
  std::uint64_t free_ = 0;  ///< when the next miss may be asked for
  std::uint64_t misses_ = 0;
};

}  // namespace wavetank::timing
