#include "report/workload_folder.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "profile/launch_repeats.hpp"
#include "report/csv.hpp"
#include "target/occupancy.hpp"

namespace wavetank::report {
namespace {

using profile::LaunchProfile;

/// Counters that sum up a level each cycle. Each has a file of its own, in which the sum is called
/// kLevelSum.
constexpr std::array kLevels = {"SQ_IFETCH_LEVEL", "SQ_INST_LEVEL_LDS", "SQ_INST_LEVEL_SMEM",
                                "SQ_INST_LEVEL_VMEM", "SQ_LEVEL_WAVES"};
constexpr std::string_view kLevelSum = "SQ_ACCUM_PREV_HIRES";

/// The name of a counter's column: of blocks with many instances it is that of the sum.
std::string column_of(const std::string& counter) {
  constexpr std::array kOfInstances = {"TA_", "TCC_", "TCP_", "TD_"};
  const bool summed = std::ranges::any_of(
      kOfInstances, [&](const char* block) { return counter.starts_with(block); });
  return summed ? counter + "_sum" : counter;
}

/// Numbers that count have no decimals.
std::string number_text(double value) {
  return value == std::floor(value) ? fmt::format("{:.0f}", value) : fmt::format("{}", value);
}

void add_facts(CsvRow& row, std::uint64_t number, const LaunchProfile& l) {
  row.number(number).number(0).number(l.grid_work_items.count());
  row.number(l.workgroup_work_items.count()).number(l.lds_bytes).number(l.scratch_bytes_per_lane);
  row.number(l.vgprs).number(l.agprs).number(l.sgprs).number(target::kWaveSize);
  row.text(l.kernel_name).number(l.begin_ns).number(l.end_ns).number(number);
}

/// Launches with all their counters; with the sum of `level`, if that names one.
std::string launches_csv(const std::vector<const LaunchProfile*>& profiles,
                         const std::set<std::string>& counters, std::string_view level) {
  CsvRow head;
  for (const char* const name :
       {"Dispatch_ID", "GPU_ID", "Grid_Size", "Workgroup_Size", "LDS_Per_Workgroup",
        "Scratch_Per_Workitem", "Arch_VGPR", "Accum_VGPR", "SGPR", "Wave_Size", "Kernel_Name",
        "Start_Timestamp", "End_Timestamp", "Correlation_ID"}) {
    head.raw(name);
  }
  for (const std::string& counter : counters) head.raw(column_of(counter));
  if (!level.empty()) head.raw(kLevelSum);
  std::string csv = head.line();
  std::uint64_t number = 0;
  for (const LaunchProfile* const profile : profiles) {
    profile::for_each_launch_of(*profile, [&](const LaunchProfile& launch) {
      const auto value_of = [&](std::string_view counter) {
        const auto found = launch.counters.find(std::string(counter));
        return found == launch.counters.end() ? "" : number_text(found->second.sum);
      };
      CsvRow row;
      add_facts(row, number++, launch);
      for (const std::string& counter : counters) row.raw(value_of(counter));
      if (!level.empty()) row.raw(value_of(level));
      csv += row.line();
    });
  }
  return csv;
}

/// A number of the description, times `factor`; empty if it has none.
std::string number_of(const target::Device& device, std::string_view name, double factor = 1) {
  const target::Parameter* const found = device.find(name);
  return found == nullptr ? "" : number_text(factor * found->value);
}

/// Caches that CUs of a shader engine share; empty if it is not known how many share one.
std::string caches_of(const target::Device& device, std::string_view units_per_cache) {
  const target::Parameter* const found = device.find(units_per_cache);
  if (found == nullptr || device.shader_engines == 0) return "";
  const double units = static_cast<double>(device.compute_units) / device.shader_engines;
  return number_text(device.shader_engines * std::ceil(units / found->value));
}

std::string time_text(std::uint64_t unix_ns) {
  const auto seconds = static_cast<std::time_t>(unix_ns / 1'000'000'000);
  return fmt::format("{:%a %d %b %Y %H:%M:%S} (UTC)", fmt::gmtime(seconds));
}

/// The facts of the machine: those of a host are not the run's.
std::string sysinfo_csv(const profile::ProfileFile& file, const target::Device& device) {
  const std::string program = file.header.command.empty() ? "" : file.header.command.front();
  const std::string engine = number_text(device.engine_clock_mhz);
  const std::string memory = number_text(device.memory_clock_mhz);
  // Names and version are those of rocprofiler-compute 3. The devices are whole ones (SPX, NPS1);
  // four pipes are in its workloads of MI200, MI300X and MI300A.
  const std::vector<std::pair<std::string_view, std::string>> facts = {
      {"workload_name", std::filesystem::path(program).filename().string()},
      {"command", fmt::format("{}", fmt::join(file.header.command, " "))},
      {"ip_blocks", "SQ|LDS|SQC|TA|TD|TCP|TCC|SPI|CPC|CPF"},
      {"timestamp", time_text(file.header.begin_unix_ns)},
      {"version", "3"},
      {"hostname", "virtual device of Wavetank"},
      {"cpu_model", ""},
      {"sbios", ""},
      {"linux_distro", ""},
      {"linux_kernel_version", ""},
      {"amd_gpu_kernel_version", ""},
      {"cpu_memory", ""},
      {"gpu_memory", std::to_string(device.memory_bytes / 1024)},
      {"rocm_version", ""},
      {"vbios", ""},
      {"compute_partition", "SPX"},
      {"memory_partition", "NPS1"},
      {"gpu_model", device.marketing_name},
      {"gpu_arch", device.gfx()},
      {"gpu_l1", number_of(device, "cache.l1_vector", 1.0 / 1024)},
      {"gpu_l2", std::to_string(device.l2_bytes / 1024)},
      {"cu_per_gpu", std::to_string(device.compute_units)},
      {"simd_per_cu", std::to_string(device.simds_per_cu)},
      {"se_per_gpu", std::to_string(device.shader_engines)},
      {"wave_size", std::to_string(target::kWaveSize)},
      {"workgroup_max_size", std::to_string(device.max_workgroup_work_items)},
      {"max_waves_per_cu", std::to_string(device.simds_per_cu * device.wave_slots_per_simd)},
      {"max_sclk", engine},
      {"max_mclk", memory},
      {"cur_sclk", engine},
      {"cur_mclk", memory},
      {"total_l2_chan", number_of(device, "l2.channels", device.xcds)},
      {"lds_banks_per_cu", number_of(device, "lds.banks")},
      {"sqc_per_gpu", caches_of(device, "smem.units_per_cache")},
      {"pipes_per_gpu", "4"},
      {"hbm_bw", number_of(device, "memory.peak_bandwidth")},
      {"num_xcd", std::to_string(device.xcds)}};
  CsvRow head, row;
  for (const auto& [name, value] : facts) {
    head.raw(name);
    row.text(value);
  }
  return head.line() + row.line();
}

}  // namespace

std::map<std::string, std::string> workload_folder(const profile::ProfileFile& file,
                                                   const target::Device& device) {
  std::vector<const LaunchProfile*> launches;
  std::set<std::string> counters;
  for (const LaunchProfile& launch : file.launches) {
    if (launch.device != device.name) continue;
    launches.push_back(&launch);
    for (const auto& [name, counter] : launch.counters) counters.insert(name);
  }
  if (launches.empty()) return {};
  std::map<std::string, std::string> files = {
      {"sysinfo.csv", sysinfo_csv(file, device)},
      {"pmc_perf.csv", launches_csv(launches, counters, "")}};
  for (const char* const level : kLevels) {
    files.emplace(std::string(level) + ".csv", launches_csv(launches, counters, level));
  }
  return files;
}

}  // namespace wavetank::report
