#include "profile/launch_overhead.hpp"

#include <algorithm>
#include <cmath>

#include "base/percent.hpp"
#include "profile/stall_stack.hpp"
#include "target/parameter_table.hpp"

namespace wavetank::profile {
namespace {

/// Cycles around a kernel on an idle device.
double idle_overhead(const LaunchProfile& launch, const target::Device& device) {
  return cycles_of(target::known("launch.start_latency"), launch, device) +
         cycles_of(target::known("launch.end_latency"), launch, device);
}

}  // namespace

double clock_mhz(const LaunchProfile& launch, const target::Device& device) {
  return launch.engine_clock_mhz > 0 ? launch.engine_clock_mhz : device.engine_clock_mhz;
}

double cycles_of(std::string_view nanoseconds, const LaunchProfile& launch,
                 const target::Device& device) {
  return device.value(nanoseconds) * clock_mhz(launch, device) / 1e3;
}

std::uint64_t wave_cycles(const LaunchProfile& launch) {
  const std::uint64_t kernel = launch.cycles - std::min(launch.launch_cycles, launch.cycles);
  return kernel - std::min(launch.write_back_cycles, kernel);
}

double running_share(const LaunchProfile& launch) {
  if (launch.cycles == 0) return 0;
  return static_cast<double>(wave_cycles(launch)) / static_cast<double>(launch.cycles);
}

LaunchShares launch_shares(const LaunchProfile& launch, const target::Device& device) {
  const std::uint64_t inside = std::min(launch.launch_cycles, launch.cycles);
  const double around = inside != 0 ? static_cast<double>(inside) : idle_overhead(launch, device);
  const auto kernel = static_cast<double>(launch.cycles - inside);
  const auto waves = static_cast<double>(wave_cycles(launch));
  const double all = around + kernel;
  return {percent(around, all), percent(kernel - waves, all), percent(waves, all)};
}

double dispatch_percent(const LaunchProfile& launch) {
  return percent(static_cast<double>(launch.dispatch_slot_cycles),
                 static_cast<double>(total_cycles(launch.cycles_by_reason)));
}

bool is_queued(const LaunchProfile& launch, const target::Device& device) {
  // The model rounds overheads to whole cycles.
  const auto inside = static_cast<double>(launch.launch_cycles);
  return inside != 0 && std::abs(inside - idle_overhead(launch, device)) > 1;
}

bool waits_for_interval(const LaunchProfile& launch, const target::Device& device) {
  if (!is_queued(launch, device)) return false;
  const double turnover = cycles_of(target::known("launch.turnover"), launch, device);
  const double interval = cycles_of(target::known("launch.interval"), launch, device);
  const auto gap = static_cast<double>(std::min(launch.launch_cycles, launch.cycles));
  return gap > turnover + 1 && static_cast<double>(launch.cycles) - gap + turnover < interval;
}

}  // namespace wavetank::profile
