// rsmi_gpu_metrics_t: the firmware's table of sensors, in the layouts of ROCm 5.2, 6.4 and 7.2. All
// bits set is the table's word for "no value".
#pragma once

#include <cstddef>
#include <cstdint>

namespace wavetank::smi::abi {

inline constexpr std::size_t kEnginesVcn = 4;
inline constexpr std::size_t kXcds = 8;

/// metrics_table_header_t.
struct MetricsHeader {
  std::uint16_t structure_size;
  std::uint8_t format_revision;
  std::uint8_t content_revision;
};

/// All of ROCm 5's table, and the start of the later ones. Temperatures in degrees, power in W,
/// clocks in MHz, activity in percent, pcie_link_speed in 0.1 GT/s.
struct MetricsRocm5 {
  MetricsHeader header;
  std::uint16_t temperature_edge, temperature_hotspot, temperature_mem;
  std::uint16_t temperature_vrgfx, temperature_vrsoc, temperature_vrmem;
  std::uint16_t average_gfx_activity, average_umc_activity, average_mm_activity;
  std::uint16_t average_socket_power;
  std::uint64_t energy_accumulator;
  std::uint64_t system_clock_counter;
  std::uint16_t average_gfxclk, average_socclk, average_uclk;
  std::uint16_t average_vclk0, average_dclk0, average_vclk1, average_dclk1;
  std::uint16_t current_gfxclk, current_socclk, current_uclk;
  std::uint16_t current_vclk0, current_dclk0, current_vclk1, current_dclk1;
  std::uint32_t throttle_status;
  std::uint16_t current_fan_speed;
  std::uint16_t pcie_link_width, pcie_link_speed;
  std::uint16_t padding;
  std::uint32_t gfx_activity_acc, mem_activity_acc;
  std::uint16_t temperature_hbm[4];
};

/// amdgpu_xcp_metrics_t of ROCm 6.4.
struct PartitionRocm6 {
  std::uint32_t gfx_busy_inst[kXcds];
  std::uint16_t jpeg_busy[32];
  std::uint16_t vcn_busy[kEnginesVcn];
  std::uint64_t gfx_busy_acc[kXcds];
  std::uint64_t gfx_below_host_limit_acc[kXcds];
};

/// amdgpu_xcp_metrics_t of ROCm 7.2.
struct PartitionRocm7 {
  std::uint32_t gfx_busy_inst[kXcds];
  std::uint16_t jpeg_busy[40];
  std::uint16_t vcn_busy[kEnginesVcn];
  std::uint64_t gfx_busy_acc[kXcds];
  std::uint64_t gfx_below_host_limit_acc[kXcds];
  std::uint64_t gfx_below_host_limit_by_cause_acc[4][kXcds];
};

/// The table since ROCm 6.
template <class Partition>
struct Metrics {
  MetricsRocm5 start;
  std::uint64_t firmware_timestamp;
  std::uint16_t voltage_soc, voltage_gfx, voltage_mem;
  std::uint64_t indep_throttle_status;
  std::uint16_t current_socket_power;
  std::uint16_t vcn_activity[kEnginesVcn];
  std::uint32_t gfxclk_lock_status;
  std::uint16_t xgmi_link_width, xgmi_link_speed;
  std::uint64_t pcie_bandwidth_acc, pcie_bandwidth_inst;
  std::uint64_t pcie_l0_to_recov_count_acc, pcie_replay_count_acc, pcie_replay_rover_count_acc;
  std::uint64_t xgmi_read_data_acc[8], xgmi_write_data_acc[8];
  std::uint16_t current_gfxclks[kXcds];
  std::uint16_t current_socclks[4], current_vclk0s[4], current_dclk0s[4];
  std::uint16_t jpeg_activity[32];
  std::uint32_t pcie_nak_sent_count_acc, pcie_nak_rcvd_count_acc;
  std::uint64_t accumulation_counter, prochot_residency_acc, ppt_residency_acc;
  std::uint64_t socket_thm_residency_acc, vr_thm_residency_acc, hbm_thm_residency_acc;
  std::uint16_t num_partition;
  Partition xcp_stats[8];
  std::uint32_t pcie_lc_perf_other_end_recovery;
  std::uint64_t vram_max_bandwidth;
  std::uint16_t xgmi_link_status[8];
};

}  // namespace wavetank::smi::abi
