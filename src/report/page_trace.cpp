#include <algorithm>
#include <unordered_map>

#include "profile/trace_stalls.hpp"
#include "report/page_json.hpp"

namespace wavetank::report {
namespace {

using profile::LaunchProfile;

Json waves_json(const std::vector<profile::TraceWave>& waves) {
  Json list = Json::array();
  for (const profile::TraceWave& w : waves) {
    list.push_back({{"xcd", w.xcd},
                    {"se", w.se},
                    {"cu", w.cu},
                    {"simd", w.simd},
                    {"slot", w.slot},
                    {"workgroup", w.workgroup},
                    {"wave", w.wave_in_group},
                    {"begin", w.begin_cycle},
                    {"end", std::max(w.begin_cycle, w.end_cycle)}});
  }
  return list;
}

/// Where the instructions of a launch stand in the list of another launch of the same kernel.
std::vector<std::size_t> places_in(const LaunchProfile& shown, const LaunchProfile& traced) {
  std::unordered_map<std::uint64_t, std::size_t> by_offset;
  for (std::size_t i = 0; i < shown.instructions.size(); ++i) {
    by_offset.emplace(shown.instructions[i].offset, i);
  }
  std::vector<std::size_t> places;
  for (const profile::InstructionProfile& instruction : traced.instructions) {
    const auto found = by_offset.find(instruction.offset);
    places.push_back(found == by_offset.end() ? shown.instructions.size() : found->second);
  }
  return places;
}

/// One list for each fact: thousands of objects would repeat their keys.
Json issues_json(const LaunchProfile& shown, const LaunchProfile& traced) {
  const std::vector<std::size_t> places = places_in(shown, traced);
  Json wave = Json::array(), instruction = Json::array(), cycle = Json::array();
  Json length = Json::array(), stall = Json::array(), wait = Json::array();
  Json reason = Json::array();
  const std::vector<profile::SplitStall> stalls = profile::split_stalls(traced.trace);
  for (std::size_t i = 0; i < traced.trace.issues.size(); ++i) {
    const profile::TraceIssue& issue = traced.trace.issues[i];
    if (issue.instruction >= places.size()) continue;
    if (places[issue.instruction] == shown.instructions.size()) continue;
    wave.push_back(issue.wave);
    instruction.push_back(places[issue.instruction]);
    cycle.push_back(issue.issue_cycle);
    length.push_back(issue.issue_cycles);
    stall.push_back(stalls[i].before);
    wait.push_back(stalls[i].after);
    reason.push_back(profile::key_of(issue.stall_reason));
  }
  return {{"wave", std::move(wave)},    {"instruction", std::move(instruction)},
          {"cycle", std::move(cycle)},  {"length", std::move(length)},
          {"stall", std::move(stall)},  {"wait", std::move(wait)},
          {"reason", std::move(reason)}};
}

/// The launch of a group whose workgroups' stays are known: the one that is shown, or another.
const LaunchProfile* launch_with_stays(const PageRun& run, const KernelGroup& group) {
  const std::vector<LaunchProfile>& launches = run.profile.launches;
  const auto has = [&](std::size_t launch) { return !launches[launch].stays.kept.empty(); };
  if (has(group.shown)) return &launches[group.shown];
  const auto found = std::ranges::find_if(group.launches, has);
  return found == group.launches.end() ? nullptr : &launches[*found];
}

}  // namespace

std::size_t stay_count(const PageRun& run, const KernelGroup& group) {
  const LaunchProfile* const launch = launch_with_stays(run, group);
  return launch == nullptr ? 0 : launch->stays.kept.size();
}

/// Differences are small numbers, which a page holds in less room.
Json stays_json(const PageRun& run, const KernelGroup& group) {
  const LaunchProfile* const launch = launch_with_stays(run, group);
  if (launch == nullptr) return nullptr;
  Json cu = Json::array(), workgroup = Json::array();
  Json begin = Json::array(), length = Json::array();
  profile::WorkgroupStay before;
  for (const profile::WorkgroupStay& stay : launch->stays.kept) {
    cu.push_back(stay.cu);
    workgroup.push_back(static_cast<std::int64_t>(stay.workgroup - before.workgroup));
    begin.push_back(stay.begin_cycle - before.begin_cycle);
    length.push_back(stay.end_cycle - std::min(stay.begin_cycle, stay.end_cycle));
    before = stay;
  }
  return {{"dispatch_id", launch->dispatch_id},
          {"workgroups", launch->sampling.workgroups},
          {"simulated", launch->sampling.simulated_workgroups},
          {"left_out", launch->stays.left_out},
          {"cu", std::move(cu)},
          {"workgroup", std::move(workgroup)},
          {"begin", std::move(begin)},
          {"length", std::move(length)}};
}

Json trace_json(const PageRun& run, const KernelGroup& group) {
  const std::vector<LaunchProfile>& launches = run.profile.launches;
  const auto traced = std::ranges::find_if(
      group.launches, [&](std::size_t launch) { return !launches[launch].trace.waves.empty(); });
  if (traced == group.launches.end()) return nullptr;
  const LaunchProfile& launch = launches[*traced];
  return {{"dispatch_id", launch.dispatch_id},
          {"waves", waves_json(launch.trace.waves)},
          {"issues", issues_json(launches[group.shown], launch)}};
}

}  // namespace wavetank::report
