// The functions of librocm_smi64 that have an answer, for our own callers and for the sources that
// define them. Each is that of the same name in AMD's rocm_smi.h; where a layout depends on the
// header, the pointer is void* and the definition says to what.
#pragma once

#include <cstddef>
#include <cstdint>

#include "smi/abi/gpu_metrics.hpp"
#include "smi/abi/types.hpp"

/// Marks a function of AMD's library.
#define WAVETANK_SMI_API extern "C" [[gnu::visibility("default")]]

namespace wavetank::smi {

// clock_api.cpp
WAVETANK_SMI_API abi::Status rsmi_dev_gpu_clk_freq_get(std::uint32_t index, abi::Clock clock,
                                                       void* frequencies);
WAVETANK_SMI_API abi::Status rsmi_dev_pci_bandwidth_get(std::uint32_t index, void* bandwidth);
WAVETANK_SMI_API abi::Status rsmi_dev_od_volt_info_get(std::uint32_t index,
                                                       abi::VoltageCurve* curve);
WAVETANK_SMI_API abi::Status rsmi_dev_gpu_metrics_info_get(std::uint32_t index, void* table);
WAVETANK_SMI_API abi::Status rsmi_dev_metrics_header_info_get(std::uint32_t index,
                                                              abi::MetricsHeader* header);
WAVETANK_SMI_API abi::Status rsmi_dev_metrics_xcd_counter_get(std::uint32_t index,
                                                              std::uint16_t* dies);

// identity_api.cpp
WAVETANK_SMI_API abi::Status rsmi_dev_id_get(std::uint32_t index, std::uint16_t* id);
WAVETANK_SMI_API abi::Status rsmi_dev_revision_get(std::uint32_t index, std::uint16_t* revision);
WAVETANK_SMI_API abi::Status rsmi_dev_vendor_id_get(std::uint32_t index, std::uint16_t* id);
WAVETANK_SMI_API abi::Status rsmi_dev_subsystem_vendor_id_get(std::uint32_t index,
                                                              std::uint16_t* id);
WAVETANK_SMI_API abi::Status rsmi_dev_subsystem_id_get(std::uint32_t index, std::uint16_t* id);
WAVETANK_SMI_API abi::Status rsmi_dev_name_get(std::uint32_t index, char* text, std::size_t length);
WAVETANK_SMI_API abi::Status rsmi_dev_market_name_get(std::uint32_t index, char* text,
                                                      std::uint32_t length);
WAVETANK_SMI_API abi::Status rsmi_dev_brand_get(std::uint32_t index, char* text,
                                                std::uint32_t length);
WAVETANK_SMI_API abi::Status rsmi_dev_vendor_name_get(std::uint32_t index, char* text,
                                                      std::size_t length);
WAVETANK_SMI_API abi::Status rsmi_dev_subsystem_name_get(std::uint32_t index, char* text,
                                                         std::size_t length);
WAVETANK_SMI_API abi::Status rsmi_dev_serial_number_get(std::uint32_t index, char* text,
                                                        std::uint32_t length);
WAVETANK_SMI_API abi::Status rsmi_dev_unique_id_get(std::uint32_t index, std::uint64_t* id);
WAVETANK_SMI_API abi::Status rsmi_dev_drm_render_minor_get(std::uint32_t index,
                                                           std::uint32_t* minor);
WAVETANK_SMI_API abi::Status rsmi_dev_guid_get(std::uint32_t index, std::uint64_t* guid);
WAVETANK_SMI_API abi::Status rsmi_dev_node_id_get(std::uint32_t index, std::uint32_t* node);
WAVETANK_SMI_API abi::Status rsmi_dev_pci_id_get(std::uint32_t index, std::uint64_t* bdf);
WAVETANK_SMI_API abi::Status rsmi_dev_device_identifiers_get(std::uint32_t index,
                                                             abi::Identifiers* identifiers);
WAVETANK_SMI_API abi::Status rsmi_dev_target_graphics_version_get(std::uint32_t index,
                                                                  std::uint64_t* version);
WAVETANK_SMI_API abi::Status rsmi_dev_firmware_version_get(std::uint32_t index, abi::Firmware block,
                                                           std::uint64_t* version);
WAVETANK_SMI_API abi::Status rsmi_dev_partition_id_get(std::uint32_t index,
                                                       std::uint32_t* partition);
WAVETANK_SMI_API abi::Status rsmi_dev_compute_partition_get(std::uint32_t index, char* text,
                                                            std::uint32_t length);
WAVETANK_SMI_API abi::Status rsmi_dev_memory_partition_get(std::uint32_t index, char* text,
                                                           std::uint32_t length);

// library_api.cpp
WAVETANK_SMI_API abi::Status rsmi_init(std::uint64_t);
WAVETANK_SMI_API abi::Status rsmi_shut_down();
WAVETANK_SMI_API abi::Status rsmi_num_monitor_devices(std::uint32_t* count);
WAVETANK_SMI_API abi::Status rsmi_version_get(abi::Version* version);
WAVETANK_SMI_API abi::Status rsmi_version_str_get(std::uint32_t component, char* text,
                                                  std::uint32_t length);
WAVETANK_SMI_API abi::Status rsmi_status_string(abi::Status status, const char** text);

// memory_api.cpp
WAVETANK_SMI_API abi::Status rsmi_dev_memory_total_get(std::uint32_t index, abi::Memory kind,
                                                       std::uint64_t* bytes);
WAVETANK_SMI_API abi::Status rsmi_dev_memory_usage_get(std::uint32_t index, abi::Memory kind,
                                                       std::uint64_t* bytes);
WAVETANK_SMI_API abi::Status rsmi_compute_process_info_get(void*, std::uint32_t* count);
WAVETANK_SMI_API abi::Status rsmi_compute_process_info_by_pid_get(std::uint32_t, void* process);
WAVETANK_SMI_API abi::Status rsmi_compute_process_info_by_device_get(std::uint32_t,
                                                                     std::uint32_t index,
                                                                     void* process);
WAVETANK_SMI_API abi::Status rsmi_compute_process_gpus_get(std::uint32_t, std::uint32_t*,
                                                           std::uint32_t* count);

// sensor_api.cpp
WAVETANK_SMI_API abi::Status rsmi_dev_power_ave_get(std::uint32_t index, std::uint32_t,
                                                    std::uint64_t* microwatts);
WAVETANK_SMI_API abi::Status rsmi_dev_current_socket_power_get(std::uint32_t index,
                                                               std::uint64_t* microwatts);
WAVETANK_SMI_API abi::Status rsmi_dev_power_get(std::uint32_t index, std::uint64_t* microwatts,
                                                abi::Power* kind);
WAVETANK_SMI_API abi::Status rsmi_dev_power_cap_get(std::uint32_t index, std::uint32_t,
                                                    std::uint64_t* microwatts);
WAVETANK_SMI_API abi::Status rsmi_dev_power_cap_default_get(std::uint32_t index,
                                                            std::uint64_t* microwatts);
WAVETANK_SMI_API abi::Status rsmi_dev_power_cap_range_get(std::uint32_t index, std::uint32_t,
                                                          std::uint64_t* most,
                                                          std::uint64_t* least);
WAVETANK_SMI_API abi::Status rsmi_dev_temp_metric_get(std::uint32_t index, abi::Sensor sensor,
                                                      std::uint32_t metric,
                                                      std::int64_t* millidegrees);
WAVETANK_SMI_API abi::Status rsmi_dev_busy_percent_get(std::uint32_t index, std::uint32_t* percent);
WAVETANK_SMI_API abi::Status rsmi_dev_memory_busy_percent_get(std::uint32_t index,
                                                              std::uint32_t* percent);
WAVETANK_SMI_API abi::Status rsmi_utilization_count_get(std::uint32_t index,
                                                        abi::UtilizationCounter* counters,
                                                        std::uint32_t count,
                                                        std::uint64_t* time_ns);
WAVETANK_SMI_API abi::Status rsmi_dev_pci_replay_counter_get(std::uint32_t index,
                                                             std::uint64_t* counter);
WAVETANK_SMI_API abi::Status rsmi_dev_memory_reserved_pages_get(std::uint32_t index,
                                                                std::uint32_t* count, void*);
WAVETANK_SMI_API abi::Status rsmi_dev_xgmi_error_status(std::uint32_t index, std::uint32_t* status);
WAVETANK_SMI_API abi::Status rsmi_dev_ecc_count_get(std::uint32_t index, std::uint64_t,
                                                    abi::ErrorCount* errors);
WAVETANK_SMI_API abi::Status rsmi_dev_perf_level_get(std::uint32_t index,
                                                     abi::PerformanceLevel* level);
WAVETANK_SMI_API abi::Status rsmi_dev_overdrive_level_get(std::uint32_t index,
                                                          std::uint32_t* percent);
WAVETANK_SMI_API abi::Status rsmi_dev_mem_overdrive_level_get(std::uint32_t index,
                                                              std::uint32_t* percent);
WAVETANK_SMI_API abi::Status rsmi_dev_fan_rpms_get(std::uint32_t index, std::uint32_t,
                                                   std::int64_t*);
WAVETANK_SMI_API abi::Status rsmi_dev_fan_speed_get(std::uint32_t index, std::uint32_t,
                                                    std::int64_t*);
WAVETANK_SMI_API abi::Status rsmi_dev_fan_speed_max_get(std::uint32_t index, std::uint32_t,
                                                        std::uint64_t*);

// topology_api.cpp
WAVETANK_SMI_API abi::Status rsmi_topo_get_numa_node_number(std::uint32_t index,
                                                            std::uint32_t* node);
WAVETANK_SMI_API abi::Status rsmi_topo_numa_affinity_get(std::uint32_t index, std::int32_t* node);
WAVETANK_SMI_API abi::Status rsmi_topo_get_link_weight(std::uint32_t from, std::uint32_t to,
                                                       std::uint64_t* weight);
WAVETANK_SMI_API abi::Status rsmi_topo_get_link_type(std::uint32_t from, std::uint32_t to,
                                                     std::uint64_t* hops, abi::Link* link);
WAVETANK_SMI_API abi::Status rsmi_minmax_bandwidth_get(std::uint32_t from, std::uint32_t to,
                                                       std::uint64_t* least, std::uint64_t* most);
WAVETANK_SMI_API abi::Status rsmi_is_P2P_accessible(std::uint32_t from, std::uint32_t to,
                                                    bool* accessible);
WAVETANK_SMI_API abi::Status rsmi_dev_xgmi_hive_id_get(std::uint32_t index, std::uint64_t* hive);
WAVETANK_SMI_API abi::Status rsmi_dev_xgmi_physical_id_get(std::uint32_t index, std::uint16_t* id);

}  // namespace wavetank::smi
