// The scalar and instruction caches that two CUs share: one request for each line, misses go to the
// L2. A second miss of a line is counted as a duplicate, not as a hit, and asks nobody again: the
// vcopy workloads of rocprofiler-compute have one SQC_TC_DATA_READ_REQ for each cache and line, on
// MI200 (56), MI300X (160) and MI300A (120).
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "timing/bandwidth.hpp"
#include "timing/caches/tag_array.hpp"
#include "timing/memory/memory_port.hpp"

namespace wavetank::timing {

enum class SmallCacheOutcome : std::uint8_t { kHit, kMiss, kDuplicateMiss };

class SmallCache {
 public:
  SmallCache(std::uint32_t bytes, std::uint32_t line_bytes, std::uint32_t ways,
             std::uint32_t miss_cycles, MemoryPort& port)
      : line_bytes_(line_bytes),
        miss_cycles_(miss_cycles),
        port_(port),
        tags_(bytes / line_bytes, ways) {}

  void start_launch() {
    tags_.invalidate();
    passing_.start_launch();
  }

  /// A launch starts and finds what the one before left (the instruction cache is kept: repeated
  /// launches fetch nothing, rocprofiler-compute vcopy workload, SQC_TC_INST_REQ).
  void continue_launch() {
    tags_.start_launch();
    passing_.start_launch();
  }

  /// Holds the lines that another one held, if they fit.
  void take_lines(SmallCache&& other) { tags_.take(std::move(other.tags_)); }

  struct Answer {
    Due ready;  ///< when the line is in the cache
    SmallCacheOutcome outcome = SmallCacheOutcome::kHit;
    bool asked_l2 = false;
  };
  /// Looks up the line of `address` at `time`.
  Answer request(std::uint64_t address, std::uint64_t time) {
    const std::uint64_t at = std::max(time, passing_.reserve(time, 1) - 1);
    const std::uint64_t tag = address / line_bytes_;
    if (Line* line = tags_.find(tag, tag)) {
      if (line->ready.known() && line->ready.cycle() <= at) {
        return {Due::at(at), SmallCacheOutcome::kHit, false};
      }
      return {line->ready, join(*line), false};
    }
    Line& line = tags_.replace(tag, tag);
    line.ready = Due::with(fetch(tag, at));
    coming_.push_back(&line);
    return {line.ready, SmallCacheOutcome::kMiss, true};
  }
  /// The cycle of an answer's `ready`, once the window's requests are answered.
  std::uint64_t cycle_of(Due ready) const {
    return ready.known() ? ready.cycle()
                         : port_.back(ready.request()) + miss_cycles_ - miss_cycles_ / 2;
  }
  /// The window's requests are answered, and those who wait for them have asked cycle_of().
  void settle() {
    for (Line* line : coming_) line->ready = Due::at(cycle_of(line->ready));
    coming_.clear();
  }
  std::uint32_t line_bytes() const { return line_bytes_; }

 private:
  struct Line : ComingLine {
    std::uint8_t duplicates = 0;  ///< misses of it since it was asked for
  };
  /// A request of a line that is still to come. So many are kept beside the first, others wait
  /// before the cache and hit: SQC_DCACHE_MISSES_DUPLICATE is 30 for each cache in all three vcopy
  /// workloads.
  static SmallCacheOutcome join(Line& line) {
    constexpr std::uint8_t kMostDuplicates = 30;
    if (line.duplicates == kMostDuplicates) return SmallCacheOutcome::kHit;
    ++line.duplicates;
    return SmallCacheOutcome::kDuplicateMiss;
  }
  /// Asks the L2 for a line. Half of the miss's cycles are the way there.
  std::uint32_t fetch(std::uint64_t tag, std::uint64_t time) {
    return port_.send({.kind = MemoryRequest::Kind::kSmallRead,
                       .amount = static_cast<std::uint16_t>(line_bytes_),
                       .scope = {},
                       .address = tag * line_bytes_,
                       .time = time + miss_cycles_ / 2});
  }

  std::uint32_t line_bytes_, miss_cycles_;
  MemoryPort& port_;
  TagArray<Line> tags_;
  /// One line in a cycle. Waves ask ahead, for lines behind one that is still to come. Windows of
  /// four cycles: the cache is never asked far from the present.
  Bandwidth passing_{1.0, 2};
  std::vector<Line*> coming_;  ///< lines asked for in this window
};

}  // namespace wavetank::timing
