// The HIP runtime that the process has loaded, if any: it knows what the program uses.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace wavetank::smi {

/// Whether it is that of ROCm 5 (libamdhip64.so.5).
bool has_runtime_of_rocm5();

/// Marketing names of the devices that HIP shows in this process; none without a HIP runtime.
std::vector<std::string> hip_device_names();

/// Bytes of device memory that this process has allocated on the device with a PCI address
/// ("0000:03:00.0"); none without a HIP runtime or where HIP does not show the device.
std::optional<std::uint64_t> hip_used_bytes(const std::string& pci_bus_id);

}  // namespace wavetank::smi
