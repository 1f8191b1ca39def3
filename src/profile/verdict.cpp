#include "profile/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/percent.hpp"
#include "profile/advice.hpp"
#include "profile/launch_overhead.hpp"

namespace wavetank::profile {
namespace {

double reason_percent(const LaunchProfile& launch, std::initializer_list<Reason> reasons) {
  double sum = 0;
  for (const Reason r : reasons) {
    sum += static_cast<double>(launch.cycles_by_reason[static_cast<std::size_t>(r)]);
  }
  return percent(sum, static_cast<double>(resident_cycles(launch.cycles_by_reason)));
}

/// Whole workgroups per CU by the kernel's resources, where the device's rules can say it.
OccupancyVerdict occupancy_of(const LaunchProfile& launch, const target::Device& device) {
  const OccupancyProfile& o = launch.occupancy;
  OccupancyVerdict verdict;
  verdict.max_waves_per_cu = device.wave_slots_per_simd * device.simds_per_cu;
  verdict.waves_per_cu =
      std::min(o.waves_per_simd_limit, device.wave_slots_per_simd) * device.simds_per_cu;
  verdict.limited_by = o.limited_by;
  verdict.achieved_waves_per_cu = o.achieved_waves_per_cu;
  verdict.cu_percent = o.cu_percent;
  if (const auto whole = target::occupancy(device, resources_of(launch))) {
    verdict.waves_per_cu = std::min(verdict.waves_per_cu, whole->waves_per_cu);
  }
  return verdict;
}

/// Percent of all slots' cycles in which no wave was there.
double empty_percent(const LaunchProfile& launch) {
  return percent(
      static_cast<double>(launch.cycles_by_reason[static_cast<std::size_t>(Reason::kEmpty)]),
      static_cast<double>(total_cycles(launch.cycles_by_reason)));
}

/// What most waits are for, in words.
std::string latency_what(const LaunchProfile& launch) {
  constexpr std::array<std::pair<Reason, std::string_view>, 8> kWaits = {{
      {Reason::kWaitVectorMemory, "the latency of vector memory"},
      {Reason::kWaitLds, "the latency of the LDS"},
      {Reason::kWaitScalarMemory, "the latency of scalar memory"},
      {Reason::kWaitValu, "dependent vector instructions"},
      {Reason::kWaitMatrix, "dependent matrix instructions"},
      {Reason::kWaitFetch, "instruction fetch"},
      {Reason::kMemoryQueueFull, "the queue of the vector memory unit"},
      {Reason::kLdsQueueFull, "the queue of the LDS"},
  }};
  const auto worst = std::max_element(kWaits.begin(), kWaits.end(), [&](auto a, auto b) {
    return launch.cycles_by_reason[static_cast<std::size_t>(a.first)] <
           launch.cycles_by_reason[static_cast<std::size_t>(b.first)];
  });
  if (launch.cycles_by_reason[static_cast<std::size_t>(worst->first)] == 0) {
    return "too few instructions in flight";
  }
  return std::string(worst->second);
}

/// What passes without a wave: which part of it is longer.
Limit launch_limit(const FindingInput& input, const LaunchShares& shares) {
  if (shares.write_back >= shares.around) {
    return {Bound::kLaunch, "the write-back of the L2s",
            fmt::format("After the last wave it takes {:.0f} % of the time.", shares.write_back),
            "write-back", ""};
  }
  if (is_queued(input.launch, input.device)) {
    return {Bound::kLaunch, "the launch queue",
            fmt::format("From one's last wave to the next one's first pass {:.0f} % of the time.",
                        shares.overhead()),
            "launch-queue", ""};
  }
  return {Bound::kLaunch, "launch overhead",
          fmt::format("Before the first and after the last wave pass {:.0f} % of the time.",
                      shares.overhead()),
          explain_page_of(Bound::kLaunch), ""};
}

/// Where no resource is busy: the waves wait for each other, or for what takes long.
Limit waiting_limit(const Verdict& v, const LaunchProfile& launch) {
  const double sync = reason_percent(launch, {Reason::kWaitBarrier, Reason::kWaitFence});
  if (sync >= kSyncPercent) {
    const bool barrier = reason_percent(launch, {Reason::kWaitBarrier}) >= sync / 2;
    return {Bound::kSynchronisation, barrier ? "barriers" : "memory fences",
            fmt::format("Waves spend {:.0f} % of their cycles there.", sync),
            explain_page_of(Bound::kSynchronisation), ""};
  }
  // Of two things that are all there is, the larger: working or waiting, slots with or without.
  constexpr double kMost = 50;
  const double working =
      reason_percent(launch, {Reason::kIssueValu, Reason::kIssueMatrix, Reason::kIssueScalar,
                              Reason::kIssueMemory, Reason::kIssueLds, Reason::kNotPicked});
  if (working >= kMost && empty_percent(launch) >= kMost) {
    return {Bound::kLatency, "too few waves",
            fmt::format("They issue or are ready to for {:.0f} % of their cycles; {:.0f} % of the "
                        "slots are empty.",
                        working, empty_percent(launch)),
            explain_page_of(Bound::kLatency), ""};
  }
  std::string because = "No unit is busy.";
  if (!v.speed_of_light.empty()) {
    const SpeedOfLight& busiest = v.speed_of_light.front();
    because = fmt::format("The busiest unit, {}, works {:.0f} % of the time.", busiest.name,
                          busiest.percent);
  }
  return {Bound::kLatency, latency_what(launch), std::move(because),
          explain_page_of(Bound::kLatency), ""};
}

/// The decision, in the order of the limits of verdict.hpp.
Limit decide(const Verdict& v, const FindingInput& input) {
  const LaunchShares shares = launch_shares(input.launch, input.device);
  if (shares.overhead() >= kLaunchPercent || waits_for_interval(input.launch, input.device)) {
    return launch_limit(input, shares);
  }
  if (auto busy = busy_limit(input.launch, v.speed_of_light)) return *busy;
  const auto tail = std::find_if(v.findings.begin(), v.findings.end(),
                                 [](const Finding& f) { return f.id == "tail-effect"; });
  if (tail != v.findings.end() && tail->weight >= kTailPercent) {
    return {Bound::kLaunch, "the tail of the grid",
            fmt::format("For {:.0f} % of the time nothing is left to start.", tail->weight),
            explain_page_of(Bound::kLaunch), ""};
  }
  return waiting_limit(v, input.launch);
}

}  // namespace

target::Resources resources_of(const LaunchProfile& launch) {
  target::Resources resources;
  resources.arch_vgprs = launch.vgprs;
  resources.acc_vgprs = launch.agprs;
  resources.sgprs = launch.sgprs;
  resources.lds_bytes = launch.lds_bytes;
  resources.workgroup_work_items = static_cast<std::uint32_t>(
      std::min<std::uint64_t>(launch.workgroup_work_items.count(), 1024));
  return resources;
}

Verdict judge(const LaunchProfile& launch, const target::Device& device,
              const LaunchCounts& launches) {
  Verdict verdict;
  const double clock_hz = 1e6 * clock_mhz(launch, device);
  verdict.milliseconds = 1e3 * static_cast<double>(launch.cycles) / clock_hz;
  verdict.roofline = roofline(launch, device);
  verdict.speed_of_light = speed_of_light(launch, verdict.roofline);
  verdict.occupancy = occupancy_of(launch, device);
  verdict.stack = stall_stack(launch.cycles_by_reason);
  verdict.hot_lines = hot_lines(launch);
  FindingInput input{
      launch,  device, 0, verdict.occupancy.waves_per_cu, verdict.occupancy.max_waves_per_cu,
      launches};
  if (!verdict.speed_of_light.empty()) input.busiest_percent = verdict.speed_of_light[0].percent;
  verdict.findings = find(input);
  verdict.limit = decide(verdict, input);
  verdict.findings = advise(std::move(verdict.findings), launch);
  return verdict;
}

}  // namespace wavetank::profile
