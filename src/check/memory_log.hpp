// What a workgroup did to global memory, for later: workgroups that run side by side are looked at
// one after the other, in dispatch order.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "check/lane_ranges.hpp"
#include "check/record.hpp"
#include "check/stored_value.hpp"
#include "machine/step.hpp"

namespace wavetank::check {

class MemoryLog {
 public:
  /// An access of a wave, or a barrier of its workgroup, which has no facts.
  struct Event {
    const machine::StepFacts* facts = nullptr;
    std::uint32_t first_range = 0;
    std::uint32_t first_row = 0;  ///< of what is stored
    std::uint16_t ranges = 0;
    AccessKind kind = AccessKind::kRead;
    std::uint8_t wave = 0;
    std::uint8_t stored_dwords = 0;
    bool from_high_half = false;
  };
  /// A LaneRange in less room.
  struct Range {
    std::uint64_t begin = 0;
    std::uint32_t bytes = 0;
    std::uint16_t first_lane = 0, lane_bytes = 0;
  };

  void add_barrier() { events_.push_back({}); }
  void add_access(const machine::StepFacts& facts, AccessKind kind, unsigned wave,
                  std::span<const LaneRange> ranges, const StoredRows& stored) {
    Event& event = events_.emplace_back();
    event.facts = &facts;
    event.first_range = static_cast<std::uint32_t>(ranges_.size());
    event.first_row = static_cast<std::uint32_t>(rows_.size() / kRow);
    event.ranges = static_cast<std::uint16_t>(ranges.size());
    event.kind = kind;
    event.wave = static_cast<std::uint8_t>(wave);
    event.stored_dwords = static_cast<std::uint8_t>(stored.dwords);
    event.from_high_half = stored.from_high_half;
    for (const LaneRange& range : ranges) {
      ranges_.push_back({range.begin, static_cast<std::uint32_t>(range.end - range.begin),
                         static_cast<std::uint16_t>(range.first_lane),
                         static_cast<std::uint16_t>(range.lane_bytes)});
    }
    rows_.insert(rows_.end(), stored.rows, stored.rows + stored.dwords * kRow);
  }
  /// Gives back what a long workgroup took.
  void clear() {
    if (rows_.capacity() > kMostKeptRows * kRow || ranges_.capacity() > kMostKeptRanges) {
      *this = {};
      return;
    }
    events_.clear();
    ranges_.clear();
    rows_.clear();
  }

  /// What it holds of the host's memory, but for what it could take in without more.
  std::size_t bytes() const {
    return events_.size() * sizeof(Event) + ranges_.size() * sizeof(Range) +
           rows_.size() * sizeof(rows_[0]);
  }
  const std::vector<Event>& events() const { return events_; }
  std::span<const Range> ranges_of(const Event& event) const {
    return std::span(ranges_).subspan(event.first_range, event.ranges);
  }
  /// Puts an event's ranges into `to`, which had others.
  void get_ranges(const Event& event, std::vector<LaneRange>& to) const {
    to.clear();
    for (const Range& range : ranges_of(event)) {
      to.push_back({range.begin, range.begin + range.bytes, range.first_lane, range.lane_bytes});
    }
  }
  StoredRows stored_by(const Event& event) const {
    return {rows_.data() + event.first_row * kRow, event.stored_dwords, event.from_high_half};
  }

 private:
  static constexpr std::size_t kRow = 64;  ///< dwords
  static constexpr std::size_t kMostKeptRows = 512, kMostKeptRanges = 8192;
  std::vector<Event> events_;
  std::vector<Range> ranges_;
  std::vector<std::uint32_t> rows_;
};

}  // namespace wavetank::check
