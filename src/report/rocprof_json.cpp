#include <set>

#include "base/json.hpp"
#include "profile/counter_names.hpp"
#include "profile/launch_repeats.hpp"
#include "profile/metrics.hpp"
#include "report/rocprof.hpp"

namespace wavetank::report {
namespace {

using profile::LaunchProfile;

Json named_size(const Dim3& d) { return {{"x", d.x}, {"y", d.y}, {"z", d.z}}; }

Json dispatch_info(const LaunchProfile& l, const RocprofIds& ids) {
  return {{"size", 64},
          {"agent_id", {{"handle", ids.agent_of(l)}}},
          {"queue_id", {{"handle", l.stream_id + 1}}},
          {"kernel_id", ids.kernel_of(l)},
          {"dispatch_id", l.dispatch_id},
          {"private_segment_size", l.scratch_bytes_per_lane},
          {"group_segment_size", l.lds_bytes},
          {"workgroup_size", named_size(l.workgroup_work_items)},
          {"grid_size", named_size(l.grid_work_items)}};
}

Json correlation(const LaunchProfile& l) { return {{"internal", l.dispatch_id}, {"external", 0}}; }

Json agents(const RocprofRun& run, const RocprofIds& ids) {
  Json list = Json::array();
  for (std::size_t node = 0; node <= ids.devices.size(); ++node) {
    const target::Device* device = node == 0 ? nullptr : &run.devices.at(ids.devices[node - 1]);
    Json agent = {{"id", {{"handle", node}}}};
    for (const AgentProperty& property : agent_properties(device, node)) {
      std::string key = property.name;
      for (char& c : key) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      if (property.is_text) {
        agent[key] = property.value;
      } else {
        agent[key] = std::stoull(property.value);
      }
    }
    list.push_back(std::move(agent));
  }
  return list;
}

/// The identifiers of the run's counters, from 1 on by name.
std::vector<std::string> counter_ids(const RocprofRun& run) {
  std::set<std::string> names;
  for (const LaunchProfile& launch : run.file.launches) {
    for (const RocprofCounter& counter : counters_of(run, launch)) names.insert(counter.name);
  }
  return {names.begin(), names.end()};
}

Json counters(const std::vector<std::string>& names) {
  Json list = Json::array();
  for (std::size_t n = 0; n < names.size(); ++n) {
    const profile::Metric* metric = profile::find_metric(names[n]);
    const profile::CounterName* counter = profile::find_counter(names[n]);
    list.push_back({{"id", {{"handle", n + 1}}},
                    {"name", names[n]},
                    {"description", metric != nullptr ? metric->meaning : std::string_view()},
                    {"block", counter != nullptr ? profile::text_of(counter->block) : ""},
                    {"expression", metric != nullptr ? metric->formula : std::string_view()},
                    {"is_constant", false},
                    {"is_derived", metric != nullptr}});
  }
  return list;
}

Json kernel_symbols(const RocprofRun& run, const RocprofIds& ids) {
  Json list = Json::array();
  for (std::size_t k = 0; k < ids.kernels.size(); ++k) {
    for (const LaunchProfile& l : run.file.launches) {
      if (ids.kernel_of(l) != k + 1) continue;
      list.push_back({{"kernel_id", k + 1},
                      {"code_object_id", 1},
                      {"kernel_name", l.mangled_name},
                      {"group_segment_size", l.lds_bytes},
                      {"private_segment_size", l.scratch_bytes_per_lane},
                      {"sgpr_count", l.sgprs},
                      {"arch_vgpr_count", l.vgprs},
                      {"accum_vgpr_count", l.agprs},
                      {"formatted_kernel_name", l.kernel_name},
                      {"demangled_kernel_name", l.kernel_name},
                      {"truncated_kernel_name", truncated_name(l.kernel_name)}});
      break;
    }
  }
  return list;
}

Json kernel_record(const RocprofRun& run, const LaunchProfile& l, const RocprofIds& ids) {
  return {{"size", 160},
          {"kind", 11},      // ROCPROFILER_BUFFER_TRACING_KERNEL_DISPATCH
          {"operation", 2},  // ROCPROFILER_KERNEL_DISPATCH_COMPLETE
          {"thread_id", run.file.header.process_id},
          {"correlation_id", correlation(l)},
          {"start_timestamp", l.begin_ns},
          {"end_timestamp", l.end_ns},
          {"dispatch_info", dispatch_info(l, ids)}};
}

Json counter_record(const RocprofRun& run, const LaunchProfile& l, const RocprofIds& ids,
                    const std::vector<std::string>& names) {
  Json records = Json::array();
  for (const RocprofCounter& counter : counters_of(run, l)) {
    const auto at = std::lower_bound(names.begin(), names.end(), counter.name) - names.begin();
    records.push_back({{"counter_id", {{"handle", at + 1}}}, {"value", counter.value}});
  }
  return {{"thread_id", run.file.header.process_id},
          {"dispatch_data",
           {{"size", 128},
            {"correlation_id", correlation(l)},
            {"start_timestamp", l.begin_ns},
            {"end_timestamp", l.end_ns},
            {"dispatch_info", dispatch_info(l, ids)}}},
          {"records", std::move(records)},
          {"arch_vgpr_count", l.vgprs},
          {"sgpr_count", l.sgprs},
          {"lds_block_size_v", l.lds_bytes}};
}

}  // namespace

std::string results_json(const RocprofRun& run) {
  const RocprofIds ids(run.file);
  const std::vector<std::string> names = counter_ids(run);
  Json dispatches = Json::array();
  Json collection = Json::array();
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  profile::for_each_launch(run.file.launches, [&](const LaunchProfile& launch) {
    dispatches.push_back(kernel_record(run, launch, ids));
    collection.push_back(counter_record(run, launch, ids, names));
    begin = begin == 0 ? launch.begin_ns : std::min(begin, launch.begin_ns);
    end = std::max(end, launch.end_ns);
  });
  Json buffers = {{"kernel_dispatch", std::move(dispatches)}};
  for (const char* none : {"hip_api", "hsa_api", "marker_api", "rccl_api", "memory_copy",
                           "memory_allocation", "scratch_memory", "rocdecode_api", "rocjpeg_api"}) {
    buffers[none] = Json::array();
  }
  const Json tool = {{"metadata",
                      {{"pid", run.file.header.process_id},
                       {"init_time", begin},
                       {"fini_time", end},
                       {"command", run.file.header.command}}},
                     {"agents", agents(run, ids)},
                     {"counters", counters(names)},
                     {"strings", Json::object()},
                     {"code_objects", Json::array()},
                     {"kernel_symbols", kernel_symbols(run, ids)},
                     {"host_functions", Json::array()},
                     {"callback_records", {{"counter_collection", std::move(collection)}}},
                     {"buffer_records", std::move(buffers)},
                     {"summary", Json::array()}};
  const Json json = {{"rocprofiler-sdk-tool", Json::array({tool})}};
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace wavetank::report
