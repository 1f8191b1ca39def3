#include "report/page_json.hpp"

#include <algorithm>

#include "isa/row.hpp"
#include "profile/launch_repeats.hpp"
#include "report/diff.hpp"
#include "target/occupancy.hpp"

namespace wavetank::report {
namespace {

using profile::InstructionProfile;
using profile::LaunchProfile;
using profile::Reason;

/// Cycles by the keys of their reasons; those without any are left out.
Json cycles_json(const profile::ReasonCycles& cycles) {
  Json json = Json::object();
  for (std::size_t r = 0; r < profile::kReasonCount; ++r) {
    if (cycles[r] == 0) continue;
    json[std::string(profile::key_of(static_cast<Reason>(r)))] = cycles[r];
  }
  return json;
}

/// What a memory instruction moves for each lane, and where.
void add_shape(Json& json, const isa::Row& row) {
  if (row.memory.action == isa::MemoryAction::kNone) return;
  json["bytes_per_lane"] = row.memory.element_bytes * row.memory.element_count;
  if (row.unit == isa::Unit::kLds) json["is_lds"] = true;
}

Json instruction_json(const InstructionProfile& instruction) {
  Json json = {{"offset", instruction.offset},
               {"text", instruction.text},
               {"hits", instruction.hits},
               {"cycles", cycles_json(instruction.cycles)}};
  if (instruction.line != 0) {
    json["file"] = instruction.file;
    json["line"] = instruction.line;
  }
  if (instruction.row != nullptr) add_shape(json, *instruction.row);
  const auto add = [&](const char* key, double value) {
    if (value != 0) json[key] = value;
  };
  add("active_lanes", instruction.active_lanes);
  add("lines_touched", instruction.lines_touched);
  add("lines_needed", instruction.lines_needed);
  add("private_accesses", instruction.private_accesses);
  if (instruction.strided_accesses > 0) {
    json["stride"] = {{"least", instruction.stride.least},
                      {"greatest", instruction.stride.greatest}};
  }
  add("translation_misses", instruction.translation_misses);
  add("lds_conflict_cycles", instruction.lds_conflict_cycles);
  add("awaited_cycles", instruction.awaited_cycles);
  return json;
}

/// Which group each profile of a run belongs to; the number of groups for those that are not shown.
std::vector<std::size_t> groups_of_profiles(const PageRun& run) {
  std::vector<std::size_t> groups(run.profile.launches.size(), run.groups.size());
  for (std::size_t g = 0; g < run.groups.size(); ++g) {
    for (const std::size_t launch : run.groups[g].group.launches) groups[launch] = g;
  }
  return groups;
}

}  // namespace

Json instructions_json(const LaunchProfile& launch) {
  Json list = Json::array();
  for (const InstructionProfile& one : launch.instructions) list.push_back(instruction_json(one));
  return list;
}

Json occupancy_limits_json(const LaunchProfile& launch, const target::Device& device) {
  Json list = Json::array();
  const auto answer = target::occupancy(device, profile::resources_of(launch));
  if (!answer) return list;
  for (const target::ResourceLimit& limit : answer->limits) {
    Json json = {{"resource", target::to_text(limit.resource)},
                 {"used", limit.used},
                 {"allocated", limit.allocated},
                 {"waves_per_simd", limit.waves_per_simd},
                 {"workgroups_per_cu", limit.workgroups_per_cu}};
    if (limit.give_up) json["give_up"] = *limit.give_up;
    list.push_back(std::move(json));
  }
  return list;
}

Json launches_json(const PageRun& run) {
  const std::vector<std::size_t> groups = groups_of_profiles(run);
  Json kernel = Json::array(), queue = Json::array(), begin = Json::array();
  Json length = Json::array(), cycles = Json::array();
  std::size_t all = 0;
  for (std::size_t p = 0; p < groups.size(); ++p) {
    if (groups[p] == run.groups.size()) continue;
    profile::for_each_launch_of(run.profile.launches[p], [&](const LaunchProfile& launch) {
      if (++all > kMostPageLaunches) return;
      kernel.push_back(groups[p]);
      queue.push_back(launch.stream_id);
      begin.push_back(launch.begin_ns);
      length.push_back(launch.end_ns - std::min(launch.begin_ns, launch.end_ns));
      cycles.push_back(launch.cycles);
    });
  }
  return {{"kernel", std::move(kernel)},  {"queue", std::move(queue)},
          {"begin_ns", std::move(begin)}, {"length_ns", std::move(length)},
          {"cycles", std::move(cycles)},  {"left_out", all - std::min(all, kMostPageLaunches)}};
}

Json transfers_json(const profile::ProfileFile& profile) {
  Json kind = Json::array(), queue = Json::array(), bytes = Json::array();
  Json begin = Json::array(), length = Json::array();
  for (const profile::Transfer& transfer : profile.transfers) {
    kind.push_back(static_cast<unsigned>(transfer.kind));
    queue.push_back(transfer.stream_id);
    bytes.push_back(transfer.bytes);
    begin.push_back(transfer.begin_ns);
    length.push_back(transfer.end_ns - std::min(transfer.begin_ns, transfer.end_ns));
  }
  return {{"kind", std::move(kind)},        {"queue", std::move(queue)},
          {"bytes", std::move(bytes)},      {"begin_ns", std::move(begin)},
          {"length_ns", std::move(length)}, {"left_out", profile.transfers_left_out}};
}

Json pairs_json(const PageRun& before, const PageRun& after) {
  const auto groups_only = [](const PageRun& run) {
    std::vector<KernelGroup> groups;
    for (const JudgedGroup& judged : run.groups) groups.push_back(judged.group);
    return groups;
  };
  const auto changes_json = [](const std::vector<Change>& changes) {
    Json list = Json::array();
    for (const Change& change : changes) {
      list.push_back({{"name", change.name},
                      {"unit", change.unit},
                      {"before", change.before},
                      {"after", change.after}});
    }
    return list;
  };
  Json list = Json::array();
  for (const KernelPair& pair : pair_kernels(before.profile.launches, groups_only(before),
                                             after.profile.launches, groups_only(after))) {
    const JudgedGroup& a = before.groups[pair.before];
    const JudgedGroup& b = after.groups[pair.after];
    const LaunchProfile& one = before.profile.launches[a.group.shown];
    const LaunchProfile& other = after.profile.launches[b.group.shown];
    list.push_back({{"before", pair.before},
                    {"after", pair.after},
                    {"reasons", changes_json(changes_by_reason(one, other))},
                    {"metrics", changes_json(changed_metrics(one, other, a.device, b.device))}});
  }
  return list;
}

}  // namespace wavetank::report
