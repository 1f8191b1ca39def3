// The types of AMD's rocm_smi.h that our functions take, declared by ourselves. Sizes and offsets
// are those of the headers of ROCm 5.2, 6.4 and 7.2 (tests/unit/smi/layout_test.cpp).
#pragma once

#include <cstddef>
#include <cstdint>

namespace wavetank::smi::abi {

/// rsmi_status_t.
enum class Status : std::uint32_t {
  kSuccess = 0,
  kInvalidArgs = 1,
  kNotSupported = 2,
  kInitError = 8,
  kNotFound = 10,
  kInsufficientSize = 11,
};

/// rsmi_clk_type_t.
enum class Clock : std::uint32_t { kSystem = 0, kFabric = 1, kDisplay = 2, kSoc = 3, kMemory = 4 };

/// rsmi_memory_type_t.
enum class Memory : std::uint32_t { kVram = 0, kVisibleVram = 1, kGtt = 2 };

/// rsmi_temperature_type_t.
enum class Sensor : std::uint32_t { kEdge = 0, kJunction = 1, kMemory = 2 };

/// RSMI_IO_LINK_TYPE.
enum class Link : std::uint32_t { kUndefined = 0, kPciExpress = 1, kXgmi = 2 };

/// RSMI_POWER_TYPE.
enum class Power : std::uint32_t { kAverage = 0, kCurrent = 1 };

/// rsmi_fw_block_t: those with a value here.
enum class Firmware : std::uint32_t { kMec = 5 };

/// rsmi_dev_perf_level_t.
enum class PerformanceLevel : std::uint32_t { kAuto = 0 };

/// dv_ind of the host in rsmi_topo_get_link_type.
inline constexpr std::uint32_t kHostNode = 0xffff'ffff;

/// rsmi_version_t.
struct Version {
  std::uint32_t major, minor, patch;
  const char* build;
};

/// rsmi_frequencies_t since ROCm 6, in Hz.
struct Frequencies {
  static constexpr std::size_t kMost = 33;
  bool has_deep_sleep;
  std::uint32_t num_supported;
  std::uint32_t current;
  std::uint64_t frequency[kMost];
};

/// rsmi_frequencies_t of ROCm 5.
struct FrequenciesRocm5 {
  static constexpr std::size_t kMost = 32;
  std::uint32_t num_supported;
  std::uint32_t current;
  std::uint64_t frequency[kMost];
};

/// rsmi_pcie_bandwidth_t: transfers per second, and lanes for each rate.
template <class Rates>
struct PcieBandwidth {
  Rates transfer_rate;
  std::uint32_t lanes[Rates::kMost];
};

/// rsmi_range_t, in Hz or mV.
struct Range {
  std::uint64_t lower_bound, upper_bound;
};

/// rsmi_od_volt_freq_data_t.
struct VoltageCurve {
  Range current_sclk, current_mclk, sclk_limits, mclk_limits;
  struct {
    std::uint64_t frequency, voltage;
  } points[3];
  std::uint32_t num_regions;
};

/// rsmi_utilization_counter_t.
struct UtilizationCounter {
  std::uint32_t type;
  std::uint64_t value;
};

/// rsmi_error_count_t.
struct ErrorCount {
  std::uint64_t correctable, uncorrectable;
};

/// rsmi_device_identifiers_t.
struct Identifiers {
  std::uint32_t card_index;
  std::uint32_t drm_render_minor;
  std::uint64_t bdfid;
  std::uint64_t kfd_gpu_id;
  std::uint32_t partition_id;
  std::uint32_t smi_device_id;
  std::uint32_t reserved[10];
};

}  // namespace wavetank::smi::abi
