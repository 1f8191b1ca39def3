#include <algorithm>

#include "report/page_json.hpp"
#include "target/device_file.hpp"
#include "target/occupancy.hpp"
#include "target/parameter_rows.hpp"
#include "target/peaks.hpp"

namespace wavetank::report {
namespace {

using target::Device;

Json peaks_json(const Device& device) {
  Json rates = Json::array();
  for (const target::PeakRate& rate : target::peak_rates(device)) {
    rates.push_back({{"name", rate.name},
                     {"flop_per_second", rate.flop_per_second},
                     {"kind", target::to_text(rate.evidence)}});
  }
  Json levels = Json::array();
  for (const target::PeakBandwidth& level : target::peak_bandwidths(device)) {
    levels.push_back({{"name", level.name},
                      {"bytes_per_second", level.bytes_per_second},
                      {"kind", target::to_text(level.evidence)}});
  }
  return {{"rates", std::move(rates)}, {"bandwidths", std::move(levels)}};
}

/// The most registers with which so many waves fit on a SIMD, from the most waves down.
Json steps_json(const Device& device) {
  Json steps = Json::array();
  for (unsigned waves = device.wave_slots_per_simd; waves > 0; --waves) {
    steps.push_back(
        {{"waves_per_simd", waves}, {"max_vgprs", target::max_vgprs_for_waves(device, waves)}});
  }
  return steps;
}

/// Figures that are only quoted take no part in a run, and are left out.
Json numbers_json(const Device& device) {
  Json numbers = Json::array();
  for (const auto& [name, parameter] : device.parameters) {
    if (target::is_quoted(name)) continue;
    const target::ParameterRow* row = target::find_row(name);
    Json number = {{"name", name},
                   {"value", parameter.value},
                   {"unit", parameter.unit},
                   {"kind", target::to_text(parameter.evidence)},
                   {"source", parameter.source},
                   {"meaning", row == nullptr ? "" : row->meaning}};
    if (!parameter.note.empty()) number["note"] = parameter.note;
    numbers.push_back(std::move(number));
  }
  return numbers;
}

}  // namespace

Json device_json(const Device& device) {
  return {{"name", device.name},
          {"marketing_name", device.marketing_name},
          {"gfx", device.gfx()},
          {"compute_units", device.compute_units},
          {"xcds", device.xcds},
          {"simds_per_cu", device.simds_per_cu},
          {"wave_slots_per_simd", device.wave_slots_per_simd},
          {"engine_clock_mhz", device.engine_clock_mhz},
          {"peaks", peaks_json(device)},
          {"register_steps", steps_json(device)},
          {"numbers", numbers_json(device)}};
}

}  // namespace wavetank::report
