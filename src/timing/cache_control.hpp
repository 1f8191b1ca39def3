// Write-backs and invalidations of caches, as far as they do not depend on what is in the caches.
#pragma once

#include <cstdint>

#include "machine/step.hpp"
#include "timing/spec.hpp"

namespace wavetank::timing {

/// True for buffer_wbl2 at device scope (SC1) or beyond where each XCD has an L2: it writes back
/// what is dirty. One L2 that serves the whole device has nothing to write back.
inline bool writes_back_l2(const TimingSpec& spec, const machine::StepFacts& facts) {
  return facts.row->memory.writes_back_l2 && spec.xcds > 1 && facts.scc;
}

/// Cycles from the issue of such an instruction to its end while nothing is dirty.
inline std::uint64_t cache_control_cycles(const TimingSpec& spec, const machine::StepFacts& facts) {
  if (writes_back_l2(spec, facts)) return spec.fence.clean_cycles();
  return facts.row->memory.invalidates_l1 ? spec.vmem.hit_latency : 1;
}

}  // namespace wavetank::timing
