// A virtual device as a card in a machine: what identifies it, and the numbers of its description
// that only system management asks for.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "target/device.hpp"

namespace wavetank::target {

/// Where a device sits on the PCI bus.
struct PciAddress {
  int domain = 0;
  int bus = 0;
  int device = 0;
};

/// AMD's number among the makers of PCI devices.
inline constexpr std::uint16_t kPciVendor = 0x1002;

/// The address of the device at place `slot` of WAVETANK_DEVICE, counted from 0. HIP and the SMI
/// library give the same one, so that a library which asks both (RCCL) finds one device.
PciAddress pci_address(std::uint32_t slot);

/// The 64-bit number that a real card holds in fuses. HIP's uuid is its 16 hexadecimal digits.
std::uint64_t unique_id(std::uint32_t slot);
std::string unique_id_text(std::uint32_t slot);

/// The device's number among AMD's PCI devices (pci.ids); 0 if the description has none.
std::uint16_t pci_device(const Device& device);

/// "gfx90a" is 90010, "gfx942" is 90402: major x 10000 + minor x 100 + stepping, as the kernel
/// driver's gfx_target_version.
std::uint32_t graphics_version(const Device& device);

/// A clock of a device: its levels in MHz, lowest first, and the one of an idle device.
struct ClockLevels {
  std::vector<double> mhz;
  std::size_t idle = 0;     ///< index into mhz
  bool deep_sleep = false;  ///< mhz[0] is no level, but the rate of a clock in deep sleep
};

/// The levels of "engine", "memory", "soc" or "fabric" (section [clock_levels]); no levels if the
/// description has none.
ClockLevels clock_levels(const Device& device, std::string_view clock);

}  // namespace wavetank::target
