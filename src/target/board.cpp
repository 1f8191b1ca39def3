#include "target/board.hpp"
#include "target/parameter_table.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace wavetank::target {
namespace {

constexpr int kFirstPciBus = 3;
constexpr std::uint64_t kUniqueIdBase = 0x5741'5645'544b'0000;  // "WAVETK"

}  // namespace

PciAddress pci_address(std::uint32_t slot) {
  return {.domain = 0, .bus = kFirstPciBus + static_cast<int>(slot), .device = 0};
}

std::uint64_t unique_id(std::uint32_t slot) { return kUniqueIdBase + slot; }

std::string unique_id_text(std::uint32_t slot) { return fmt::format("{:016x}", unique_id(slot)); }

std::uint16_t pci_device(const Device& device) {
  return static_cast<std::uint16_t>(device.value(known("board.pci_device")));
}

std::uint32_t graphics_version(const Device& device) {
  const isa::Target& target = *device.target;
  return target.major() * 10000 + target.minor() * 100 + target.stepping();
}

ClockLevels clock_levels(const Device& device, std::string_view clock) {
  ClockLevels levels;
  for (int i = 0;; ++i) {
    const Parameter* level = device.find(fmt::format("clock_levels.{}_{}", clock, i));
    if (level == nullptr) break;
    levels.mhz.push_back(level->value);
  }
  if (levels.mhz.empty()) return levels;
  if (clock == "engine") levels.mhz.push_back(device.engine_clock_mhz);
  if (clock == "memory") levels.mhz.push_back(device.memory_clock_mhz);
  if (const Parameter* sleep = device.find(fmt::format("clock_levels.{}_sleep", clock))) {
    levels.mhz.insert(levels.mhz.begin(), sleep->value);
    levels.deep_sleep = true;
  }
  const Parameter* idle = device.find(fmt::format("clock_levels.{}_idle", clock));
  const auto found =
      std::ranges::find(levels.mhz, idle == nullptr ? levels.mhz.front() : idle->value);
  if (found != levels.mhz.end()) {
    levels.idle = static_cast<std::size_t>(found - levels.mhz.begin());
  }
  return levels;
}

}  // namespace wavetank::target
