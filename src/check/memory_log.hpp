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
    AccessKind kind = AccessKind::kRead;
    unsigned wave = 0;
    std::size_t first_range = 0, ranges = 0;
    std::size_t first_row = 0;  ///< of what is stored
    StoredRows stored;          ///< without its rows
  };

  void add_barrier() { events_.push_back({}); }
  void add_access(const machine::StepFacts& facts, AccessKind kind, unsigned wave,
                  std::span<const LaneRange> ranges, const StoredRows& stored) {
    events_.push_back({&facts, kind, wave, ranges_.size(), ranges.size(), rows_.size(), stored});
    ranges_.insert(ranges_.end(), ranges.begin(), ranges.end());
    rows_.insert(rows_.end(), stored.rows, stored.rows + stored.dwords * std::size_t{64});
  }
  void clear() {
    events_.clear();
    ranges_.clear();
    rows_.clear();
  }

  const std::vector<Event>& events() const { return events_; }
  std::span<const LaneRange> ranges_of(const Event& event) const {
    return std::span(ranges_).subspan(event.first_range, event.ranges);
  }
  StoredRows stored_by(const Event& event) const {
    StoredRows stored = event.stored;
    stored.rows = rows_.data() + event.first_row;
    return stored;
  }

 private:
  std::vector<Event> events_;
  std::vector<LaneRange> ranges_;
  std::vector<std::uint32_t> rows_;
};

}  // namespace wavetank::check
