#include "timing/evidence.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "profile/speed_of_light.hpp"
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

/// What a saturated resource of vector memory works by, and what if most of it are atomics.
struct Rate {
  std::string_view resource;
  std::array<std::string_view, 3> parameters;
  std::array<std::string_view, 3> of_atomics = {};
};
constexpr Rate kRates[] = {
    {profile::kTranslation, {known("translation.miss_interval")}},
    {"L2",
     {known("l2.read_efficiency"), known("l2.write_cycles"), known("l2.fill_cycles")},
     {known("atomic.l2_cycles_per_operation")}},
    {profile::kFabric,
     {known("fabric.read_bytes_per_cycle"), known("fabric.write_bytes_per_cycle")}},
    {profile::kMallLevel,
     {known("mall.bytes_per_cycle")},
     {known("atomic.memory_side_cycles_per_operation"),
      known("atomic.memory_side_request_cycles")}},
    {"HBM", {known("hbm.read_efficiency"), known("hbm.write_efficiency")}},
    {profile::kBanks, {known("hbm.row_cycle"), known("hbm.banks")}},
};

template <class Parameters>
std::span<const std::string_view> named(const Parameters& parameters) {
  return {parameters.begin(), std::find(parameters.begin(), parameters.end(), "")};
}

}  // namespace

std::span<const std::string_view> parameters_behind(Reason reason) {
  for (const Basis& basis : kBases) {
    if (basis.reason == reason) return named(basis.parameters);
  }
  return {};
}

std::span<const std::string_view> parameters_behind(std::string_view resource, bool atomics) {
  for (const Rate& rate : kRates) {
    if (rate.resource != resource) continue;
    const bool own = atomics && !rate.of_atomics.front().empty();
    return named(own ? rate.of_atomics : rate.parameters);
  }
  return {};
}

namespace {

/// The least certain of the numbers. One that is not there is as good as a guess.
target::Evidence weakest(std::span<const std::string_view> parameters,
                         const target::Device& device) {
  target::Evidence evidence = target::Evidence::kMeasured;
  for (const std::string_view name : parameters) {
    if (name == kMallLatency && !device.parameters.contains(kMallSlices)) continue;
    const target::Parameter* const found = device.find(name);
    evidence =
        target::weaker(evidence, found == nullptr ? target::Evidence::kAssumed : found->evidence);
  }
  return evidence;
}

bool is_of_atomics(const profile::LaunchProfile& launch) {
  const auto sum_of = [&](std::string_view name) {
    const auto found = launch.counters.find(name);
    return found == launch.counters.end() ? 0 : found->second.sum;
  };
  return 2 * sum_of("TCC_ATOMIC") > sum_of("TCC_REQ");
}

/// The resource of vector memory that waits are as long as, where one is the limit.
std::span<const std::string_view> saturated(const profile::LaunchProfile& launch) {
  const auto limit = profile::busy_limit(launch, profile::speed_of_light(launch, {}));
  return limit ? parameters_behind(limit->resource, is_of_atomics(launch))
               : std::span<const std::string_view>();
}

/// Calls visit(cycles, numbers behind them) for each reason that waves waited for.
template <class Visit>
void for_each_wait(const profile::LaunchProfile& launch, Visit visit) {
  const auto resource = saturated(launch);
  for (const Basis& basis : kBases) {
    const auto waited =
        static_cast<double>(launch.cycles_by_reason[static_cast<std::size_t>(basis.reason)]);
    if (waited == 0) continue;
    const bool is_memory =
        basis.reason == Reason::kWaitVectorMemory || basis.reason == Reason::kMemoryQueueFull;
    visit(waited, is_memory && !resource.empty() ? resource : parameters_behind(basis.reason));
  }
}

}  // namespace

std::map<std::string, double, std::less<>> evidence_of_waiting(const profile::LaunchProfile& launch,
                                                               const target::Device& device) {
  std::map<std::string, double, std::less<>> percent;
  double all = 0;
  for_each_wait(launch, [&](double waited, std::span<const std::string_view> behind) {
    percent[std::string(target::to_text(weakest(behind, device)))] += waited;
    all += waited;
  });
  for (auto& [kind, share] : percent) share *= 100 / all;
  return percent;
}

std::vector<std::string_view> numbers_of_waiting(const profile::LaunchProfile& launch,
                                                 const target::Device& device) {
  std::vector<std::string_view> numbers;
  for_each_wait(launch, [&](double, std::span<const std::string_view> behind) {
    for (const std::string_view name : behind) {
      const bool is_there = device.parameters.contains(std::string(name));
      if (is_there && std::ranges::find(numbers, name) == numbers.end()) numbers.push_back(name);
    }
  });
  return numbers;
}

}  // namespace wavetank::timing
