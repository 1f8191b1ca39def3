// The scalar and instruction caches that two CUs share: one request in a cycle, misses go to the
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
  /// What the first request of a line brings beside it: nothing, or the next line.
  enum class Followed : std::uint8_t { kByNothing, kByNextLine };

  SmallCache(std::uint32_t bytes, std::uint32_t line_bytes, std::uint32_t ways,
             std::uint32_t miss_cycles, Followed followed_by, MemoryPort& port)
      : line_bytes_(line_bytes),
        miss_cycles_(miss_cycles),
        followed_by_(followed_by),
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
    unsigned asked_l2 = 0;  ///< lines
  };
  /// Looks up the line of `address`, `ahead` cycles before `time`. The L2 is asked at `time`.
  Answer request(std::uint64_t address, std::uint64_t time, std::uint64_t ahead = 0) {
    const std::uint64_t early = time - ahead;
    const std::uint64_t at = std::max(early, passing_.reserve(early, 1) - 1);
    const std::uint64_t tag = address / line_bytes_;
    Line* line = tags_.find(tag, tag);
    Answer answer;
    if (line == nullptr) {
      line = &bring(tag, std::max(at, time));
      answer = {line->ready, SmallCacheOutcome::kMiss, 1};
    } else if (line->ready.known() && line->ready.cycle() <= at) {
      answer = {Due::at(at), SmallCacheOutcome::kHit, 0};
    } else {
      answer = {line->ready, join(*line), 0};
    }
    if (followed_by_ == Followed::kByNextLine && !std::exchange(line->followed, true) &&
        tags_.find(tag + 1, tag + 1) == nullptr) {
      bring(tag + 1, std::max(at, time));
      ++answer.asked_l2;
    }
    return answer;
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
    bool followed = false;        ///< the next line was asked for as well
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
  Line& bring(std::uint64_t tag, std::uint64_t time) {
    Line& line = tags_.replace(tag, tag);
    line.ready = Due::with(fetch(tag, time));
    coming_.push_back(&line);
    return line;
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
  Followed followed_by_;
  MemoryPort& port_;
  TagArray<Line> tags_;
  /// Windows of four cycles: the cache is never asked far from the present.
  Bandwidth passing_{1.0, 2};
  std::vector<Line*> coming_;  ///< lines asked for in this window
};

}  // namespace wavetank::timing
