#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "profile/launch_repeats.hpp"
#include "profile/metrics.hpp"
#include "report/csv.hpp"
#include "report/rocprof.hpp"

namespace wavetank::report {
namespace {

using profile::LaunchProfile;

/// As rocprofv3 prints counter values: six decimals from 1 on, else eight in scientific notation.
std::string counter_text(double value) {
  return std::abs(value) >= 1 ? fmt::format("{:.6f}", value) : fmt::format("{:.8e}", value);
}

void add_registers(CsvRow& row, const LaunchProfile& l) {
  row.number(l.lds_bytes).number(l.scratch_bytes_per_lane).number(l.vgprs).number(l.agprs);
  row.number(l.sgprs);
}

}  // namespace

RocprofIds::RocprofIds(const profile::ProfileFile& file) {
  for (const LaunchProfile& launch : file.launches) {
    if (std::find(devices.begin(), devices.end(), launch.device) == devices.end()) {
      devices.push_back(launch.device);
    }
    const std::pair kernel(launch.device, launch.mangled_name);
    if (std::find(kernels.begin(), kernels.end(), kernel) == kernels.end()) {
      kernels.push_back(kernel);
    }
  }
}

std::size_t RocprofIds::agent_of(const LaunchProfile& launch) const {
  const auto found = std::find(devices.begin(), devices.end(), launch.device);
  return static_cast<std::size_t>(found - devices.begin()) + 1;
}

std::size_t RocprofIds::kernel_of(const LaunchProfile& launch) const {
  const auto found =
      std::find(kernels.begin(), kernels.end(), std::pair(launch.device, launch.mangled_name));
  return static_cast<std::size_t>(found - kernels.begin()) + 1;
}

std::vector<RocprofCounter> counters_of(const RocprofRun& run, const LaunchProfile& launch) {
  std::vector<RocprofCounter> values;
  if (run.counters.empty()) {
    for (const auto& [name, counter] : launch.counters) values.push_back({name, counter.sum});
    return values;
  }
  for (const std::string& name : run.counters) {
    const auto value = profile::value_of(name, launch, run.devices.at(launch.device)).value;
    if (value) values.push_back({name, *value});
  }
  return values;
}

std::string kernel_trace_csv(const RocprofRun& run) {
  const RocprofIds ids(run.file);
  std::string csv = csv_heading({"Kind",
                                 "Agent_Id",
                                 "Queue_Id",
                                 "Stream_Id",
                                 "Thread_Id",
                                 "Dispatch_Id",
                                 "Kernel_Id",
                                 "Kernel_Name",
                                 "Correlation_Id",
                                 "Start_Timestamp",
                                 "End_Timestamp",
                                 "LDS_Block_Size",
                                 "Scratch_Size",
                                 "VGPR_Count",
                                 "Accum_VGPR_Count",
                                 "SGPR_Count",
                                 "Workgroup_Size_X",
                                 "Workgroup_Size_Y",
                                 "Workgroup_Size_Z",
                                 "Grid_Size_X",
                                 "Grid_Size_Y",
                                 "Grid_Size_Z"});
  profile::for_each_launch(run.file.launches, [&](const LaunchProfile& l) {
    CsvRow row;
    row.text("KERNEL_DISPATCH").text(fmt::format("Agent {}", ids.agent_of(l)));
    row.number(l.stream_id + 1).number(l.stream_id).number(run.file.header.process_id);
    row.number(l.dispatch_id).number(ids.kernel_of(l)).text(l.kernel_name).number(l.dispatch_id);
    row.number(l.begin_ns).number(l.end_ns);
    add_registers(row, l);
    for (const Dim3& d : {l.workgroup_work_items, l.grid_work_items}) {
      row.number(d.x).number(d.y).number(d.z);
    }
    csv += row.line();
  });
  return csv;
}

/// Skips what stands in brackets at the end, then takes the word before it.
std::string truncated_name(std::string_view name) {
  std::size_t end = name.size();
  char open = 0;
  char close = 0;
  for (int depth = 0; end != 0; --end) {
    const char c = name[end - 1];
    if (depth != 0) {
      depth += static_cast<int>(c == close) - static_cast<int>(c == open);
      continue;
    }
    if (c == ' ') continue;
    if (c != ')' && c != '>' && c != ']') break;
    close = c;
    open = c == ')' ? '(' : c == '>' ? '<' : '[';
    depth = 1;
  }
  const std::size_t before = end == 0 ? std::string_view::npos : name.find_last_of(" :", end - 1);
  const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
  return std::string(name.substr(begin, end - begin));
}

std::string counter_collection_csv(const RocprofRun& run) {
  const RocprofIds ids(run.file);
  const std::uint64_t process = run.file.header.process_id;
  std::string csv =
      csv_heading({"Correlation_Id", "Dispatch_Id", "Agent_Id", "Queue_Id", "Process_Id",
                   "Thread_Id", "Grid_Size", "Kernel_Id", "Kernel_Name", "Workgroup_Size",
                   "LDS_Block_Size", "Scratch_Size", "VGPR_Count", "Accum_VGPR_Count", "SGPR_Count",
                   "Counter_Name", "Counter_Value", "Start_Timestamp", "End_Timestamp"});
  profile::for_each_launch(run.file.launches, [&](const LaunchProfile& l) {
    for (const RocprofCounter& counter : counters_of(run, l)) {
      CsvRow row;
      row.number(l.dispatch_id)
          .number(l.dispatch_id)
          .text(fmt::format("Agent {}", ids.agent_of(l)));
      row.number(l.stream_id + 1).number(process).number(process);
      row.number(l.grid_work_items.count()).number(ids.kernel_of(l)).text(l.kernel_name);
      row.number(l.workgroup_work_items.count());
      add_registers(row, l);
      row.text(counter.name).raw(counter_text(counter.value));
      row.number(l.begin_ns).number(l.end_ns);
      csv += row.line();
    }
  });
  return csv;
}

std::string kernel_stats_csv(const RocprofRun& run) {
  struct Sum {
    double calls = 0, total = 0, squares = 0, least = 0, most = 0;
  };
  std::map<std::string, Sum> kernels;
  double all = 0;
  for (const LaunchProfile& l : run.file.launches) {
    Sum& sum = kernels[l.kernel_name];
    profile::for_each_length(l, [&](auto, auto length_ns, auto count) {
      const auto ns = static_cast<double>(length_ns);
      sum.least = sum.calls == 0 ? ns : std::min(sum.least, ns);
      sum.most = std::max(sum.most, ns);
      const auto calls = static_cast<double>(count);
      sum.calls += calls;
      sum.total += calls * ns;
      sum.squares += calls * ns * ns;
      all += calls * ns;
    });
  }
  std::vector<std::pair<std::string, Sum>> order(kernels.begin(), kernels.end());
  std::sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
    return a.second.total != b.second.total ? a.second.total > b.second.total : a.first < b.first;
  });
  std::string csv = csv_heading(
      {"Name", "Calls", "TotalDurationNs", "AverageNs", "Percentage", "MinNs", "MaxNs", "StdDev"});
  for (const auto& [name, sum] : order) {
    const double mean = sum.total / sum.calls;
    const double variance =
        sum.calls > 1 ? (sum.squares - sum.calls * mean * mean) / (sum.calls - 1) : 0;
    csv += CsvRow()
               .text(name)
               .raw(fmt::format("{:.0f},{:.0f},{:.6f},{:.2f},{:.0f},{:.0f},{:.6f}", sum.calls,
                                sum.total, mean, all > 0 ? 100 * sum.total / all : 0, sum.least,
                                sum.most, std::sqrt(std::max(variance, 0.0))))
               .line();
  }
  return csv;
}

std::string agent_info_csv(const RocprofRun& run) {
  const RocprofIds ids(run.file);
  CsvRow names;
  for (const AgentProperty& property : agent_properties(nullptr, 0)) names.text(property.name);
  std::string csv = names.line();
  for (std::size_t node = 0; node <= ids.devices.size(); ++node) {
    const target::Device* device = node == 0 ? nullptr : &run.devices.at(ids.devices[node - 1]);
    CsvRow row;
    for (const AgentProperty& property : agent_properties(device, node)) {
      property.is_text ? row.text(property.value) : row.raw(property.value);
    }
    csv += row.line();
  }
  return csv;
}

}  // namespace wavetank::report
