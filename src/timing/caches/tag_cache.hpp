// The tags of a set-associative cache. A line knows when its data arrives, so that a second miss
// joins the first (hit-on-miss).
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "timing/memory/memory_port.hpp"

namespace wavetank::timing {

struct CacheLine {
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};
  std::uint64_t tag = kNone;    ///< kNone: nothing is there
  Due ready;                    ///< when its data is there
  std::uint8_t valid = 0;       ///< parts that are present, one bit each
  std::uint8_t dirty = 0;       ///< parts that memory does not have yet
  std::uint8_t duplicates = 0;  ///< misses of it since it was asked for, where they are counted
};

class TagCache {
 public:
  TagCache() = default;
  /// `lines` lines in sets of `ways`.
  TagCache(std::uint32_t lines, std::uint32_t ways)
      : ways_(ways < lines ? ways : lines),
        stride_((ways_ + kBlock - 1) / kBlock * kBlock),
        sets_(lines / ways_),
        signs_(std::size_t{stride_} * sets_),
        last_use_(signs_.size()),
        lines_(signs_.size()) {}

  /// The line with this tag, or nullptr. `set` picks the set (taken modulo their number).
  CacheLine* find(std::uint64_t set, std::uint64_t tag) {
    const std::size_t way = way_of(set, tag);
    if (way == kNowhere) return nullptr;
    last_use_[way] = ++clock_;
    return &lines_[way];
  }
  /// True if it is there; that does not count as a use.
  bool contains(std::uint64_t set, std::uint64_t tag) const { return way_of(set, tag) != kNowhere; }
  /// Lets the host bring what a look-up of the set begins with.
  void prefetch(std::uint64_t set) const {
    const std::size_t first = index_of(set) * stride_;
    __builtin_prefetch(&signs_[first]);
    __builtin_prefetch(&last_use_[first]);
  }
  /// Lets it bring the line that a look-up will find, or replace as things are now; false if it
  /// would be a miss.
  bool prefetch_line(std::uint64_t set, std::uint64_t tag) const {
    const std::size_t first = index_of(set) * stride_;
    std::size_t way = candidate(first, tag);
    const bool misses = way == kNowhere;
    if (misses) way = victim_of(first);
    __builtin_prefetch(&lines_[way]);
    return !misses;
  }
  /// Puts a line with this tag into the set. `evicted` gets what was there.
  CacheLine& replace(std::uint64_t set, std::uint64_t tag, CacheLine& evicted) {
    const std::size_t victim = victim_of(index_of(set) * stride_);
    evicted = lines_[victim];
    signs_[victim] = sign_of(tag);
    lines_[victim] = {.tag = tag, .ready = {}};
    last_use_[victim] = ++clock_;
    return lines_[victim];
  }
  /// Makes a line the next to go of its set.
  void let_go(const CacheLine& line) {
    last_use_[static_cast<std::size_t>(&line - lines_.data())] = 0;
  }
  void invalidate() {
    for (CacheLine& line : lines_) line.tag = CacheLine::kNone;
    std::fill(last_use_.begin(), last_use_.end(), 0);
  }
  /// Calls visit(line) for each line that is present.
  template <class Visit>
  void for_each(Visit visit) {
    for (CacheLine& line : lines_) {
      if (line.tag != CacheLine::kNone) visit(line);
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

  /// A byte by which most tags differ.
  static std::uint8_t sign_of(std::uint64_t tag) {
    return static_cast<std::uint8_t>(tag * 0x9e3779b97f4a7c15 >> 56);
  }

  /// Calls visit(way) for the ways of a set whose sign is that of the tag, until it gives true.
  template <class Visit>
  void for_same_sign(std::size_t first, std::uint64_t tag, Visit visit) const {
    constexpr std::uint64_t kEach = 0x0101010101010101, kLow = 0x7f * kEach;
    const std::uint64_t wanted = sign_of(tag) * kEach;
    for (std::size_t block = first; block < first + stride_; block += kBlock) {
      std::uint64_t signs;
      std::memcpy(&signs, &signs_[block], kBlock);
      const std::uint64_t other = signs ^ wanted;
      // The top bit of each byte that is wanted.
      std::uint64_t same = ~(((other & kLow) + kLow) | other | kLow);
      for (; same != 0; same &= same - 1) {
        if (visit(block + static_cast<unsigned>(std::countr_zero(same)) / 8)) return;
      }
    }
  }

  std::size_t way_of(std::uint64_t set, std::uint64_t tag) const {
    std::size_t found = kNowhere;
    for_same_sign(index_of(set) * stride_, tag, [&](std::size_t way) {
      if (lines_[way].tag != tag) return false;
      found = way;
      return true;
    });
    return found;
  }
  /// The first way that may hold the tag.
  std::size_t candidate(std::size_t first, std::uint64_t tag) const {
    std::size_t found = kNowhere;
    for_same_sign(first, tag, [&](std::size_t way) {
      found = way;
      return true;
    });
    return found;
  }

  /// The least recently used; those that hold nothing, or were let go, have last_use 0.
  std::size_t victim_of(std::size_t first) const {
    std::size_t victim = first;
    std::uint32_t least = last_use_[first];
    for (std::size_t way = first + 1; way < first + ways_; ++way) {
      const bool older = last_use_[way] < least;
      victim = older ? way : victim;
      least = older ? last_use_[way] : least;
    }
    return victim;
  }

  /// Ways whose signs are compared at a time.
  static constexpr std::uint32_t kBlock = 8;

  std::uint32_t ways_ = 1;
  std::uint32_t stride_ = kBlock;  ///< of sets in the arrays: ways, rounded up
  std::uint32_t sets_ = 1;
  std::uint32_t clock_ = 0;
  // What a look-up reads first, and the rest apart from it.
  std::vector<std::uint8_t> signs_;
  std::vector<std::uint32_t> last_use_;
  std::vector<CacheLine> lines_;
};

}  // namespace wavetank::timing
