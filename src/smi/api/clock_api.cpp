// rocm_smi.h: clocks, the PCI link's rates, and the table of metrics.
#include <algorithm>

#include "smi/abi/generation.hpp"
#include "smi/abi/gpu_metrics.hpp"
#include "smi/api/entry.hpp"
#include "target/parameter_table.hpp"

namespace wavetank::smi {

using abi::Status;

namespace {

using target::known;

constexpr double kHzPerMhz = 1e6;
constexpr std::uint8_t kTableFormat = 1;

/// The name of a clock in [clock_levels]; nothing for one that no card here has.
const char* name_of(abi::Clock clock) {
  switch (clock) {
    case abi::Clock::kSystem: return "engine";
    case abi::Clock::kFabric: return "fabric";
    case abi::Clock::kSoc: return "soc";
    case abi::Clock::kMemory: return "memory";
    case abi::Clock::kDisplay: break;
  }
  return nullptr;
}

template <class Frequencies>
void fill(Frequencies& frequencies, const target::ClockLevels& levels, double hz_per_level) {
  frequencies = {};
  const std::size_t count = std::min(levels.mhz.size(), Frequencies::kMost);
  frequencies.num_supported = static_cast<std::uint32_t>(count);
  frequencies.current = static_cast<std::uint32_t>(levels.idle);
  if constexpr (requires { frequencies.has_deep_sleep; }) {
    frequencies.has_deep_sleep = levels.deep_sleep;
  }
  for (std::size_t i = 0; i < count; ++i) {
    frequencies.frequency[i] = static_cast<std::uint64_t>(levels.mhz[i] * hz_per_level);
  }
}

template <class Frequencies>
void fill_link(abi::PcieBandwidth<Frequencies>& link, double gigatransfers, double lanes) {
  link = {};
  fill(link.transfer_rate, {.mhz = {gigatransfers}}, 1e9);
  link.lanes[0] = static_cast<std::uint32_t>(lanes);
}

double idle_mhz(const Card& card, std::string_view clock) {
  const target::ClockLevels levels = target::clock_levels(card.device, clock);
  return levels.mhz.empty() ? 0 : levels.mhz[levels.idle];
}

/// A field of the table: numbers, or all bits where there is none.
std::uint16_t field(double value) {
  return value == 0 ? std::uint16_t{0xffff} : static_cast<std::uint16_t>(value);
}

std::uint16_t field(const Card& card, std::string_view name) {
  return field(api::number(card, name).value_or(0));
}

void fill_start(abi::MetricsRocm5& table, const Card& card, std::size_t size) {
  const isa::Management& management = card.device.target->management;
  table.header.structure_size = static_cast<std::uint16_t>(size);
  table.header.format_revision = kTableFormat;
  table.header.content_revision = management.metrics_revision;
  table.temperature_hotspot = table.temperature_mem = field(card, known("board.idle_temperature"));
  if (management.has_edge_sensor) table.temperature_edge = table.temperature_hotspot;
  if (!management.reports_each_die) {
    table.average_socket_power = field(card, known("board.idle_power"));
  }
  table.average_gfx_activity = table.average_umc_activity = 0;
  table.gfx_activity_acc = table.mem_activity_acc = 0;
  table.throttle_status = 0;
  table.current_gfxclk = field(idle_mhz(card, "engine"));
  table.current_uclk = field(idle_mhz(card, "memory"));
  table.current_socclk = field(idle_mhz(card, "soc"));
  table.pcie_link_width = field(card, known("board.pcie_lanes"));
  table.pcie_link_speed = field(api::number(card, known("board.pcie_rate")).value_or(0) * 10);
}

void fill_rest(abi::MetricsRocm5&, const Card&) {}

/// Power of the moment, and a clock for each die.
template <class Partition>
void fill_rest(abi::Metrics<Partition>& table, const Card& card) {
  if (!card.device.target->management.reports_each_die) return;
  table.current_socket_power = field(card, known("board.idle_power"));
  table.num_partition = 1;
  const std::size_t dies = std::min<std::size_t>(card.device.xcds, abi::kXcds);
  std::fill_n(table.current_gfxclks, dies, table.start.current_gfxclk);
}

abi::MetricsRocm5& start_of(abi::MetricsRocm5& table) { return table; }
template <class Partition>
abi::MetricsRocm5& start_of(abi::Metrics<Partition>& table) {
  return table.start;
}

template <class Table>
Status give_table(void* to, const Card& card) {
  if (to == nullptr) return Status::kInvalidArgs;
  auto& table = *static_cast<Table*>(to);
  std::memset(to, 0xff, sizeof table);
  fill_start(start_of(table), card, sizeof table);
  fill_rest(table, card);
  return Status::kSuccess;
}

}  // namespace

/// `frequencies` points to abi::Frequencies, or to ROCm 5's.
WAVETANK_SMI_API Status rsmi_dev_gpu_clk_freq_get(std::uint32_t index, abi::Clock clock,
                                                  void* frequencies) {
  return api::on_card(index, [&](const Card& card) {
    const char* name = name_of(clock);
    if (name == nullptr) return Status::kNotSupported;
    const target::ClockLevels levels = target::clock_levels(card.device, name);
    if (levels.mhz.empty()) return Status::kNotSupported;
    if (frequencies == nullptr) return Status::kInvalidArgs;
    if (abi::layout_of_process() == abi::Layout::kRocm5) {
      fill(*static_cast<abi::FrequenciesRocm5*>(frequencies), levels, kHzPerMhz);
    } else {
      fill(*static_cast<abi::Frequencies*>(frequencies), levels, kHzPerMhz);
    }
    return Status::kSuccess;
  });
}

/// `bandwidth` points to abi::PcieBandwidth of either kind of frequencies.
WAVETANK_SMI_API Status rsmi_dev_pci_bandwidth_get(std::uint32_t index, void* bandwidth) {
  return api::on_card(index, [&](const Card& card) {
    const auto rate = api::number(card, known("board.pcie_rate"));
    const auto lanes = api::number(card, known("board.pcie_lanes"));
    if (!rate || !lanes) return Status::kNotSupported;
    if (bandwidth == nullptr) return Status::kInvalidArgs;
    if (abi::layout_of_process() == abi::Layout::kRocm5) {
      fill_link(*static_cast<abi::PcieBandwidth<abi::FrequenciesRocm5>*>(bandwidth), *rate, *lanes);
    } else {
      fill_link(*static_cast<abi::PcieBandwidth<abi::Frequencies>*>(bandwidth), *rate, *lanes);
    }
    return Status::kSuccess;
  });
}

/// The ranges in which the clocks move; no card here lets its voltages be chosen.
WAVETANK_SMI_API Status rsmi_dev_od_volt_info_get(std::uint32_t index, abi::VoltageCurve* curve) {
  return api::on_card(index, [&](const Card& card) {
    const auto range = [&](const char* clock) {
      const target::ClockLevels levels = target::clock_levels(card.device, clock);
      if (levels.mhz.empty()) return abi::Range{};
      return abi::Range{static_cast<std::uint64_t>(levels.mhz.front() * kHzPerMhz),
                        static_cast<std::uint64_t>(levels.mhz.back() * kHzPerMhz)};
    };
    abi::VoltageCurve all{};
    all.current_sclk = all.sclk_limits = range("engine");
    all.current_mclk = all.mclk_limits = range("memory");
    return api::give(curve, all);
  });
}

/// `table` points to the layout of the process's header.
WAVETANK_SMI_API Status rsmi_dev_gpu_metrics_info_get(std::uint32_t index, void* table) {
  return api::on_card(index, [&](const Card& card) {
    switch (abi::layout_of_process()) {
      case abi::Layout::kRocm5: return give_table<abi::MetricsRocm5>(table, card);
      case abi::Layout::kRocm6: return give_table<abi::Metrics<abi::PartitionRocm6>>(table, card);
      case abi::Layout::kRocm7: break;
    }
    return give_table<abi::Metrics<abi::PartitionRocm7>>(table, card);
  });
}

WAVETANK_SMI_API Status rsmi_dev_metrics_header_info_get(std::uint32_t index,
                                                         abi::MetricsHeader* header) {
  return api::on_card(index, [&](const Card& card) {
    abi::Metrics<abi::PartitionRocm7> table;
    const Status status = give_table<abi::Metrics<abi::PartitionRocm7>>(&table, card);
    return status == Status::kSuccess ? api::give(header, table.start.header) : status;
  });
}

/// The dies that report a clock: none where the table has one clock for the card.
WAVETANK_SMI_API Status rsmi_dev_metrics_xcd_counter_get(std::uint32_t index, std::uint16_t* dies) {
  return api::on_card(index, [&](const Card& card) {
    return api::give(dies, card.device.target->management.reports_each_die ? card.device.xcds : 0);
  });
}

}  // namespace wavetank::smi
