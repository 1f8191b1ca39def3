// The scalar and instruction caches that two CUs share (SQC), with their port to the L2.
#pragma once

#include "timing/caches/small_cache.hpp"
#include "timing/counter_bank.hpp"
#include "timing/memory/memory_port.hpp"
#include "timing/spec.hpp"

namespace wavetank::timing {

struct SharedCaches {
  SharedCaches(const TimingSpec& spec, unsigned xcd)
      : port(xcd),
        scalar(spec.smem.cache_bytes, spec.smem.line_bytes, spec.smem.ways, spec.smem.miss_latency,
               SmallCache::Followed::kByNothing, port),
        instruction(spec.fetch.cache_bytes, spec.fetch.line_bytes, spec.fetch.ways,
                    spec.fetch.miss_latency, SmallCache::Followed::kByNextLine, port) {}
  SharedCaches(const SharedCaches&) = delete;
  SharedCaches& operator=(const SharedCaches&) = delete;

  void start_launch() {
    port.clear();
    scalar.start_launch();
    instruction.continue_launch();
    counters.clear();
  }
  /// The window's requests are answered, and the CUs have settled.
  void settle() {
    scalar.settle();
    instruction.settle();
    port.clear();
  }

  MemoryPort port;
  SmallCache scalar;
  SmallCache instruction;
  CuCounters counters;
};

}  // namespace wavetank::timing
