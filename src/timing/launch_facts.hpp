// The state of the model after a launch, for those who describe it.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "timing/dispatch/dispatcher.hpp"
#include "timing/dispatch/sampler.hpp"
#include "timing/launch_run.hpp"
#include "timing/memory/memory_counts.hpp"
#include "timing/spec.hpp"

namespace wavetank::timing {

/// What the parts of the model have counted.
struct LaunchFacts {
  const TimingSpec& spec;
  const std::deque<ComputeUnit>& units;
  const std::vector<UnitCluster>& clusters;
  const MemoryCounts& memory;  ///< of the whole launch
  const Dispatcher& dispatcher;
  const Sampler& sampler;
  const CycleLedger& ledger;
  std::uint64_t end_cycle = 0;        ///< of what was simulated
  std::uint64_t workgroups = 0;       ///< of the launch
  std::uint64_t overhead_cycles = 0;  ///< around the kernel
  double scale = 1;                   ///< LaunchRun::scale()
};

}  // namespace wavetank::timing
