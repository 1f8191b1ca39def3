#include "cli/rocm/smi_facts.hpp"

#include <fmt/format.h>

#include <utility>

#include "smi/api/functions.hpp"

namespace wavetank::cli::smi_text {
namespace {

using Facts = std::vector<Fact>;

std::optional<std::uint64_t> memory_bytes(Status (*function)(std::uint32_t, smi::abi::Memory,
                                                             std::uint64_t*),
                                          std::uint32_t card) {
  std::uint64_t bytes = 0;
  if (function(card, smi::abi::Memory::kVram, &bytes) != Status::kSuccess) return std::nullopt;
  return bytes;
}

std::string watts(std::optional<std::uint64_t> microwatts) {
  return microwatts ? fmt::format("{:.1f}", static_cast<double>(*microwatts) / 1e6) : "N/A";
}

template <class Number>
std::string number_text(std::optional<Number> number) {
  return number ? std::to_string(*number) : "N/A";
}

std::string bus_text(std::uint32_t card) {
  std::uint64_t bdf = 0;
  if (smi::rsmi_dev_pci_id_get(card, &bdf) != Status::kSuccess) return "N/A";
  return fmt::format("{:04X}:{:02X}:{:02X}.{:X}", bdf >> 32, bdf >> 8 & 0xff, bdf >> 3 & 0x1f,
                     bdf & 7);
}

Facts product(std::uint32_t card) {
  const auto version = ask(smi::rsmi_dev_target_graphics_version_get, card);
  return {{"Card Series", ask_text(smi::rsmi_dev_name_get, card)},
          {"Card Model", hex_text(ask(smi::rsmi_dev_id_get, card))},
          {"Card Vendor", ask_text(smi::rsmi_dev_vendor_name_get, card)},
          {"Subsystem ID", hex_text(ask(smi::rsmi_dev_subsystem_id_get, card))},
          {"Node ID", number_text(ask(smi::rsmi_dev_node_id_get, card))},
          {"GUID", number_text(ask(smi::rsmi_dev_guid_get, card))},
          {"GFX Version", version ? fmt::format("gfx{}", *version) : "N/A"}};
}

Facts identity(std::uint32_t card) {
  return {{"Device Name", ask_text(smi::rsmi_dev_name_get, card)},
          {"Device ID", hex_text(ask(smi::rsmi_dev_id_get, card))},
          {"Device Rev", hex_text(ask(smi::rsmi_dev_revision_get, card))},
          {"Subsystem ID", hex_text(ask(smi::rsmi_dev_subsystem_id_get, card))},
          {"GUID", number_text(ask(smi::rsmi_dev_guid_get, card))}};
}

Facts unique_id(std::uint32_t card) {
  const auto id = ask(smi::rsmi_dev_unique_id_get, card);
  return {{"Unique ID", id ? fmt::format("0x{:x}", *id) : "N/A"}};
}

Facts serial(std::uint32_t card) {
  return {{"Serial Number", ask_text(smi::rsmi_dev_serial_number_get, card)}};
}

Facts bus(std::uint32_t card) { return {{"PCI Bus", bus_text(card)}}; }

Facts use(std::uint32_t card) {
  return {{"GPU use (%)", number_text(ask(smi::rsmi_dev_busy_percent_get, card))}};
}

Facts memory_use(std::uint32_t card) {
  return {{"GPU Memory Allocated (VRAM%)", std::to_string(percent_used(card))}};
}

Facts memory(std::uint32_t card) {
  return {
      {"VRAM Total Memory (B)", number_text(memory_bytes(smi::rsmi_dev_memory_total_get, card))},
      {"VRAM Total Used Memory (B)",
       number_text(memory_bytes(smi::rsmi_dev_memory_usage_get, card))}};
}

Facts temperature(std::uint32_t card) {
  constexpr std::array kSensors = {std::pair{"edge", smi::abi::Sensor::kEdge},
                                   std::pair{"junction", smi::abi::Sensor::kJunction},
                                   std::pair{"memory", smi::abi::Sensor::kMemory}};
  Facts facts;
  for (const auto& [name, sensor] : kSensors) {
    const std::string text = temperature_text(card, sensor);
    if (text != "N/A") facts.push_back({fmt::format("Temperature (Sensor {}) (C)", name), text});
  }
  return facts;
}

Facts power(std::uint32_t card) {
  std::uint64_t microwatts = 0;
  smi::abi::Power kind{};
  const bool known = smi::rsmi_dev_power_get(card, &microwatts, &kind) == Status::kSuccess;
  const bool current = kind == smi::abi::Power::kCurrent;
  return {
      {current ? "Current Socket Graphics Package Power (W)" : "Average Graphics Package Power (W)",
       known ? watts(microwatts) : "N/A"}};
}

Facts max_power(std::uint32_t card) { return {{"Max Graphics Package Power (W)", cap_text(card)}}; }

constexpr std::array kClocks = {
    std::pair{"fclk", smi::abi::Clock::kFabric}, std::pair{"mclk", smi::abi::Clock::kMemory},
    std::pair{"sclk", smi::abi::Clock::kSystem}, std::pair{"socclk", smi::abi::Clock::kSoc}};

/// A level as rocm-smi names it: "S" is the deep sleep, which is counted before level 0.
std::string level_text(const smi::abi::Frequencies& all, std::uint32_t level) {
  if (!all.has_deep_sleep) return std::to_string(level);
  return level == 0 ? "S" : std::to_string(level - 1);
}

Facts clocks(std::uint32_t card) {
  Facts facts;
  for (const auto& [name, clock] : kClocks) {
    smi::abi::Frequencies all{};
    if (smi::rsmi_dev_gpu_clk_freq_get(card, clock, &all) != Status::kSuccess) continue;
    facts.push_back(
        {fmt::format("{} clock level", name),
         fmt::format("{}: ({})", level_text(all, all.current), clock_text(card, clock))});
  }
  return facts;
}

Facts frequencies(std::uint32_t card) {
  Facts facts;
  for (const auto& [name, clock] : kClocks) {
    smi::abi::Frequencies all{};
    if (smi::rsmi_dev_gpu_clk_freq_get(card, clock, &all) != Status::kSuccess) continue;
    facts.push_back({fmt::format("Supported {} frequencies on GPU{}", name, card), std::nullopt});
    for (std::uint32_t i = 0; i < all.num_supported; ++i) {
      facts.push_back({level_text(all, i), fmt::format("{}Mhz{}", all.frequency[i] / 1'000'000,
                                                       i == all.current ? " *" : "")});
    }
  }
  return facts;
}

Facts firmware(std::uint32_t card) {
  std::uint64_t version = 0;
  const Status status =
      smi::rsmi_dev_firmware_version_get(card, smi::abi::Firmware::kMec, &version);
  if (status != Status::kSuccess) return {};
  return {{"MEC firmware version", std::to_string(version)}};
}

constexpr std::array kShows = {
    Show{"--showid", "-i", "ID", identity},
    Show{"--showproductname", "", "Product Info", product},
    Show{"--showuniqueid", "", "Unique ID", unique_id},
    Show{"--showserial", "", "Serial Number", serial},
    Show{"--showbus", "", "PCI Bus ID", bus},
    Show{"--showtemp", "-t", "Temperature", temperature},
    Show{"--showclocks", "-c", "Current clock frequencies", clocks},
    Show{"--showgpuclocks", "-g", "Current clock frequencies", clocks},
    Show{"--showclkfrq", "-s", "Supported clock frequencies", frequencies},
    Show{"--showmaxpower", "-M", "Power Cap", max_power},
    Show{"--showpower", "-P", "Power Consumption", power},
    Show{"--showuse", "-u", "% time GPU is busy", use},
    Show{"--showmemuse", "", "Current Memory Use", memory_use},
    Show{"--showmeminfo", "", "Memory Usage (Bytes)", memory},
    Show{"--showfwinfo", "", "Firmware Information", firmware},
};

}  // namespace

std::span<const Show> shows() { return kShows; }

std::string clock_text(std::uint32_t card, smi::abi::Clock clock) {
  smi::abi::Frequencies all{};
  if (smi::rsmi_dev_gpu_clk_freq_get(card, clock, &all) != Status::kSuccess) return "N/A";
  return fmt::format("{}Mhz", all.frequency[all.current] / 1'000'000);
}

std::string power_text(std::uint32_t card) {
  std::uint64_t microwatts = 0;
  smi::abi::Power kind{};
  if (smi::rsmi_dev_power_get(card, &microwatts, &kind) != Status::kSuccess) return "N/A";
  return watts(microwatts);
}

std::string cap_text(std::uint32_t card) {
  std::uint64_t microwatts = 0;
  if (smi::rsmi_dev_power_cap_get(card, 0, &microwatts) != Status::kSuccess) return "N/A";
  return watts(microwatts);
}

std::string temperature_text(std::uint32_t card, smi::abi::Sensor sensor) {
  std::int64_t millidegrees = 0;
  if (smi::rsmi_dev_temp_metric_get(card, sensor, 0, &millidegrees) != Status::kSuccess) {
    return "N/A";
  }
  return fmt::format("{:.1f}", static_cast<double>(millidegrees) / 1000);
}

std::string hex_text(std::optional<std::uint16_t> id) {
  return id ? fmt::format("0x{:x}", *id) : "N/A";
}

unsigned percent_used(std::uint32_t card) {
  const auto total = memory_bytes(smi::rsmi_dev_memory_total_get, card);
  const auto used = memory_bytes(smi::rsmi_dev_memory_usage_get, card);
  return total && used && *total != 0 ? static_cast<unsigned>(*used * 100 / *total) : 0;
}

}  // namespace wavetank::cli::smi_text
