// The first-level translation cache of a CU (UTCL1): pages that the CU touched lately. A miss keeps
// the translator busy; how long the answer takes is part of the measured memory latencies.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace wavetank::timing {

class TranslationCache {
 public:
  TranslationCache(std::uint32_t entries, std::uint64_t page_bytes, std::uint32_t miss_cycles)
      : page_bytes_(page_bytes), miss_cycles_(miss_cycles), pages_(entries), used_(entries) {
    start_launch();
  }

  void start_launch() {
    std::fill(pages_.begin(), pages_.end(), ~std::uint64_t{0});
    std::fill(used_.begin(), used_.end(), 0);
    last_page_ = ~std::uint64_t{0};
    clock_ = 0;
    free_ = 0;
  }

  /// Translates an address at `time`; gives when its access may go on. `missed` counts misses.
  std::uint64_t translate(std::uint64_t address, std::uint64_t time, std::uint64_t& missed) {
    const std::uint64_t page = address / page_bytes_;
    if (page == last_page_ || pages_.empty()) return time;
    last_page_ = page;
    const auto found = std::find(pages_.begin(), pages_.end(), page);
    if (found != pages_.end()) {
      used_[static_cast<std::size_t>(found - pages_.begin())] = ++clock_;
      return time;
    }
    const auto oldest = std::min_element(used_.begin(), used_.end());
    pages_[static_cast<std::size_t>(oldest - used_.begin())] = page;
    *oldest = ++clock_;
    ++missed;
    const std::uint64_t begin = std::max(time, free_);
    free_ = begin + miss_cycles_;
    return begin;
  }

 private:
  std::uint64_t page_bytes_;
  std::uint32_t miss_cycles_;
  std::vector<std::uint64_t> pages_;
  std::vector<std::uint32_t> used_;
  std::uint64_t last_page_ = 0;
  std::uint32_t clock_ = 0;
  std::uint64_t free_ = 0;
};

}  // namespace wavetank::timing
