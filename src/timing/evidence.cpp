#include "timing/evidence.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "target/device_file.hpp"
#include "target/parameter_table.hpp"
#include "target/peaks.hpp"

namespace wavetank::timing {
namespace {

using profile::Reason;
using target::known;

constexpr std::string_view kMallLatency = known("mall.hit_latency"),
                           kMallSlices = known("mall.slices");

/// The numbers that decide how long a wait is. A barrier's length is that of the work before it,
/// and what is ready waits for the unit that serves others: neither rests on a number of its own.
struct Basis {
  Reason reason;
  std::array<std::string_view, 4> parameters;
};
constexpr Basis kBases[] = {
    {Reason::kWaitVectorMemory,
     {known("vmem.hit_latency"), known("l2.hit_latency"), known("hbm.latency"), kMallLatency}},
    {Reason::kWaitLds, {known("lds.latency_b32"), known("lds.bytes_per_cycle_per_pair")}},
    {Reason::kWaitScalarMemory, {known("smem.hit_latency"), known("smem.miss_latency")}},
    {Reason::kWaitFetch, {known("fetch.hit_latency"), known("fetch.miss_latency")}},
    {Reason::kWaitFence,
     {known("fence.round_trip"), known("fence.scan"), known("fence.per_dirty_line")}},
    {Reason::kMemoryQueueFull, {known("vmem.queue_depth"), known("l1_vector.miss_queue_lines")}},
    {Reason::kLdsQueueFull, {known("lds.queue_depth")}},
};

}  // namespace

std::span<const std::string_view> parameters_behind(Reason reason) {
  for (const Basis& basis : kBases) {
    if (basis.reason != reason) continue;
    const auto end = std::find(basis.parameters.begin(), basis.parameters.end(), "");
    return {basis.parameters.begin(), end};
  }
  return {};
}

namespace {

/// The least certain of the numbers. One that is not there is as good as a guess.
target::Evidence weakest(Reason reason, const target::Device& device) {
  target::Evidence evidence = target::Evidence::kMeasured;
  for (const std::string_view name : parameters_behind(reason)) {
    if (name == kMallLatency && !device.parameters.contains(kMallSlices)) continue;
    const auto found = device.parameters.find(name);
    evidence =
        target::weaker(evidence, found == device.parameters.end() ? target::Evidence::kAssumed
                                                                  : found->second.evidence);
  }
  return evidence;
}

}  // namespace

std::map<std::string, double, std::less<>> evidence_of_waiting(const profile::ReasonCycles& cycles,
                                                               const target::Device& device) {
  std::map<std::string, double, std::less<>> percent;
  double all = 0;
  for (const Basis& basis : kBases) {
    const auto waited = static_cast<double>(cycles[static_cast<std::size_t>(basis.reason)]);
    if (waited == 0) continue;
    percent[std::string(target::to_text(weakest(basis.reason, device)))] += waited;
    all += waited;
  }
  for (auto& [kind, share] : percent) share *= 100 / all;
  return percent;
}

}  // namespace wavetank::timing
