#include "timing/describe_levels.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "target/parameter_table.hpp"

namespace wavetank::timing {
namespace {

using profile::LaunchProfile;
using profile::LevelTraffic;
using target::known;

double mean_of(std::span<const double> values) {
  if (values.empty()) return 0;
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// A level whose instances were busy for so many cycles on average, whatever it moved.
void add_level(LaunchProfile& profile, LevelTraffic level, double busy_cycles) {
  const auto cycles = static_cast<double>(profile.cycles);
  if (cycles > 0) level.busy_percent = std::min(100.0, 100 * busy_cycles / cycles);
  profile.levels.push_back(std::move(level));
}

/// Of a unit that describe_launch() has described.
double busy_percent_of_unit(const LaunchProfile& profile, std::string_view name) {
  const auto unit = std::ranges::find(profile.units, name, &profile::UnitUse::name);
  return unit == profile.units.end() ? 0 : unit->busy_percent;
}

/// The levels inside the CUs.
void add_levels_of_units(const LaunchFacts& facts, LaunchProfile& profile) {
  const double scale = facts.scale;
  const TimingSpec& spec = facts.spec;
  LevelTraffic lds{.name = std::string(profile::kLds),
                   .peak_source = std::string(known("lds.banks"))};
  LevelTraffic l1{.name = std::string(profile::kVectorL1),
                  .peak_source = std::string(known("vmem.bytes_per_cycle"))};
  for (const ComputeUnit& unit : facts.units) {
    lds.bytes_read += scale * unit.counting().lds_read();
    lds.bytes_written += scale * unit.counting().lds_written();
    l1.bytes_read += scale * static_cast<double>(unit.vector_memory().bytes_read());
    l1.bytes_written += scale * static_cast<double>(unit.vector_memory().bytes_written());
    l1.requests += scale * static_cast<double>(unit.vector_memory().requests());
    l1.hits += scale * static_cast<double>(unit.vector_memory().hits());
  }
  lds.peak_bytes_per_cycle = 4.0 * spec.lds.banks * spec.compute_units;
  l1.peak_bytes_per_cycle = 1.0 * spec.vmem.bytes_per_cycle * spec.compute_units;
  // A unit of the CUs, too: its banks are busy for longer than its bytes say.
  lds.busy_percent = busy_percent_of_unit(profile, profile::kLds);
  profile.levels.push_back(lds);
  // What it spends on addresses is the vector memory unit's, which is told beside it.
  add_level(profile, l1, (l1.bytes_read + l1.bytes_written) / l1.peak_bytes_per_cycle);
}

/// What went through a cache behind the CUs, of the part that was simulated.
struct Passed {
  double read, written, requests, hits;
};

LevelTraffic cache_level(std::string_view name, std::string_view peak_source, double peak,
                         const Passed& passed) {
  LevelTraffic level{.name = std::string(name), .peak_source = std::string(peak_source)};
  level.bytes_read = passed.read;
  level.bytes_written = passed.written;
  level.requests = passed.requests;
  level.hits = passed.hits;
  level.peak_bytes_per_cycle = peak;
  return level;
}

LevelTraffic l2_of(const LaunchFacts& facts, const MemorySystem::Traffic& traffic) {
  const L2Spec& l2 = facts.spec.l2;
  return cache_level(profile::kL2Level, known("l2.read_bytes_per_cycle"),
                     1.0 * l2.read_bytes_per_cycle * l2.channels * facts.spec.xcds,
                     {traffic.l2_read, traffic.l2_written, traffic.l2_requests, traffic.l2_hits});
}

LevelTraffic mall_of(const LaunchFacts& facts, const MemorySystem::Traffic& traffic) {
  const MallSpec& mall = facts.spec.mall;
  return cache_level(
      std::string(profile::kMallLevel), known("mall.bytes_per_cycle"),
      1.0 * mall.bytes_per_cycle * mall.slices,
      {traffic.fabric_read, traffic.fabric_written, traffic.mall_requests, traffic.mall_hits});
}

LevelTraffic hbm_of(const LaunchFacts& facts, const MemorySystem::Traffic& traffic,
                    const FarMemory::Rows& rows, double cycles) {
  LevelTraffic hbm{.name = "HBM", .peak_source = std::string(known("memory.peak_bandwidth"))};
  hbm.bytes_read = traffic.hbm_read;
  hbm.bytes_written = traffic.hbm_written;
  hbm.peak_bytes_per_cycle = facts.spec.hbm.peak_bytes_per_cycle;
  const auto share = [&](double busy) { return std::min(100.0, 100 * busy / cycles); };
  hbm.rows = {rows.opened, static_cast<double>(facts.spec.hbm.page_bytes), share(rows.bank_cycles),
              share(rows.bus_cycles)};
  return hbm;
}

/// What the levels moved for each array that the launch was told of.
void describe_arrays(const LaunchFacts& facts, LaunchProfile& profile) {
  const auto &l2 = facts.memory.l2_arrays, &hbm = facts.memory.hbm_arrays;
  for (std::size_t i = 0; i < l2.size(); ++i) {
    profile::ArrayTraffic& array = profile.arrays.emplace_back();
    array.l2_read = l2[i].read;
    array.l2_written = l2[i].written;
    array.hbm_read = hbm[i].read;
    array.hbm_written = hbm[i].written;
  }
}

}  // namespace

profile::ChannelLoad channel_load(std::span<const double> busy_cycles, double cycles) {
  const double mean = mean_of(busy_cycles);
  if (mean <= 0 || cycles <= 0) return {.channels = static_cast<double>(busy_cycles.size())};
  profile::ChannelLoad load{.channels = static_cast<double>(busy_cycles.size())};
  for (const double busy : busy_cycles) {
    load.busiest_percent = std::max(load.busiest_percent, std::min(100.0, 100 * busy / cycles));
    if (busy <= mean) continue;
    ++load.crowded;
    load.crowded_percent += 100 * busy / mean / load.channels;
  }
  return load;
}

void describe_levels(const LaunchFacts& facts, LaunchProfile& profile) {
  const auto cycles = static_cast<double>(profile.cycles);
  const MemorySystem::Traffic& traffic = facts.memory.traffic;
  const MemorySystem::BusyCycles& busy = facts.memory.busy;
  const auto add = [&](LevelTraffic level, std::span<const double> instances, double moments,
                       double busy_cycles) {
    level.channels = channel_load(instances, cycles);
    level.channels.moment_percent =
        std::max(level.channels.busiest_percent, std::min(100.0, 100 * moments / cycles));
    add_level(profile, std::move(level), busy_cycles);
  };
  add_levels_of_units(facts, profile);
  // What all CUs fetch, code and arguments, lies in a few lines whatever the kernel does.
  add(l2_of(facts, traffic), busy.l2_lanes, busy.l2_moments, mean_of(busy.l2));
  if (facts.spec.mall.bytes != 0)
    add(mall_of(facts, traffic), busy.mall, busy.mall_moments, mean_of(busy.mall));
  add(hbm_of(facts, traffic, busy.rows, cycles), busy.hbm, busy.hbm_moments, mean_of(busy.hbm));
  describe_arrays(facts, profile);
  const double fabric = std::min(100.0, 100 * mean_of(busy.fabric) / cycles);
  profile.units.push_back({std::string(profile::kFabric), fabric});
}

}  // namespace wavetank::timing
