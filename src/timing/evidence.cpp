#include "timing/evidence.hpp"

#include <array>
#include <string_view>

#include "target/device_file.hpp"
#include "target/peaks.hpp"

namespace wavetank::timing {
namespace {

using profile::Reason;

/// The numbers that decide how long a wait is. A barrier's length is that of the work before it,
/// and what is ready waits for the unit that serves others: neither rests on a number of its own.
struct Basis {
  Reason reason;
  std::array<std::string_view, 3> parameters;
};
constexpr Basis kBases[] = {
    {Reason::kWaitVectorMemory, {"vmem.hit_latency", "l2.hit_latency", "hbm.latency"}},
    {Reason::kWaitLds, {"lds.latency_b32", "lds.bytes_per_cycle_per_pair", ""}},
    {Reason::kWaitScalarMemory, {"smem.hit_latency", "smem.miss_latency", ""}},
    {Reason::kWaitFetch, {"fetch.hit_latency", "fetch.miss_latency", ""}},
    {Reason::kWaitFence, {"fence.round_trip", "fence.scan", "fence.per_dirty_line"}},
    {Reason::kMemoryQueueFull, {"vmem.queue_depth", "vmem.miss_queue_lines", ""}},
    {Reason::kLdsQueueFull, {"lds.queue_depth", "", ""}},
};

}  // namespace

std::map<std::string, double, std::less<>> evidence_of_waiting(const profile::ReasonCycles& cycles,
                                                               const target::Device& device) {
  std::map<std::string, double, std::less<>> percent;
  double all = 0;
  for (const Basis& basis : kBases) {
    const auto waited = static_cast<double>(cycles[static_cast<std::size_t>(basis.reason)]);
    target::Evidence evidence = target::Evidence::kMeasured;
    bool known = false;
    for (const std::string_view name : basis.parameters) {
      const auto found = device.parameters.find(name);
      if (found == device.parameters.end()) continue;
      evidence = target::weaker(evidence, found->second.evidence);
      known = true;
    }
    if (!known || waited == 0) continue;
    percent[std::string(target::to_text(evidence))] += waited;
    all += waited;
  }
  for (auto& [kind, share] : percent) share *= 100 / all;
  return percent;
}

}  // namespace wavetank::timing
