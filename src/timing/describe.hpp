// From the state of the model after a launch to its profile: sums over CUs and channels, scaled to
// the whole launch where only a part was simulated.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "profile/launch_profile.hpp"
#include "timing/dispatch/dispatcher.hpp"
#include "timing/dispatch/sampler.hpp"
#include "timing/launch_run.hpp"
#include "timing/memory/memory_counts.hpp"
#include "timing/spec.hpp"

namespace wavetank::timing {

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

/// Fills cycles, accounting, counters, units, levels and instructions.
void describe_launch(const LaunchFacts& facts, profile::LaunchProfile& profile);

}  // namespace wavetank::timing
