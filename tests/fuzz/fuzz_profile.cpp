// Any text as a profiled launch: reading it, judging it and every view of it must not crash.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "profile/merged_launches.hpp"
#include "profile/profile_text.hpp"
#include "profile/verdict.hpp"
#include "report/diff.hpp"
#include "report/json.hpp"
#include "report/plots.hpp"
#include "report/rocprof.hpp"
#include "report/screen.hpp"
#include "report/thread_trace.hpp"
#include "target/load_device.hpp"

namespace {

using namespace wavetank;

void require(bool holds) {
  if (!holds) std::abort();
}

void show(const profile::LaunchProfile& launch) {
  static const std::map<std::string, target::Device> kDevices = {
      {"mi210", *target::load_device("mi210")}, {"mi300x", *target::load_device("mi300x")}};
  const auto device = kDevices.find(launch.device);
  if (device == kDevices.end()) return;
  const profile::ProfileFile file{{}, {launch}, false};
  const auto groups = report::group_launches(file.launches);
  const profile::Verdict verdict = profile::judge(launch, device->second);
  unsigned permille = 0, of_waves = 0;
  for (const profile::StallShare& share : verdict.stack) {
    permille += share.permille;
    of_waves += share.permille_of_waves;
  }
  require(verdict.stack.empty() || permille == 1000);
  require(of_waves == 1000 || of_waves == 0);
  const report::PlottedKernel kernel{launch, verdict};
  const report::RocprofRun run{file, kDevices, {}};
  const std::string views[] = {
      report::kernel_screen(file.launches, groups[0], verdict, device->second, {}),
      report::summary_table(file.launches, groups, {}),
      report::kernel_diff(launch, launch, device->second, device->second, {}),
      report::timeline_text(launch, {}),
      report::thread_trace_csv(launch),
      report::report_json(file, {{groups[0], verdict, device->second}}),
      report::perfetto_json(file),
      report::kernel_trace_csv(run),
      report::counter_collection_csv(run),
      report::kernel_stats_csv(run),
      report::results_json(run),
      report::stall_stack_svg({kernel}),
      report::roofline_svg(device->second, {kernel}),
      report::occupancy_svg(device->second, kernel)};
  require(!views[0].empty());
}

/// A launch of a merged profile, whose changes are of any counters.
void show(const profile::MergedLine& line) {
  const profile::Counters reference = {{"SQ_WAVES", {8, 2, 4}}, {"TCC_HIT", {0, 0, 16}}};
  const profile::Counters counters = profile::changed(reference, line.changes);
  require(counters.size() == reference.size());
  require(profile::merged_from_line(profile::to_line(line)).has_value());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view line(reinterpret_cast<const char*>(data), size);
  if (const auto launch = profile::merged_from_line(line)) show(*launch);
  if (const auto launch = profile::from_line(line)) {
    show(*launch);
    require(profile::from_line(profile::to_line(*launch)).has_value());
  }
  return 0;
}
