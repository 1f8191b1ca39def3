// The tags of a set-associative cache. A line knows when its data arrives, so that a second miss
// joins the first (hit-on-miss).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "base/zeroed_array.hpp"
#include "timing/caches/ways.hpp"
#include "timing/memory/memory_port.hpp"

namespace wavetank::timing {

/// A line of which nothing but its presence matters.
struct BareLine {
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};
  std::uint64_t tag = kNone;  ///< kNone: nothing is there
};

struct ComingLine : BareLine {
  Due ready;  ///< when its data is there
};

struct CacheLine : ComingLine {
  std::uint8_t valid = 0;   ///< parts that are present, one bit each
  std::uint8_t dirty = 0;   ///< parts that memory does not have yet
  bool was_let_go = false;  ///< and not used since
};

template <class Line>
class TagArray {
 public:
  /// `lines` lines in sets of `ways`.
  TagArray(std::uint32_t lines, std::uint32_t ways)
      : ways_(ways < lines ? ways : lines),
        sets_(lines / ways_),
        order_(ways_, sets_),
        lines_(std::size_t{ways_} * sets_) {}

  /// The line with this tag, or nullptr. `set` picks the set (taken modulo their number).
  Line* find(std::uint64_t set, std::uint64_t tag) {
    const std::size_t index = renewed(set);
    Line* const line = line_of(index, tag);
    if (line == nullptr) return nullptr;
    order_.use(index, way_of(index, *line));
    if constexpr (kMayGo) line->was_let_go = false;
    return line;
  }
  /// True if it is there; that does not count as a use.
  bool contains(std::uint64_t set, std::uint64_t tag) const {
    const std::size_t index = index_of(set);
    return !order_.is_empty(index) && line_of(index, tag) != nullptr;
  }
  /// Lets the host bring what a look-up of the set begins with.
  void prefetch(std::uint64_t set) const { order_.prefetch(index_of(set)); }
  /// Lets it bring the line that a look-up will find, or replace as things are now; false if it
  /// would be a miss.
  bool prefetch_line(std::uint64_t set, std::uint64_t tag) const {
    const std::size_t index = index_of(set);
    if (order_.is_empty(index)) return false;
    std::uint32_t way = ways_;
    order_.for_same_sign(index, tag, [&](std::uint32_t found) {
      way = found;
      return true;
    });
    const bool misses = way == ways_;
    if (misses) way = order_.oldest(index);
    __builtin_prefetch(&lines_[index * ways_ + way]);
    return !misses;
  }
  /// Puts a line with this tag into the set, in place of the least recently used one; those that
  /// hold nothing or were let go are never used, and of these the first one goes.
  Line& replace(std::uint64_t set, std::uint64_t tag) {
    const std::size_t index = renewed(set);
    return put(index, order_.oldest(index), tag);
  }
  /// The same; `evicted` gets what was there.
  Line& replace(std::uint64_t set, std::uint64_t tag, Line& evicted) {
    const std::size_t index = renewed(set);
    const std::uint32_t way = order_.oldest(index);
    evicted = lines_[index * ways_ + way];
    return put(index, way, tag);
  }
  /// Makes a line the next to go of its set.
  void let_go(Line& line) {
    if (line.was_let_go) return;
    line.was_let_go = true;
    const std::size_t index = static_cast<std::size_t>(&line - lines_.data()) / ways_;
    const std::uint32_t way = way_of(index, line);
    const auto goes_before = static_cast<std::uint32_t>(std::count_if(
        &lines_[index * ways_], &line,
        [](const Line& other) { return other.was_let_go || other.tag == Line::kNone; }));
    order_.grow_old(index, way, goes_before);
  }
  /// Nothing is there any more.
  void invalidate() { order_.forget(); }
  /// Lines that are there have been for long.
  void start_launch() { order_.start_launch(); }
  /// Calls visit(line) for each line that is present.
  template <class Visit>
  void for_each(Visit visit) {
    for (std::size_t index = 0; index < sets_; ++index) {
      if (order_.is_empty(index)) continue;
      for (std::uint32_t way = 0; way < ways_; ++way) {
        Line& line = lines_[index * ways_ + way];
        if (line.tag != Line::kNone) visit(line);
      }
    }
  }
  std::uint32_t sets() const { return sets_; }
  /// Holds what another one held; false, and nothing changes, if that is of another shape.
  bool take(TagArray&& other) {
    if (sets_ != other.sets_ || ways_ != other.ways_) return false;
    order_ = std::move(other.order_);
    lines_ = std::move(other.lines_);
    return true;
  }

 private:
  static constexpr bool kMayGo = requires(Line line) { line.was_let_go; };
  static constexpr bool kComes = requires(Line line) { line.ready; };

  Line& put(std::size_t index, std::uint32_t way, std::uint64_t tag) {
    Line& line = lines_[index * ways_ + way];
    line = {};
    line.tag = tag;
    order_.sign(index, way, tag);
    order_.use(index, way);
    return line;
  }
  /// A set that is going to be used, with its lines as they are now.
  std::size_t renewed(std::uint64_t set) {
    const std::size_t index = index_of(set);
    if (!order_.is_current(index)) [[unlikely]]
      renew(index);
    return index;
  }
  [[gnu::noinline]] void renew(std::size_t index) {
    const bool empty = order_.is_empty(index);
    for (std::uint32_t way = 0; way < ways_; ++way) {
      Line& line = lines_[index * ways_ + way];
      if (empty) line = {};
      if constexpr (kComes) line.ready = {};
    }
    order_.renew(index);
  }
  /// Sets are powers of two in all devices that exist; others pay for a division.
  std::size_t index_of(std::uint64_t set) const {
    return (sets_ & (sets_ - 1)) == 0 ? set & (sets_ - 1) : set % sets_;
  }
  std::uint32_t way_of(std::size_t index, const Line& line) const {
    return static_cast<std::uint32_t>(&line - &lines_[index * ways_]);
  }
  const Line* line_of(std::size_t index, std::uint64_t tag) const {
    const Line* found = nullptr;
    order_.for_same_sign(index, tag, [&](std::uint32_t way) {
      const Line& line = lines_[index * ways_ + way];
      if (line.tag == tag) found = &line;
      return found != nullptr;
    });
    return found;
  }
  Line* line_of(std::size_t index, std::uint64_t tag) {
    return const_cast<Line*>(std::as_const(*this).line_of(index, tag));
  }

  std::uint32_t ways_, sets_;
  Ways order_;
  ZeroedArray<Line> lines_;
};

}  // namespace wavetank::timing
