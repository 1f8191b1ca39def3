#include "report/viewer_folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <tuple>
#include <vector>

#include "base/json.hpp"
#include "isa/row.hpp"
#include "profile/trace_stalls.hpp"

namespace wavetank::report {
namespace {

using profile::LaunchProfile;
using profile::TraceIssue;
using profile::TraceWave;

/// What the files say of themselves; the viewer does not look at it.
constexpr std::string_view kVersion = "3.0.0";
/// The code object that all instructions are said to lie in.
constexpr int kCodeObject = 1;

/// rocprofiler_thread_trace_decoder_inst_category_t. Whether a branch was taken is not recorded.
int category_of(const isa::Row* row) {
  if (row == nullptr) return 0;
  switch (row->unit) {
    case isa::Unit::kSmem: return 1;
    case isa::Unit::kSalu: return 2;
    case isa::Unit::kVectorMemory: return 3;
    case isa::Unit::kFlat: return 4;
    case isa::Unit::kLds: return 5;
    case isa::Unit::kValu:
    case isa::Unit::kMatrix: return 6;
    case isa::Unit::kBranch: return 7;
    case isa::Unit::kInternal: return 9;
    case isa::Unit::kMessage: return 11;
  }
  return 0;
}

/// rocprofiler_thread_trace_decoder_wstate_type_t
enum WaveState { kIdle = 1, kExecutes = 2, kWaits = 3, kStalls = 4 };

/// Lines are numbered from 1; 0 is the kernel's name.
std::size_t line_of(std::size_t instruction) { return instruction + 1; }

/// An issue as the decoder tells it: duration is stall and issue.
struct Told {
  std::uint64_t begin = 0, stall = 0, duration = 0;
};

Told told(const TraceIssue& issue, const profile::SplitStall& split) {
  const bool counts = profile::is_stall(issue.stall_reason);
  const std::uint64_t before = counts ? std::min(split.before, issue.issue_cycle) : 0;
  const std::uint64_t after = counts ? split.after : 0;
  return {issue.issue_cycle - before, before + after, before + issue.issue_cycles + after};
}

/// The states of a wave, one after the other, from its begin to its end.
class States {
 public:
  explicit States(std::uint64_t begin) : at_(begin) {}
  void until(std::uint64_t cycle, WaveState state) {
    if (cycle <= at_) return;
    list_.push_back({static_cast<int>(state), cycle - at_});
    at_ = cycle;
  }
  Json list() { return std::move(list_); }

 private:
  std::uint64_t at_;
  Json list_ = Json::array();
};

/// The issues of each wave, as indices into the trace's.
std::vector<std::vector<std::size_t>> issues_by_wave(const LaunchProfile& launch) {
  std::vector<std::vector<std::size_t>> issues(launch.trace.waves.size());
  for (std::size_t i = 0; i < launch.trace.issues.size(); ++i) {
    const TraceIssue& issue = launch.trace.issues[i];
    const bool is_known =
        issue.wave < issues.size() && issue.instruction < launch.instructions.size();
    if (is_known) issues[issue.wave].push_back(i);
  }
  return issues;
}

Json wave_json(const LaunchProfile& launch, const TraceWave& wave, std::size_t id,
               const std::vector<std::size_t>& issues,
               const std::vector<profile::SplitStall>& splits) {
  Json instructions = Json::array();
  States states(wave.begin_cycle);
  for (const std::size_t i : issues) {
    const TraceIssue& issue = launch.trace.issues[i];
    const Told one = told(issue, splits[i]);
    const isa::Row* const row = launch.instructions[issue.instruction].row;
    instructions.push_back(
        {one.begin, category_of(row), one.stall, one.duration, line_of(issue.instruction)});
    states.until(one.begin, kIdle);
    states.until(issue.issue_cycle, kStalls);
    states.until(issue.issue_cycle + issue.issue_cycles, kExecutes);
    states.until(issue.issue_cycle + issue.issue_cycles + splits[i].after, kWaits);
  }
  const std::uint64_t end = std::max(wave.begin_cycle, wave.end_cycle);
  states.until(end, kWaits);
  return {{"name", fmt::format("SE{}", wave.se)},
          {"duration", end - wave.begin_cycle},
          {"wave",
           {{"cu", wave.cu},
            {"id", id},
            {"simd", wave.simd},
            {"slot", wave.slot},
            {"begin", wave.begin_cycle},
            {"end", end},
            {"instructions", std::move(instructions)},
            {"timeline", states.list()},
            {"waitcnt", Json::array()}}},
          {"num_stitched", issues.size()},
          {"num_insts", issues.size()}};
}

Json code_json(const LaunchProfile& launch) {
  struct Sum {
    std::uint64_t hits = 0, latency = 0, stall = 0, idle = 0;
  };
  std::vector<Sum> sums(launch.instructions.size());
  const auto splits = profile::split_stalls(launch.trace);
  for (std::size_t i = 0; i < launch.trace.issues.size(); ++i) {
    const TraceIssue& issue = launch.trace.issues[i];
    if (issue.instruction >= sums.size()) continue;
    Sum& sum = sums[issue.instruction];
    const Told one = told(issue, splits[i]);
    ++sum.hits;
    sum.latency += one.duration;
    sum.stall += one.stall;
    if (one.stall == 0) sum.idle += issue.stall_cycles;
  }
  Json code = Json::array();
  const std::uint64_t first =
      launch.instructions.empty() ? 0 : launch.instructions.front().virtual_address;
  code.push_back(
      {"; " + launch.mangled_name, 0, 0, launch.kernel_name, kCodeObject, first, 0, 0, 0, 0});
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const profile::InstructionProfile& one = launch.instructions[i];
    const std::string source = one.line == 0 ? "" : fmt::format("{}:{}", one.file, one.line);
    code.push_back({one.text, 0, line_of(i), source, kCodeObject, one.virtual_address, sums[i].hits,
                    sums[i].latency, sums[i].stall, sums[i].idle});
  }
  return {{"code", std::move(code)},
          {"version", kVersion},
          {"header", "ISA, _, LineNumber, Source, Codeobj, Vaddr, Hit, Latency, Stall, Idle"}};
}

/// Begins and ends of the waves: time, CU, SIMD, slot, whether it begins, kernel.
Json occupancy_json(const LaunchProfile& launch) {
  constexpr int kKernel = 1;
  std::map<std::string, std::vector<std::array<std::uint64_t, 6>>> by_engine;
  for (const TraceWave& wave : launch.trace.waves) {
    auto& events = by_engine[std::to_string(wave.se)];
    events.push_back({wave.begin_cycle, wave.cu, wave.simd, wave.slot, 1, kKernel});
    events.push_back({wave.end_cycle, wave.cu, wave.simd, wave.slot, 0, kKernel});
  }
  Json json = Json::object();
  for (auto& [engine, events] : by_engine) {
    std::ranges::sort(events);
    json[engine] = events;
  }
  json["dispatches"] = {{std::to_string(kKernel), launch.kernel_name}};
  json["version"] = kVersion;
  return json;
}

/// Puts a file's name at its path in the tree of folders; "/" is the root of absolute ones.
void add_snapshot(Json& tree, const std::string& path, const std::string& file) {
  Json* at = &tree;
  std::size_t from = 0;
  if (path.starts_with('/')) {
    at = &(*at)["/"];
    from = 1;
  }
  for (std::size_t to = 0; (to = path.find('/', from)) != std::string::npos; from = to + 1) {
    at = &(*at)[path.substr(from, to - from)];
  }
  (*at)[path.substr(from)] = file;
}

}  // namespace

std::map<std::string, std::string> viewer_folder(
    const LaunchProfile& launch, const std::map<std::string, std::string>& sources) {
  std::map<std::string, std::string> files;
  if (launch.trace.waves.empty()) return files;
  const auto text = [](const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
  };
  const auto splits = profile::split_stalls(launch.trace);
  const auto issues = issues_by_wave(launch);
  std::map<std::tuple<unsigned, unsigned, unsigned>, std::size_t> ids;
  Json names = Json::object();
  for (std::size_t w = 0; w < issues.size(); ++w) {
    const TraceWave& wave = launch.trace.waves[w];
    const std::size_t id = ids[{wave.se, wave.simd, wave.slot}]++;
    const std::string name =
        fmt::format("se{}_sm{}_sl{}_wv{}.json", wave.se, wave.simd, wave.slot, id);
    files[name] = text(wave_json(launch, wave, id, issues[w], splits));
    names[std::to_string(wave.se)][std::to_string(wave.simd)][std::to_string(wave.slot)]
         [std::to_string(id)] = {name, wave.begin_cycle,
                                 std::max(wave.begin_cycle, wave.end_cycle)};
  }
  files["code.json"] = text(code_json(launch));
  files["occupancy.json"] = text(occupancy_json(launch));
  files["filenames.json"] = text({{"global_begin_time", 0},
                                  {"gfxv", "vega"},
                                  {"gfxip", 9},
                                  {"version", kVersion},
                                  {"counter_names", Json::array()},
                                  {"wave_filenames", std::move(names)}});
  Json snapshots = Json::object();
  std::size_t number = 0;
  for (const auto& [path, source] : sources) {
    const std::string name =
        fmt::format("source_{}_{}", number++, path.substr(path.rfind('/') + 1));
    files[name] = source;
    add_snapshot(snapshots, path, name);
  }
  if (!snapshots.empty()) files["snapshots.json"] = text(snapshots);
  return files;
}

}  // namespace wavetank::report
