// The scalar and instruction caches that two CUs share: one request for each line, misses go to the
// L2. They do not merge a second miss into the first: it is another request, which is counted as a
// duplicate (rocprofiler-compute vcopy workload: 4000 reads of the L2 beyond those of the lanes).
#pragma once

#include <algorithm>
#include <cstdint>

#include "timing/bandwidth.hpp"
#include "timing/caches/tag_cache.hpp"
#include "timing/memory/memory_system.hpp"

namespace wavetank::timing {

enum class SmallCacheOutcome : std::uint8_t { kHit, kMiss, kDuplicateMiss };

class SmallCache {
 public:
  SmallCache(std::uint32_t bytes, std::uint32_t line_bytes, std::uint32_t ways,
             std::uint32_t miss_cycles, MemorySystem& memory, unsigned xcd)
      : line_bytes_(line_bytes),
        miss_cycles_(miss_cycles),
        memory_(memory),
        xcd_(xcd),
        tags_(bytes / line_bytes, ways) {}

  void start_launch() {
    tags_.invalidate();
    port_ = idle_port();
  }

  /// A launch starts and finds what the one before left (the instruction cache is kept: repeated
  /// launches fetch nothing, rocprofiler-compute vcopy workload, SQC_TC_INST_REQ).
  void continue_launch() {
    tags_.for_each([](std::uint64_t, CacheLine& line) { line.ready = 0; });
    port_ = idle_port();
  }

  struct Answer {
    std::uint64_t ready = 0;  ///< when the line is in the cache
    SmallCacheOutcome outcome = SmallCacheOutcome::kHit;
  };
  /// Looks up the line of `address` at `time`.
  Answer request(std::uint64_t address, std::uint64_t time) {
    const std::uint64_t at = std::max(time, port_.reserve(time, 1) - 1);
    const std::uint64_t tag = address / line_bytes_;
    if (CacheLine* line = tags_.find(tag, tag)) {
      if (line->ready <= at) return {at, SmallCacheOutcome::kHit};
      fetch(tag, at);
      return {line->ready, SmallCacheOutcome::kDuplicateMiss};
    }
    std::uint64_t evicted_tag;
    CacheLine evicted;
    CacheLine& line = tags_.replace(tag, tag, evicted_tag, evicted);
    line.ready = fetch(tag, at);
    return {line.ready, SmallCacheOutcome::kMiss};
  }
  std::uint32_t line_bytes() const { return line_bytes_; }

 private:
  /// Asks the L2 for a line; gives when it is here. Half of the miss's cycles are the way there.
  std::uint64_t fetch(std::uint64_t tag, std::uint64_t time) {
    const std::uint64_t served =
        memory_.read_through(xcd_, tag * line_bytes_, line_bytes_, time + miss_cycles_ / 2);
    return served + miss_cycles_ - miss_cycles_ / 2;
  }
  /// Windows of four cycles: the port is never asked far from the present.
  static Bandwidth idle_port() { return Bandwidth(1.0, 2); }

  std::uint32_t line_bytes_, miss_cycles_;
  MemorySystem& memory_;
  unsigned xcd_;
  TagCache tags_;
  /// One line in a cycle. Waves ask ahead, for lines behind one that is still to come.
  Bandwidth port_ = idle_port();
};

}  // namespace wavetank::timing
