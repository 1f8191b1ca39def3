#include "target/clocks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "target/parameter_rows.hpp"
#include "target/parameter_table.hpp"

namespace wavetank::target {
namespace {

/// Of whole loads: the way to the L2 and back is the engine's.
constexpr std::array kLatencies = {known("mall.hit_latency"), known("hbm.latency")};
/// Of what happens beyond the L2, or for as long as that takes.
constexpr std::array kCycles = {known("l2.write_queue_cycles"),
                                known("hbm.turnaround"),
                                known("atomic.memory_side_latency"),
                                known("atomic.memory_side_request_cycles"),
                                known("atomic.memory_side_cycles_per_operation"),
                                known("fence.per_dirty_line"),
                                known("fence.round_trip")};
constexpr std::array kRatesByClock = {known("fabric.read_bytes_per_cycle"),
                                      known("fabric.write_bytes_per_cycle"),
                                      known("mall.bytes_per_cycle")};

Parameter* find(Device& device, std::string_view name) {
  const auto found = device.parameters.find(name);
  return found == device.parameters.end() ? nullptr : &found->second;
}

/// Scales the part of a number that exceeds `kept`, as far as its row allows.
void scale(Device& device, std::string_view name, double factor, double kept = 0) {
  Parameter* parameter = find(device, name);
  if (parameter == nullptr || parameter->value < kept) return;
  const ParameterRow& row = *find_row(name);
  const double value = kept + (parameter->value - kept) * factor;
  parameter->value = std::clamp(row.type == NumberType::kWhole ? std::round(value) : value,
                                row.lowest, row.highest);
}

}  // namespace

Result<Device> at_sustained_clock(Device device) {
  const Parameter* sustained = device.find(known("compute.sustained_clock"));
  Parameter* engine = find(device, known("compute.engine_clock"));
  if (sustained == nullptr || engine == nullptr) {
    return fail(
        ErrorCode::kBadDevice,
        fmt::format("no clock of {} under a sustained load is known", device.name),
        fmt::format("the description of {}", device.name),
        "give compute.sustained_clock in a .toml file; `wavetank explain clocks` has an example");
  }
  const double slower = sustained->value / engine->value;
  const double to_the_l2 = device.value(known("l2.hit_latency"));
  for (const std::string_view name : kLatencies) scale(device, name, slower, to_the_l2);
  for (const std::string_view name : kCycles) scale(device, name, slower);
  for (const std::string_view name : kRatesByClock) scale(device, name, 1 / slower);
  *engine = *sustained;
  device.engine_clock_mhz = sustained->value;
  return device;
}

}  // namespace wavetank::target
