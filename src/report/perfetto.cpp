#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "base/json.hpp"
#include "profile/hot_lines.hpp"
#include "profile/launch_repeats.hpp"
#include "report/json.hpp"

namespace wavetank::report {
namespace {

using profile::LaunchProfile;
using profile::TraceWave;

/// Microseconds of trace time for a cycle: see perfetto_json.
constexpr double kMicrosecondsPerCycle = 1e-3;

class Events {
 public:
  void process(unsigned pid, const std::string& name) {
    list_.push_back(
        {{"name", "process_name"}, {"ph", "M"}, {"pid", pid}, {"args", {{"name", name}}}});
  }
  void thread(unsigned pid, unsigned tid, const std::string& name) {
    list_.push_back({{"name", "thread_name"},
                     {"ph", "M"},
                     {"pid", pid},
                     {"tid", tid},
                     {"args", {{"name", name}}}});
  }
  void slice(unsigned pid, unsigned tid, const std::string& name, double begin_us, double length_us,
             Json arguments) {
    list_.push_back({{"name", name},
                     {"ph", "X"},
                     {"pid", pid},
                     {"tid", tid},
                     {"ts", begin_us},
                     {"dur", length_us},
                     {"args", std::move(arguments)}});
  }
  void counter(unsigned pid, const std::string& name, double at_us, long value) {
    list_.push_back(
        {{"name", name}, {"ph", "C"}, {"pid", pid}, {"ts", at_us}, {"args", {{"value", value}}}});
  }
  std::string text() const {
    const Json json = {{"displayTimeUnit", "ns"}, {"traceEvents", list_}};
    return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  }

 private:
  Json list_ = Json::array();
};

double us(std::uint64_t cycle) { return static_cast<double>(cycle) * kMicrosecondsPerCycle; }

void add_queues(Events& events, const std::vector<LaunchProfile>& launches, unsigned& pids) {
  std::map<std::string, unsigned> devices;
  std::set<std::pair<unsigned, std::uint64_t>> queues;
  profile::for_each_launch(launches, [&](const LaunchProfile& l) {
    const auto [device, added] = devices.emplace(l.device, pids + 1);
    if (added) events.process(++pids, l.device);
    const auto tid = static_cast<unsigned>(l.stream_id + 1);
    if (queues.emplace(device->second, l.stream_id).second) {
      events.thread(device->second, tid, fmt::format("queue {}", l.stream_id + 1));
    }
    const auto ns = static_cast<double>(l.end_ns - std::min(l.begin_ns, l.end_ns));
    events.slice(device->second, tid, l.kernel_name, static_cast<double>(l.begin_ns) / 1e3,
                 ns / 1e3,
                 {{"dispatch_id", l.dispatch_id},
                  {"cycles", l.cycles},
                  {"grid_work_items", l.grid_work_items.count()},
                  {"workgroup_work_items", l.workgroup_work_items.count()},
                  {"vgprs", l.vgprs},
                  {"lds_bytes", l.lds_bytes},
                  {"sampled", l.sampling.sampled}});
  });
}

/// Steps of a level that rises and falls: time and change.
using Steps = std::vector<std::pair<std::uint64_t, long>>;

void add_counter(Events& events, unsigned pid, const std::string& name, Steps steps) {
  std::sort(steps.begin(), steps.end());
  long level = 0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    level += steps[i].second;
    const bool last_of_cycle = i + 1 == steps.size() || steps[i + 1].first != steps[i].first;
    if (last_of_cycle) events.counter(pid, name, us(steps[i].first), level);
  }
}

/// The waves of one CU on the slots of its SIMDs, and how many there are.
void add_cu(Events& events, unsigned pid, const profile::ThreadTrace& trace,
            const std::vector<std::size_t>& waves) {
  std::map<std::uint32_t, Steps> per_simd;
  std::map<std::uint64_t, std::pair<std::uint64_t, std::uint64_t>> groups;
  std::set<unsigned> named;
  for (const std::size_t at : waves) {
    const TraceWave& w = trace.waves[at];
    const unsigned tid = w.simd * 16 + w.slot + 1;
    if (named.insert(tid).second) {
      events.thread(pid, tid, fmt::format("SIMD {} slot {}", w.simd, w.slot));
    }
    const std::uint64_t end = std::max(w.begin_cycle, w.end_cycle);
    events.slice(pid, tid, fmt::format("workgroup {} wave {}", w.workgroup, w.wave_in_group),
                 us(w.begin_cycle), us(end - w.begin_cycle), {{"workgroup", w.workgroup}});
    per_simd[w.simd].emplace_back(w.begin_cycle, 1);
    per_simd[w.simd].emplace_back(end, -1);
    const auto [group, added] = groups.emplace(w.workgroup, std::pair(w.begin_cycle, end));
    group->second.first = std::min(group->second.first, w.begin_cycle);
    group->second.second = std::max(group->second.second, end);
  }
  for (const auto& [simd, steps] : per_simd) {
    add_counter(events, pid, fmt::format("waves on SIMD {}", simd), steps);
  }
  Steps steps;
  for (const auto& [id, stay] : groups) {
    steps.emplace_back(stay.first, 1);
    steps.emplace_back(stay.second, -1);
  }
  add_counter(events, pid, "workgroups", std::move(steps));
}

void add_issues(Events& events, const LaunchProfile& launch,
                const std::map<std::size_t, unsigned>& pid_of_wave) {
  for (const profile::TraceIssue& issue : launch.trace.issues) {
    const auto pid = pid_of_wave.find(issue.wave);
    if (pid == pid_of_wave.end() || issue.instruction >= launch.instructions.size()) continue;
    const TraceWave& w = launch.trace.waves[issue.wave];
    events.slice(pid->second, w.simd * 16 + w.slot + 1, launch.instructions[issue.instruction].text,
                 us(issue.issue_cycle), us(std::max(issue.issue_cycles, 1u)),
                 {{"stall_cycles", issue.stall_cycles},
                  {"stall_reason", profile::key_of(issue.stall_reason)},
                  {"source", profile::place_of(launch.instructions[issue.instruction])}});
  }
}

void add_trace(Events& events, const LaunchProfile& launch, unsigned& pids) {
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::vector<std::size_t>> cus;
  for (std::size_t i = 0; i < launch.trace.waves.size(); ++i) {
    const TraceWave& w = launch.trace.waves[i];
    cus[{w.xcd, w.se, w.cu}].push_back(i);
  }
  std::map<std::size_t, unsigned> pid_of_wave;
  for (const auto& [place, waves] : cus) {
    const auto& [xcd, se, cu] = place;
    events.process(++pids, fmt::format("{} #{}: XCD {} SE {} CU {} (1 us = 1000 cycles)",
                                       launch.kernel_name, launch.dispatch_id, xcd, se, cu));
    for (const std::size_t wave : waves) pid_of_wave[wave] = pids;
    add_cu(events, pids, launch.trace, waves);
  }
  add_issues(events, launch, pid_of_wave);
}

}  // namespace

std::string perfetto_json(const profile::ProfileFile& file) {
  Events events;
  unsigned pids = 0;
  add_queues(events, file.launches, pids);
  for (const LaunchProfile& launch : file.launches) add_trace(events, launch, pids);
  return events.text();
}

}  // namespace wavetank::report
