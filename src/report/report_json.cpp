#include <algorithm>

#include "profile/change.hpp"
#include "profile/metrics.hpp"
#include "report/kernel_json.hpp"
#include "report/what_if_table.hpp"

namespace wavetank::report {
namespace {

using profile::LaunchProfile;
using profile::Verdict;

Json size_of(const Dim3& d) { return Json::array({d.x, d.y, d.z}); }

Json stack_of(const Verdict& verdict) {
  Json list = Json::array();
  for (const profile::StallShare& share : verdict.stack) {
    list.push_back({{"reason", profile::key_of(share.reason)},
                    {"cycles", share.cycles},
                    {"percent", share.permille / 10.0},
                    {"percent_of_waves", share.permille_of_waves / 10.0}});
  }
  return list;
}

Json hot_lines_of(const LaunchProfile& launch, const Verdict& verdict) {
  Json list = Json::array();
  for (const profile::HotLine& line : verdict.hot_lines) {
    const profile::InstructionProfile& worst = launch.instructions[line.instruction];
    list.push_back({{"file", line.file},
                    {"line", line.line},
                    {"instruction", worst.text},
                    {"offset", worst.offset},
                    {"reason", profile::key_of(line.reason)},
                    {"percent", line.percent},
                    {"reason_percent", line.reason_percent}});
  }
  return list;
}

Json roofline_of(const profile::Roofline& roof) {
  Json levels = Json::array();
  for (const profile::RoofLevel& level : roof.levels) {
    levels.push_back({{"name", level.name},
                      {"bytes", level.bytes},
                      {"bytes_per_second", level.bytes_per_second},
                      {"peak_bytes_per_second", level.peak_bytes_per_second},
                      {"flop_per_byte", level.intensity},
                      {"ridge_flop_per_byte", level.ridge}});
  }
  return {{"region", profile::text_of(roof.region)},
          {"nearest_roof", roof.nearest_roof},
          {"nearest_percent", roof.nearest_percent},
          {"seconds", roof.seconds},
          {"flop", roof.flop},
          {"is_integer", roof.is_integer},
          {"flop_per_second", roof.flop_per_second},
          {"peak", roof.peak_name},
          {"peak_flop_per_second", roof.peak_flop_per_second},
          {"levels", levels}};
}

Json findings_of(const Verdict& verdict) {
  Json list = Json::array();
  for (const profile::Finding& finding : verdict.findings) {
    list.push_back({{"id", finding.id},
                    {"text", finding.text},
                    {"place", finding.place},
                    {"change", profile::change_of(finding)},
                    {"remedy", finding.rule->remedy},
                    {"weight_percent", finding.weight}});
    if (!finding.gain_percent) continue;
    list.back()["gain_percent"] = *finding.gain_percent;
    list.back()["is_estimated"] = finding.is_estimated;
  }
  return list;
}

std::string_view kind_of(profile::Bound bound) {
  switch (bound) {
    case profile::Bound::kMemory: return "memory";
    case profile::Bound::kLaunch: return "launch";
    default: return "compute";
  }
}

Json lights_of(const Verdict& verdict) {
  Json list = Json::array();
  for (const profile::SpeedOfLight& light : verdict.speed_of_light) {
    list.push_back({{"name", light.name},
                    {"percent", light.percent},
                    {"kind", kind_of(light.bound)},
                    {"detail", light.detail}});
  }
  return list;
}

Json levels_of(const LaunchProfile& launch) {
  Json list = Json::array();
  for (const profile::LevelTraffic& level : launch.levels) {
    const profile::ChannelLoad& load = level.channels;
    Json json = {{"name", level.name},
                 {"bytes_read", level.bytes_read},
                 {"bytes_written", level.bytes_written},
                 {"peak_bytes_per_cycle", level.peak_bytes_per_cycle},
                 {"peak_source", level.peak_source},
                 {"requests", level.requests},
                 {"hits", level.hits},
                 {"busy_percent", level.busy_percent}};
    if (load.channels > 0) {
      json["channels"] = {{"count", load.channels},
                          {"busiest_percent", load.busiest_percent},
                          {"moment_percent", load.moment_percent},
                          {"crowded", load.crowded},
                          {"crowded_percent", load.crowded_percent}};
    }
    if (level.rows.row_bytes > 0) {
      json["rows"] = {{"opened", level.rows.opened},
                      {"row_bytes", level.rows.row_bytes},
                      {"busy_percent", level.rows.busy_percent},
                      {"bus_percent", level.rows.bus_percent}};
    }
    list.push_back(std::move(json));
  }
  return list;
}

Json counters_of_launch(const LaunchProfile& launch) {
  Json counters = Json::object();
  for (const auto& [name, counter] : launch.counters) {
    counters[name] = {{"sum", counter.sum}, {"max", counter.max}, {"instances", counter.instances}};
  }
  return counters;
}

Json metrics_of(const LaunchProfile& launch, const target::Device& device) {
  Json all = Json::object();
  for (const profile::Metric& metric : profile::metrics()) {
    const profile::MetricValue value = profile::value_of(metric.name, launch, device);
    Json entry = {{"unit", metric.unit}};
    if (value.value) {
      entry["value"] = *value.value;
    } else {
      entry["no_value"] = value.why_not;
    }
    all[std::string(metric.name)] = std::move(entry);
  }
  return all;
}

/// What the launch would take otherwise. A change that could not be timed names the reason.
Json what_ifs_of(const LaunchProfile& launch) {
  Json list = Json::array();
  for (const profile::WhatIf& answer : launch.what_if) {
    Json json = {{"change", answer.change}, {"label", profile::in_words(answer.change)}};
    if (answer.problem.empty()) {
      json["cycles"] = answer.cycles;
      json["gain"] = profile::gain_percent(launch, answer);
    } else {
      json["problem"] = answer.problem;
    }
    list.push_back(std::move(json));
  }
  return list;
}

/// Adds the answers of the launch of a group that was timed again, or why it was not.
void add_what_ifs(Json& kernel, const profile::ProfileFile& file, const KernelGroup& group) {
  const LaunchProfile* const launch = timed_again(file.launches, group);
  if (launch == nullptr) return;
  if (!launch->not_repeatable.empty()) kernel["not_repeatable"] = launch->not_repeatable;
  kernel["what_if"] = what_ifs_of(*launch);
}

Json verdict_of(const Verdict& verdict) {
  return {{"bound", profile::explain_page_of(verdict.limit.bound)},
          {"what", verdict.limit.what},
          {"because", verdict.limit.because},
          {"page", verdict.limit.page},
          {"resource", verdict.limit.resource}};
}

}  // namespace

Json kernel_json(const profile::ProfileFile& file, const JudgedGroup& judged) {
  const LaunchProfile& l = file.launches[judged.group.shown];
  const Verdict& v = judged.verdict;
  const profile::OccupancyVerdict& o = v.occupancy;
  Json kernel = {{"kernel", l.kernel_name},
                 {"mangled", l.mangled_name},
                 {"device", l.device},
                 {"engine_clock_mhz", l.engine_clock_mhz},
                 {"grid_work_items", size_of(l.grid_work_items)},
                 {"workgroup_work_items", size_of(l.workgroup_work_items)},
                 {"vgprs", l.vgprs},
                 {"agprs", l.agprs},
                 {"sgprs", l.sgprs},
                 {"lds_bytes", l.lds_bytes},
                 {"scratch_bytes_per_lane", l.scratch_bytes_per_lane},
                 {"launches", judged.group.count},
                 {"least_cycles", judged.group.least_cycles},
                 {"mean_cycles", judged.group.mean_cycles},
                 {"most_cycles", judged.group.most_cycles},
                 {"average_of_launches", std::max<std::uint64_t>(l.merged.timed, 1)},
                 {"cycles", l.cycles},
                 {"milliseconds", v.milliseconds},
                 {"launch_cycles", l.launch_cycles},
                 {"write_back_cycles", l.write_back_cycles},
                 {"dispatch_slot_cycles", l.dispatch_slot_cycles},
                 {"tail_cycles", l.tail_cycles},
                 {"sampled", l.sampling.sampled},
                 {"uncertainty_percent", l.sampling.uncertainty_percent},
                 {"rest_ratio", l.sampling.rest_ratio},
                 {"verdict", verdict_of(v)},
                 {"findings", findings_of(v)},
                 {"speed_of_light", lights_of(v)},
                 {"levels", levels_of(l)},
                 {"occupancy",
                  {{"waves_per_cu", o.waves_per_cu},
                   {"max_waves_per_cu", o.max_waves_per_cu},
                   {"limited_by", o.limited_by},
                   {"achieved_waves_per_cu", o.achieved_waves_per_cu},
                   {"cu_percent", o.cu_percent}}},
                 {"stall_stack", stack_of(v)},
                 {"hot_lines", hot_lines_of(l, v)},
                 {"roofline", roofline_of(v.roofline)},
                 {"evidence_percent", l.evidence_percent},
                 {"counters", counters_of_launch(l)},
                 {"metrics", metrics_of(l, judged.device)}};
  add_what_ifs(kernel, file, judged.group);
  return kernel;
}

Json run_json(const profile::ProfileFile& file, const std::vector<JudgedGroup>& groups) {
  Json kernels = Json::array();
  for (const JudgedGroup& group : groups) kernels.push_back(kernel_json(file, group));
  return {{"command", file.header.command},
          {"process_id", file.header.process_id},
          {"cut_off", file.cut_off},
          {"kernels", std::move(kernels)}};
}

std::string report_json(const profile::ProfileFile& file, const std::vector<JudgedGroup>& groups) {
  return run_json(file, groups).dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace wavetank::report
