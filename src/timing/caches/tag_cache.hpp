// The tags of a set-associative cache. A line knows when its data arrives, so that a second miss
// joins the first (hit-on-miss).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "timing/memory/memory_port.hpp"

namespace wavetank::timing {

struct CacheLine {
  Due ready;  ///< when its data is there
  std::uint32_t last_use = 0;
  std::uint8_t valid = 0;  ///< parts that are present, one bit each
  std::uint8_t dirty = 0;  ///< parts that memory does not have yet
};

class TagCache {
 public:
  TagCache() = default;
  /// `lines` lines in sets of `ways`.
  TagCache(std::uint32_t lines, std::uint32_t ways)
      : ways_(ways < lines ? ways : lines),
        sets_(lines / (ways < lines ? ways : lines)),
        tags_(std::size_t{ways_} * sets_, kNone),
        lines_(tags_.size()) {}

  static constexpr std::uint64_t kNone = ~std::uint64_t{0};

  /// The line with this tag, or nullptr. `set` picks the set (taken modulo their number).
  CacheLine* find(std::uint64_t set, std::uint64_t tag) {
    const std::size_t first = index_of(set) * ways_;
    for (std::size_t way = first; way < first + ways_; ++way) {
      if (tags_[way] == tag) {
        lines_[way].last_use = ++clock_;
        return &lines_[way];
      }
    }
    return nullptr;
  }
  /// True if it is there; that does not count as a use.
  bool contains(std::uint64_t set, std::uint64_t tag) const {
    const auto first = tags_.begin() + static_cast<std::ptrdiff_t>(index_of(set) * ways_);
    return std::find(first, first + ways_, tag) != first + ways_;
  }
  /// Puts a line with this tag into the set. `evicted` gets what was there.
  CacheLine& replace(std::uint64_t set, std::uint64_t tag, std::uint64_t& evicted_tag,
                     CacheLine& evicted) {
    const std::size_t first = index_of(set) * ways_;
    const std::size_t victim = victim_of(first);
    evicted_tag = tags_[victim];
    evicted = lines_[victim];
    tags_[victim] = tag;
    lines_[victim] = {};
    lines_[victim].last_use = ++clock_;
    return lines_[victim];
  }
  void invalidate() {
    for (std::uint64_t& tag : tags_) tag = kNone;
  }
  /// Calls visit(tag, line) for each line that is present.
  template <class Visit>
  void for_each(Visit visit) {
    for (std::size_t i = 0; i < tags_.size(); ++i) {
      if (tags_[i] != kNone) visit(tags_[i], lines_[i]);
    }
  }
  std::uint32_t sets() const { return sets_; }

 private:
  /// Sets are powers of two in all devices that exist; others pay for a division.
  std::size_t index_of(std::uint64_t set) const {
    return (sets_ & (sets_ - 1)) == 0 ? set & (sets_ - 1) : set % sets_;
  }

  /// The least recently used; those marked as the next to go have last_use 0.
  std::size_t victim_of(std::size_t first) const {
    std::size_t oldest = first;
    for (std::size_t way = first; way < first + ways_; ++way) {
      if (tags_[way] == kNone) return way;
      if (lines_[way].last_use < lines_[oldest].last_use) oldest = way;
    }
    return oldest;
  }

  std::uint32_t ways_ = 1, sets_ = 1;
  std::uint32_t clock_ = 0;
  std::vector<std::uint64_t> tags_;
  std::vector<CacheLine> lines_;
};

}  // namespace wavetank::timing
