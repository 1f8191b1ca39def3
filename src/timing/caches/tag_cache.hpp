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
  Due ready;               ///< when its data is there
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
        last_use_(tags_.size()),
        lines_(tags_.size()) {}

  static constexpr std::uint64_t kNone = ~std::uint64_t{0};

  /// The line with this tag, or nullptr. `set` picks the set (taken modulo their number).
  CacheLine* find(std::uint64_t set, std::uint64_t tag) {
    const std::size_t way = way_of(set, tag);
    if (way == kNowhere) return nullptr;
    last_use_[way] = ++clock_;
    return &lines_[way];
  }
  /// True if it is there; that does not count as a use.
  bool contains(std::uint64_t set, std::uint64_t tag) const { return way_of(set, tag) != kNowhere; }
  /// Lets the host bring what a look-up of the set needs.
  void prefetch(std::uint64_t set) const {
    const std::size_t first = index_of(set) * ways_;
    __builtin_prefetch(&tags_[first]);
    __builtin_prefetch(&tags_[first + ways_ / 2]);
    __builtin_prefetch(&last_use_[first]);
  }
  /// Puts a line with this tag into the set. `evicted` gets what was there.
  CacheLine& replace(std::uint64_t set, std::uint64_t tag, std::uint64_t& evicted_tag,
                     CacheLine& evicted) {
    const std::size_t victim = victim_of(index_of(set) * ways_);
    evicted_tag = tags_[victim];
    evicted = lines_[victim];
    tags_[victim] = tag;
    lines_[victim] = {};
    last_use_[victim] = ++clock_;
    return lines_[victim];
  }
  /// Makes a line the next to go of its set.
  void let_go(const CacheLine& line) {
    last_use_[static_cast<std::size_t>(&line - lines_.data())] = 0;
  }
  void invalidate() {
    std::fill(tags_.begin(), tags_.end(), kNone);
    std::fill(last_use_.begin(), last_use_.end(), 0);
  }
  /// Calls visit(tag, line) for each line that is present.
  template <class Visit>
  void for_each(Visit visit) {
    for (std::size_t i = 0; i < tags_.size(); ++i) {
      if (tags_[i] != kNone) visit(tags_[i], lines_[i]);
    }
  }
  std::uint32_t sets() const { return sets_; }
  /// Holds what another one holds; false, and nothing changes, if that is of another shape.
  bool take(const TagCache& other) {
    const bool alike = sets_ == other.sets_ && ways_ == other.ways_;
    if (alike) *this = other;
    return alike;
  }

 private:
  static constexpr std::size_t kNowhere = ~std::size_t{0};

  /// Sets are powers of two in all devices that exist; others pay for a division.
  std::size_t index_of(std::uint64_t set) const {
    return (sets_ & (sets_ - 1)) == 0 ? set & (sets_ - 1) : set % sets_;
  }

  std::size_t way_of(std::uint64_t set, std::uint64_t tag) const {
    // Compared by the block, which host compilers do with vectors.
    constexpr std::size_t kBlock = 8;
    std::size_t way = index_of(set) * ways_;
    const std::size_t end = way + ways_;
    for (; way + kBlock <= end; way += kBlock) {
      bool any = false;
      for (std::size_t i = 0; i < kBlock; ++i) any |= tags_[way + i] == tag;
      if (any) break;
    }
    for (; way < end; ++way) {
      if (tags_[way] == tag) return way;
    }
    return kNowhere;
  }

  /// The least recently used; those that hold nothing, or were let go, have last_use 0.
  std::size_t victim_of(std::size_t first) const {
    const auto begin = last_use_.begin() + static_cast<std::ptrdiff_t>(first);
    return first + static_cast<std::size_t>(std::min_element(begin, begin + ways_) - begin);
  }

  std::uint32_t ways_ = 1, sets_ = 1;
  std::uint32_t clock_ = 0;
  std::vector<std::uint64_t> tags_;
  std::vector<std::uint32_t> last_use_;
  std::vector<CacheLine> lines_;
};

}  // namespace wavetank::timing
