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
#include "timing/memory/memory_system.hpp"
#include "timing/spec.hpp"

namespace wavetank::timing {

struct LaunchFacts {
  const TimingSpec& spec;
  const std::deque<ComputeUnit>& units;
  const std::vector<UnitCluster>& clusters;
  const MemorySystem& memory;
  const Dispatcher& dispatcher;
  const Sampler& sampler;
  const CycleLedger& ledger;
  std::uint64_t end_cycle = 0;        ///< of what was simulated
  std::uint64_t workgroups = 0;       ///< of the launch
  std::uint64_t overhead_cycles = 0;  ///< around the kernel
};

/// How much larger the launch is than what was simulated.
double scale_of(const LaunchFacts& facts);

/// Fills cycles, accounting, counters, units, levels and instructions.
void describe_launch(const LaunchFacts& facts, profile::LaunchProfile& profile);

}  // namespace wavetank::timing
