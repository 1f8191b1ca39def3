// rocm_smi.h: what sensors and counters of an idle card say. A virtual card has no sensors: the
// numbers are those of its description, and it is idle between launches.
#include <chrono>

#include "smi/api/entry.hpp"
#include "target/parameter_table.hpp"

namespace wavetank::smi {

using abi::Status;

namespace {

using target::known;

constexpr double kMicrowatts = 1e6;
constexpr double kMillidegrees = 1e3;
constexpr std::uint32_t kCurrentTemperature = 0;  // rsmi_temperature_metric_t

/// The firmware reports the power of the moment, or an average.
bool reports_current_power(const Card& card) {
  return card.device.target->management.reports_each_die;
}

Status give_power(const Card& card, std::uint64_t* microwatts) {
  return api::give(microwatts, api::number(card, known("board.idle_power")), kMicrowatts);
}

template <class To>
Status give_zero(std::uint32_t index, To* to) {
  return api::on_card(index, [&](const Card&) { return api::give(to, 0); });
}

std::uint64_t now_ns() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
}

}  // namespace

WAVETANK_SMI_API Status rsmi_dev_power_ave_get(std::uint32_t index, std::uint32_t,
                                               std::uint64_t* microwatts) {
  return api::on_card(index, [&](const Card& card) {
    return reports_current_power(card) ? Status::kNotSupported : give_power(card, microwatts);
  });
}

WAVETANK_SMI_API Status rsmi_dev_current_socket_power_get(std::uint32_t index,
                                                          std::uint64_t* microwatts) {
  return api::on_card(index, [&](const Card& card) {
    return reports_current_power(card) ? give_power(card, microwatts) : Status::kNotSupported;
  });
}

WAVETANK_SMI_API Status rsmi_dev_power_get(std::uint32_t index, std::uint64_t* microwatts,
                                           abi::Power* kind) {
  return api::on_card(index, [&](const Card& card) {
    const Status status =
        api::give(kind, reports_current_power(card) ? abi::Power::kCurrent : abi::Power::kAverage);
    return status == Status::kSuccess ? give_power(card, microwatts) : status;
  });
}

WAVETANK_SMI_API Status rsmi_dev_power_cap_get(std::uint32_t index, std::uint32_t,
                                               std::uint64_t* microwatts) {
  return api::on_card(index, [&](const Card& card) {
    return api::give(microwatts, api::number(card, known("board.power_cap")), kMicrowatts);
  });
}

WAVETANK_SMI_API Status rsmi_dev_power_cap_default_get(std::uint32_t index,
                                                       std::uint64_t* microwatts) {
  return rsmi_dev_power_cap_get(index, 0, microwatts);
}

WAVETANK_SMI_API Status rsmi_dev_power_cap_range_get(std::uint32_t index, std::uint32_t,
                                                     std::uint64_t* most, std::uint64_t* least) {
  const Status status = rsmi_dev_power_cap_get(index, 0, most);
  return status == Status::kSuccess ? api::give(least, 0) : status;
}

/// Some have an edge sensor beside those of the junction and the memory.
WAVETANK_SMI_API Status rsmi_dev_temp_metric_get(std::uint32_t index, abi::Sensor sensor,
                                                 std::uint32_t metric, std::int64_t* millidegrees) {
  return api::on_card(index, [&](const Card& card) {
    const bool there =
        sensor == abi::Sensor::kJunction || sensor == abi::Sensor::kMemory ||
        (sensor == abi::Sensor::kEdge && card.device.target->management.has_edge_sensor);
    if (!there || metric != kCurrentTemperature) return Status::kNotSupported;
    return api::give(millidegrees, api::number(card, known("board.idle_temperature")),
                     kMillidegrees);
  });
}

WAVETANK_SMI_API Status rsmi_dev_busy_percent_get(std::uint32_t index, std::uint32_t* percent) {
  return give_zero(index, percent);
}

WAVETANK_SMI_API Status rsmi_dev_memory_busy_percent_get(std::uint32_t index,
                                                         std::uint32_t* percent) {
  return give_zero(index, percent);
}

WAVETANK_SMI_API Status rsmi_utilization_count_get(std::uint32_t index,
                                                   abi::UtilizationCounter* counters,
                                                   std::uint32_t count, std::uint64_t* time_ns) {
  return api::on_card(index, [&](const Card&) {
    if (counters == nullptr || count == 0) return Status::kInvalidArgs;
    for (std::uint32_t i = 0; i < count; ++i) counters[i].value = 0;
    return api::give(time_ns, now_ns());
  });
}

WAVETANK_SMI_API Status rsmi_dev_pci_replay_counter_get(std::uint32_t index,
                                                        std::uint64_t* counter) {
  return give_zero(index, counter);
}

WAVETANK_SMI_API Status rsmi_dev_memory_reserved_pages_get(std::uint32_t index,
                                                           std::uint32_t* count, void*) {
  return give_zero(index, count);
}

WAVETANK_SMI_API Status rsmi_dev_xgmi_error_status(std::uint32_t index, std::uint32_t* status) {
  return give_zero(index, status);
}

WAVETANK_SMI_API Status rsmi_dev_ecc_count_get(std::uint32_t index, std::uint64_t,
                                               abi::ErrorCount* errors) {
  return api::on_card(index, [&](const Card&) { return api::give(errors, abi::ErrorCount{}); });
}

WAVETANK_SMI_API Status rsmi_dev_perf_level_get(std::uint32_t index, abi::PerformanceLevel* level) {
  return api::on_card(index,
                      [&](const Card&) { return api::give(level, abi::PerformanceLevel::kAuto); });
}

WAVETANK_SMI_API Status rsmi_dev_overdrive_level_get(std::uint32_t index, std::uint32_t* percent) {
  return give_zero(index, percent);
}

WAVETANK_SMI_API Status rsmi_dev_mem_overdrive_level_get(std::uint32_t index,
                                                         std::uint32_t* percent) {
  return give_zero(index, percent);
}

// The cards are cooled by the air or water of their rack.
WAVETANK_SMI_API Status rsmi_dev_fan_rpms_get(std::uint32_t index, std::uint32_t, std::int64_t*) {
  return api::on_card(index, [](const Card&) { return Status::kNotSupported; });
}

WAVETANK_SMI_API Status rsmi_dev_fan_speed_get(std::uint32_t index, std::uint32_t, std::int64_t*) {
  return api::on_card(index, [](const Card&) { return Status::kNotSupported; });
}

WAVETANK_SMI_API Status rsmi_dev_fan_speed_max_get(std::uint32_t index, std::uint32_t,
                                                   std::uint64_t*) {
  return api::on_card(index, [](const Card&) { return Status::kNotSupported; });
}

}  // namespace wavetank::smi
