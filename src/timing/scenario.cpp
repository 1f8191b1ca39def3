#include "timing/scenario.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <ranges>
#include <string_view>
#include <vector>

#include "profile/change.hpp"
#include "target/device_file.hpp"
#include "target/load_device.hpp"
#include "timing/spec_reader.hpp"

namespace wavetank::timing {
namespace {

/// The model needs a way to the L2 and back: its windows are as long (launch_run.cpp).
constexpr std::uint32_t kShortestWay = 32;

std::uint32_t scaled(std::uint32_t value, double factor) {
  constexpr double kMost = 1e9;
  return static_cast<std::uint32_t>(std::clamp(std::round(value * factor), 0.0, kMost));
}

/// A rate never becomes 0.
void speed_up(std::uint32_t& rate, const Amount& a) { rate = std::max(scaled(rate, a.value), 1u); }
void speed_up(double& rate, const Amount& a) { rate *= a.value; }
void shorten(double& cycles, const Amount& a) { cycles /= a.value; }

enum Level : std::size_t { kVl1d, kL2, kMall, kHbm };

/// Scales what a load takes longer because it goes on to `level`. Latencies are those of whole
/// loads: those of the levels behind it become shorter by as much.
template <Level kLevel>
void scale_latency(Scenario& scenario, const Amount& a) {
  TimingSpec& s = scenario.spec;
  const std::array<std::uint32_t*, 4> chain = {&s.vmem.hit_latency, &s.l2.hit_latency,
                                               &s.mall.hit_latency, &s.hbm.latency};
  const bool has_mall = s.mall.bytes != 0;
  if (kLevel == kMall && !has_mall) return;
  std::size_t before = kLevel;
  if (before != 0) before -= kLevel == kHbm && !has_mall ? 2 : 1;
  const std::uint32_t nearer = kLevel == kVl1d ? 0 : *chain[before];
  const std::uint32_t own = *chain[kLevel] - std::min(nearer, *chain[kLevel]);
  const std::uint32_t less = own - std::min(scaled(own, a.value), own);
  const auto take = [&](std::uint32_t& latency, std::uint32_t least) {
    latency = std::max(latency - std::min(latency, less), least);
  };
  for (std::size_t level = kLevel; level < chain.size(); ++level) {
    take(*chain[level], level == kVl1d ? 1 : kShortestWay);
  }
  if (kLevel > kL2) return;
  take(s.l2.device_scope_latency, s.l2.hit_latency);
  take(s.vmem.store_latency, kShortestWay);
}

void set_occupancy(Scenario& scenario, const Amount& waves) {
  target::Occupancy& fits = scenario.setup.occupancy;
  const std::uint32_t slots = scenario.spec.slots_per_simd;
  const auto per_simd = std::clamp(scaled(1, waves.value), 1u, slots);
  const std::uint32_t per_cu = per_simd * scenario.spec.simds;
  const std::uint32_t groups = std::max(per_cu / std::max(scenario.setup.waves_per_group, 1u), 1u);
  for (target::ResourceLimit& limit : fits.limits) {
    limit.waves_per_simd = std::max(per_simd, (scenario.setup.waves_per_group + 3) / 4);
    limit.workgroups_per_cu = groups;
  }
  fits.workgroups_per_cu = groups;
  fits.waves_per_simd = per_simd;
}

/// What a row of profile::change_rows() is to the model.
struct Binding {
  std::string_view name;
  void (*apply)(Scenario& scenario, const Amount& amount);
};

constexpr std::array kBindings = {
    Binding{"coalescing",
            [](Scenario& s, const Amount&) { s.spec.vmem.lanes_side_by_side = true; }},
    Binding{"lds.conflicts", [](Scenario& s, const Amount&) { s.spec.lds.banks_conflict = false; }},
    Binding{"lanes", [](Scenario& s, const Amount&) { s.spec.issue.idle_lanes_cost = false; }},
    Binding{"f64", [](Scenario& s, const Amount&) { s.spec.issue.f64_as_f32 = true; }},
    Binding{"scratch", [](Scenario& s, const Amount&) { s.spec.vmem.scratch_costs = false; }},
    Binding{"accesses", [](Scenario& s, const Amount&) { s.spec.vmem.joins_narrow = true; }},
    Binding{"uniform", [](Scenario& s, const Amount&) { s.spec.vmem.uniform_is_scalar = true; }},
    Binding{"occupancy", set_occupancy},
    Binding{"barriers",
            [](Scenario& s, const Amount&) {
              s.spec.issue.waits_at_barriers = false;
              s.spec.issue.barrier_latency = 0;
            }},
    Binding{"waits",
            [](Scenario& s, const Amount&) {
              s.spec.issue.waits_for_memory = false;
              s.spec.wait_states = {};
              s.spec.issue.farthest_wait = s.spec.matrix.farthest_wait = 0;
              s.spec.matrix.after_packed = 0;
            }},
    Binding{"fences",
            [](Scenario& s, const Amount&) {
              s.spec.fence = {};
              s.spec.fence.costs = false;
            }},
    Binding{"atomics.contention",
            [](Scenario& s, const Amount&) {
              s.spec.atomic.l2_cycles_per_operation = 0;
              s.spec.atomic.memory_side_cycles_per_operation = 0;
              s.spec.atomic.memory_side_request_cycles = 0;
              s.spec.lds.atomic_cycles = 0;
            }},
    Binding{"lds.bandwidth",
            [](Scenario& s, const Amount& a) { shorten(s.spec.lds.cycles_scale, a); }},
    Binding{"lds.latency",
            [](Scenario& s, const Amount& a) {
              LdsSpec& lds = s.spec.lds;
              for (std::uint32_t* l : {&lds.latency_b32, &lds.latency_b64, &lds.latency_b128}) {
                *l = scaled(*l, a.value);
              }
            }},
    Binding{"sl1d.latency",
            [](Scenario& s, const Amount& a) {
              s.spec.smem.hit_latency = scaled(s.spec.smem.hit_latency, a.value);
              s.spec.smem.miss_latency =
                  std::max(scaled(s.spec.smem.miss_latency, a.value), kShortestWay);
              s.spec.kernarg.host_cycles *= a.value;
            }},
    Binding{"kernarg", [](Scenario& s, const Amount&) { s.spec.kernarg.host_cycles = 0; }},
    Binding{"l1i.latency",
            [](Scenario& s, const Amount& a) {
              s.spec.fetch.at_once = a.value == 0;
              s.spec.fetch.hit_latency = scaled(s.spec.fetch.hit_latency, a.value);
              s.spec.fetch.miss_latency =
                  std::max(scaled(s.spec.fetch.miss_latency, a.value), kShortestWay);
            }},
    Binding{"l1i.misses", [](Scenario& s, const Amount&) { s.spec.fetch.misses = false; }},
    Binding{"translation",
            [](Scenario& s, const Amount&) {
              s.spec.translation.miss_latency = s.spec.translation.miss_interval = 0;
            }},
    Binding{"vl1d.bandwidth",
            [](Scenario& s, const Amount& a) {
              shorten(s.spec.vmem.cycles_scale, a);
              shorten(s.spec.vmem.fill_cycles, a);
              speed_up(s.spec.vmem.bytes_per_cycle, a);
              speed_up(s.spec.vmem.store_bytes_per_cycle, a);
            }},
    Binding{"vl1d.latency", scale_latency<kVl1d>},
    Binding{"l2.bandwidth",
            [](Scenario& s, const Amount& a) {
              speed_up(s.spec.l2.read_bytes_per_cycle, a);
              shorten(s.spec.l2.write_cycles, a);
              shorten(s.spec.l2.partial_write_cycles, a);
              shorten(s.spec.l2.fill_cycles, a);
            }},
    Binding{"l2.latency", scale_latency<kL2>},
    Binding{"dies", [](Scenario& s, const Amount&) { s.spec.l2.dies_share = true; }},
    Binding{"fabric.bandwidth",
            [](Scenario& s, const Amount& a) {
              speed_up(s.spec.fabric_read_bytes_per_cycle, a);
              speed_up(s.spec.fabric_write_bytes_per_cycle, a);
            }},
    Binding{"mall.bandwidth",
            [](Scenario& s, const Amount& a) { speed_up(s.spec.mall.bytes_per_cycle, a); }},
    Binding{"mall.latency", scale_latency<kMall>},
    Binding{"hbm.bandwidth",
            [](Scenario& s, const Amount& a) {
              speed_up(s.spec.hbm.peak_bytes_per_cycle, a);
              shorten(s.spec.hbm.row_cycles, a);
              s.spec.hbm.turnaround = scaled(s.spec.hbm.turnaround, 1 / a.value);
            }},
    Binding{"hbm.latency", scale_latency<kHbm>},
    Binding{"dispatcher", [](Scenario& s, const Amount&) { s.spec.dispatch = {}; }},
    Binding{"tail", [](Scenario& s, const Amount&) { s.spec.ends_evenly = true; }},
    Binding{"launch", [](Scenario& s, const Amount&) { s.spec.launch = {}; }},
};

const Binding& binding_of(const profile::ChangeRow& row) {
  return *std::ranges::find(kBindings, row.name, &Binding::name);
}

Result<target::Device> other_device(const target::Device& device, std::string_view name) {
  Result<target::Device> other = target::load_device(name);
  if (!other || *other->target == *device.target) return other;
  return fail(ErrorCode::kUsage,
              fmt::format("device={}: the code of {} does not run on it", name, device.gfx()), {},
              fmt::format("`wavetank profile --device {}` runs the program's code for it", name));
}

/// What follows from the numbers of the scenario's device.
Result<void> take_numbers(Scenario& scenario) {
  const Result<TimingSpec> spec = read_spec(scenario.device);
  if (!spec) return tl::unexpected(spec.error());
  scenario.spec = *spec;
  const auto fits = target::occupancy(scenario.device, scenario.resources);
  if (!fits) return tl::unexpected(fits.error());
  scenario.setup.occupancy = *fits;
  return {};
}

void apply(const profile::ChangePart& part, Scenario& scenario) {
  if (part.row != nullptr) return binding_of(*part.row).apply(scenario, part.amount);
  for (const auto& [begin, end] : part.code) {
    const std::uint64_t entry = scenario.setup.entry_offset_bytes;
    scenario.spec.issue.free_code.push_back({entry + begin, entry + end});
  }
  if (part.name != profile::kAllChanges) return;
  for (const profile::ChangeRow& row : profile::change_rows()) {
    binding_of(row).apply(scenario, row.without);
  }
}

}  // namespace

std::vector<std::string_view> bound_changes() {
  std::vector<std::string_view> names;
  for (const Binding& binding : kBindings) names.push_back(binding.name);
  return names;
}

Result<Scenario> changed(Scenario scenario, std::string_view change) {
  const auto parts = profile::parse_change(change);
  if (!parts) return tl::unexpected(parts.error());
  bool other_numbers = false;
  for (const profile::ChangePart& part : *parts) {
    if (!part.is_number()) continue;
    Result<target::Device> device =
        part.name == profile::kOtherDevice
            ? other_device(scenario.device, part.value)
            : target::with_number(scenario.device, part.name, part.value);
    if (!device) return tl::unexpected(device.error());
    scenario.device = std::move(*device);
    other_numbers = true;
  }
  if (other_numbers) {
    if (auto done = take_numbers(scenario); !done) return tl::unexpected(done.error());
  }
  for (const profile::ChangePart& part : *parts) apply(part, scenario);
  return scenario;
}

}  // namespace wavetank::timing
