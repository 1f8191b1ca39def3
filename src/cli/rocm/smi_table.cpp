// rocm-smi: what librocm_smi64 says of the virtual cards, as AMD's program of this name prints it.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <functional>
#include <optional>

#include "cli/exit_code.hpp"
#include "cli/rocm/tool.hpp"
#include "smi/abi/generation.hpp"
#include "smi/api/functions.hpp"

namespace wavetank::smi {

const abi::Generation abi::generation{Layout::kRocm7};

}  // namespace wavetank::smi

namespace wavetank::cli {
namespace {

using smi::abi::Status;

constexpr std::size_t kWidth = 115;

/// A title in the middle of a line.
std::string ruled(const std::string& title) { return fmt::format("{:=^{}}", title, kWidth); }

/// What a function writes into one variable; nothing if it gives an error.
template <class T, class... Arguments>
std::optional<T> ask(Status (*function)(std::uint32_t, Arguments..., T*), std::uint32_t card,
                     Arguments... arguments) {
  T value{};
  if (function(card, arguments..., &value) != Status::kSuccess) return std::nullopt;
  return value;
}

template <class Length>
std::string ask_text(Status (*function)(std::uint32_t, char*, Length), std::uint32_t card) {
  std::array<char, 256> text{};
  if (function(card, text.data(), text.size()) != Status::kSuccess) return "N/A";
  return text.data();
}

std::optional<std::uint64_t> memory_bytes(Status (*function)(std::uint32_t, smi::abi::Memory,
                                                             std::uint64_t*),
                                          std::uint32_t card) {
  std::uint64_t bytes = 0;
  if (function(card, smi::abi::Memory::kVram, &bytes) != Status::kSuccess) return std::nullopt;
  return bytes;
}

std::string clock_text(std::uint32_t card, smi::abi::Clock clock) {
  smi::abi::Frequencies all{};
  if (smi::rsmi_dev_gpu_clk_freq_get(card, clock, &all) != Status::kSuccess) return "N/A";
  return fmt::format("{}Mhz", all.frequency[all.current] / 1'000'000);
}

std::string watts(std::optional<std::uint64_t> microwatts) {
  return microwatts ? fmt::format("{:.1f}", static_cast<double>(*microwatts) / 1e6) : "N/A";
}

std::string with_unit(const std::string& number, const char* unit) {
  return number == "N/A" ? number : number + unit;
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

std::string bus_text(std::uint32_t card) {
  std::uint64_t bdf = 0;
  if (smi::rsmi_dev_pci_id_get(card, &bdf) != Status::kSuccess) return "N/A";
  return fmt::format("{:04X}:{:02X}:{:02X}.{:X}", bdf >> 32, bdf >> 8 & 0xff, bdf >> 3 & 0x1f,
                     bdf & 7);
}

unsigned percent_used(std::uint32_t card) {
  const auto total = memory_bytes(smi::rsmi_dev_memory_total_get, card);
  const auto used = memory_bytes(smi::rsmi_dev_memory_usage_get, card);
  return total && used && *total != 0 ? static_cast<unsigned>(*used * 100 / *total) : 0;
}

// ---- the table without options

void print_concise(std::uint32_t count) {
  fmt::print("{}\n", ruled(" Concise Info "));
  constexpr const char* kRow =
      "{:<7} {:<5} {:<15} {:<10} {:<9} {:<17} {:<8} {:<8} {:<4} {:<5} {:<7} {:<5} {}\n";
  fmt::print(kRow, "Device", "Node", "IDs", "Temp", "Power", "Partitions", "SCLK", "MCLK", "Fan",
             "Perf", "PwrCap", "VRAM%", "GPU%");
  fmt::print(kRow, "", "", "(DID,     GUID)", "(Junction)", "(Socket)", "(Mem, Compute, ID)", "",
             "", "", "", "", "", "");
  fmt::print("{:=^{}}\n", "", kWidth);
  for (std::uint32_t card = 0; card < count; ++card) {
    const std::string partitions =
        fmt::format("{}, {}, 0", ask_text(smi::rsmi_dev_memory_partition_get, card),
                    ask_text(smi::rsmi_dev_compute_partition_get, card));
    fmt::print(kRow, card, ask(smi::rsmi_dev_node_id_get, card).value_or(0),
               fmt::format("{},   {}", hex_text(ask(smi::rsmi_dev_id_get, card)),
                           ask(smi::rsmi_dev_guid_get, card).value_or(0)),
               with_unit(temperature_text(card, smi::abi::Sensor::kJunction), "°C"),
               with_unit(power_text(card), "W"), partitions,
               clock_text(card, smi::abi::Clock::kSystem),
               clock_text(card, smi::abi::Clock::kMemory), "0%", "auto",
               with_unit(cap_text(card), "W"), fmt::format("{}%", percent_used(card)),
               fmt::format("{}%", ask(smi::rsmi_dev_busy_percent_get, card).value_or(0)));
  }
  fmt::print("{:=^{}}\n", "", kWidth);
}

// ---- the lists

void line(std::uint32_t card, const std::string& name, const std::string& value) {
  fmt::print("GPU[{}]\t\t: {}: {}\n", card, name, value);
}

void show_product(std::uint32_t card) {
  line(card, "Card Series", ask_text(smi::rsmi_dev_name_get, card));
  line(card, "Card Model", hex_text(ask(smi::rsmi_dev_id_get, card)));
  line(card, "Card Vendor", ask_text(smi::rsmi_dev_vendor_name_get, card));
  line(card, "Subsystem ID", hex_text(ask(smi::rsmi_dev_subsystem_id_get, card)));
  line(card, "Node ID", std::to_string(ask(smi::rsmi_dev_node_id_get, card).value_or(0)));
  line(card, "GUID", std::to_string(ask(smi::rsmi_dev_guid_get, card).value_or(0)));
  const auto version = ask(smi::rsmi_dev_target_graphics_version_get, card);
  line(card, "GFX Version", fmt::format("gfx{}", version.value_or(0)));
}

void show_id(std::uint32_t card) {
  line(card, "Device Name", ask_text(smi::rsmi_dev_name_get, card));
  line(card, "Device ID", hex_text(ask(smi::rsmi_dev_id_get, card)));
  line(card, "Device Rev", hex_text(ask(smi::rsmi_dev_revision_get, card)));
  line(card, "Subsystem ID", hex_text(ask(smi::rsmi_dev_subsystem_id_get, card)));
}

void show_unique_id(std::uint32_t card) {
  line(card, "Unique ID",
       fmt::format("0x{:x}", ask(smi::rsmi_dev_unique_id_get, card).value_or(0)));
}

void show_serial(std::uint32_t card) {
  line(card, "Serial Number", ask_text(smi::rsmi_dev_serial_number_get, card));
}

void show_bus(std::uint32_t card) { line(card, "PCI Bus", bus_text(card)); }

void show_use(std::uint32_t card) {
  line(card, "GPU use (%)", std::to_string(ask(smi::rsmi_dev_busy_percent_get, card).value_or(0)));
}

void show_memory_use(std::uint32_t card) {
  line(card, "GPU Memory Allocated (VRAM%)", std::to_string(percent_used(card)));
}

void show_memory(std::uint32_t card) {
  const auto total = memory_bytes(smi::rsmi_dev_memory_total_get, card);
  const auto used = memory_bytes(smi::rsmi_dev_memory_usage_get, card);
  line(card, "VRAM Total Memory (B)", std::to_string(total.value_or(0)));
  line(card, "VRAM Total Used Memory (B)", std::to_string(used.value_or(0)));
}

void show_temperature(std::uint32_t card) {
  constexpr std::array kSensors = {std::pair{"edge", smi::abi::Sensor::kEdge},
                                   std::pair{"junction", smi::abi::Sensor::kJunction},
                                   std::pair{"memory", smi::abi::Sensor::kMemory}};
  for (const auto& [name, sensor] : kSensors) {
    const std::string text = temperature_text(card, sensor);
    if (text != "N/A") line(card, fmt::format("Temperature (Sensor {}) (C)", name), text);
  }
}

void show_power(std::uint32_t card) {
  std::uint64_t microwatts = 0;
  smi::abi::Power kind{};
  const bool known = smi::rsmi_dev_power_get(card, &microwatts, &kind) == Status::kSuccess;
  const bool current = kind == smi::abi::Power::kCurrent;
  line(card,
       current ? "Current Socket Graphics Package Power (W)" : "Average Graphics Package Power (W)",
       known ? watts(microwatts) : "N/A");
}

void show_max_power(std::uint32_t card) {
  line(card, "Max Graphics Package Power (W)", cap_text(card));
}

constexpr std::array kClocks = {
    std::pair{"fclk", smi::abi::Clock::kFabric}, std::pair{"mclk", smi::abi::Clock::kMemory},
    std::pair{"sclk", smi::abi::Clock::kSystem}, std::pair{"socclk", smi::abi::Clock::kSoc}};

/// A level as rocm-smi names it: "S" is the deep sleep, which is counted before level 0.
std::string level_text(const smi::abi::Frequencies& all, std::uint32_t level) {
  if (!all.has_deep_sleep) return std::to_string(level);
  return level == 0 ? "S" : std::to_string(level - 1);
}

void show_clocks(std::uint32_t card) {
  for (const auto& [name, clock] : kClocks) {
    smi::abi::Frequencies all{};
    if (smi::rsmi_dev_gpu_clk_freq_get(card, clock, &all) != Status::kSuccess) continue;
    line(card, fmt::format("{} clock level", name),
         fmt::format("{}: ({})", level_text(all, all.current), clock_text(card, clock)));
  }
}

void show_frequencies(std::uint32_t card) {
  for (const auto& [name, clock] : kClocks) {
    smi::abi::Frequencies all{};
    if (smi::rsmi_dev_gpu_clk_freq_get(card, clock, &all) != Status::kSuccess) continue;
    fmt::print("GPU[{0}]\t\t: Supported {1} frequencies on GPU{0}\n", card, name);
    for (std::uint32_t i = 0; i < all.num_supported; ++i) {
      line(card, level_text(all, i),
           fmt::format("{}Mhz{}", all.frequency[i] / 1'000'000, i == all.current ? " *" : ""));
    }
  }
}

void show_firmware(std::uint32_t card) {
  std::uint64_t version = 0;
  const Status status =
      smi::rsmi_dev_firmware_version_get(card, smi::abi::Firmware::kMec, &version);
  if (status == Status::kSuccess) line(card, "MEC firmware version", std::to_string(version));
}

// ---- topology: a matrix each

void print_matrix(std::uint32_t count, const char* title,
                  const std::function<std::string(std::uint32_t, std::uint32_t)>& cell) {
  fmt::print("{}\n{:<7}", ruled(fmt::format(" {} ", title)), "");
  for (std::uint32_t to = 0; to < count; ++to) fmt::print("{:<13}", fmt::format("GPU{}", to));
  for (std::uint32_t from = 0; from < count; ++from) {
    fmt::print("\n{:<7}", fmt::format("GPU{}", from));
    for (std::uint32_t to = 0; to < count; ++to)
      fmt::print("{:<13}", from == to ? "0" : cell(from, to));
  }
  fmt::print("\n");
}

void show_topology(std::uint32_t count) {
  print_matrix(count, "Weight between two GPUs", [](std::uint32_t from, std::uint32_t to) {
    std::uint64_t weight = 0;
    smi::rsmi_topo_get_link_weight(from, to, &weight);
    return std::to_string(weight);
  });
  print_matrix(count, "Hops between two GPUs", [](std::uint32_t from, std::uint32_t to) {
    std::uint64_t hops = 0;
    smi::abi::Link link{};
    smi::rsmi_topo_get_link_type(from, to, &hops, &link);
    return std::to_string(hops);
  });
  print_matrix(count, "Link Type between two GPUs", [](std::uint32_t from, std::uint32_t to) {
    std::uint64_t hops = 0;
    smi::abi::Link link{};
    smi::rsmi_topo_get_link_type(from, to, &hops, &link);
    return std::string(link == smi::abi::Link::kXgmi ? "XGMI" : "PCIE");
  });
}

/// An option that prints a list with some lines for each card.
struct Show {
  std::string_view option, short_option;
  const char* title;
  void (*card)(std::uint32_t);
};

constexpr std::array kShows = {
    Show{"--showproductname", "", "Product Info", show_product},
    Show{"--showid", "-i", "ID", show_id},
    Show{"--showuniqueid", "", "Unique ID", show_unique_id},
    Show{"--showserial", "", "Serial Number", show_serial},
    Show{"--showbus", "", "PCI Bus ID", show_bus},
    Show{"--showuse", "-u", "% time GPU is busy", show_use},
    Show{"--showmemuse", "", "Current Memory Use", show_memory_use},
    Show{"--showmeminfo", "", "Memory Usage (Bytes)", show_memory},
    Show{"--showtemp", "-t", "Temperature", show_temperature},
    Show{"--showpower", "-P", "Power Consumption", show_power},
    Show{"--showmaxpower", "-M", "Power Cap", show_max_power},
    Show{"--showclocks", "-c", "Current clock frequencies", show_clocks},
    Show{"--showgpuclocks", "-g", "Current clock frequencies", show_clocks},
    Show{"--showclkfrq", "-s", "Supported clock frequencies", show_frequencies},
    Show{"--showfwinfo", "", "Firmware Information", show_firmware},
};

int show_option(const std::string& word, std::uint32_t count) {
  if (word == "--showtopo") {
    show_topology(count);
    return kOk;
  }
  const auto* const show = std::ranges::find_if(
      kShows, [&](const Show& each) { return word == each.option || word == each.short_option; });
  if (show == kShows.end()) {
    std::string known = "--showtopo";
    for (const Show& each : kShows) known += fmt::format(", {}", each.option);
    return report({ErrorCode::kUsage,
                   fmt::format("rocm-smi: Wavetank does not know {}", word),
                   {},
                   {},
                   known});
  }
  fmt::print("{}\n", ruled(fmt::format(" {} ", show->title)));
  for (std::uint32_t card = 0; card < count; ++card) show->card(card);
  fmt::print("{:=^{}}\n", "", kWidth);
  return kOk;
}

}  // namespace

int run_rocm_smi(const ToolWords& words) {
  if (smi::rsmi_init(0) != Status::kSuccess) return kUsageError;
  std::uint32_t count = 0;
  smi::rsmi_num_monitor_devices(&count);
  fmt::print("\n\n{}\n", ruled(" ROCm System Management Interface "));
  int code = kOk;
  if (words.empty()) print_concise(count);
  for (const std::string& word : words) {
    if (word == "vram" || word == "all") continue;  // what --showmeminfo and --showfwinfo are about
    code = show_option(word, count);
    if (code != kOk) break;
  }
  fmt::print("{}\n", ruled(" End of ROCm SMI Log "));
  smi::rsmi_shut_down();
  return code;
}

}  // namespace wavetank::cli
