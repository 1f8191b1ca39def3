#include "cli/profile/rocprof_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "cli/output/text_output.hpp"
#include "profile/metrics.hpp"
#include "report/rocprof.hpp"

namespace wavetank::cli {
namespace {

namespace fs = std::filesystem;

Result<void> write_csv(const report::RocprofRun& run, const RocprofOutput& output,
                       std::vector<std::string>& paths) {
  std::vector<std::pair<std::string, std::string>> files = {
      {"agent_info", report::agent_info_csv(run)}};
  if (output.kernel_trace) {
    files.emplace_back("kernel_trace", report::kernel_trace_csv(run));
  }
  if (output.kernel_stats) files.emplace_back("kernel_stats", report::kernel_stats_csv(run));
  if (output.counters) {
    files.emplace_back("counter_collection", report::counter_collection_csv(run));
  }
  for (const auto& [name, text] : files) {
    paths.push_back(fmt::format("{}/{}_{}.csv", output.folder, output.prefix, name));
    if (const Result<void> done = write_text(paths.back(), text); !done) return done;
  }
  return {};
}

}  // namespace

Result<void> check_counters(const std::vector<std::string>& names,
                            const std::vector<const isa::Target*>& processors) {
  for (const std::string& name : names) {
    Result<std::vector<std::string>> last = std::vector<std::string>();
    const bool known =
        processors.empty() || std::ranges::any_of(processors, [&](const isa::Target* target) {
          last = profile::counters_of(name, *target);
          return last.has_value();
        });
    if (!known) return tl::unexpected(last.error());
  }
  return {};
}

std::vector<std::string> counters_without_value(const LoadedProfile& loaded,
                                                const std::vector<std::string>& pmc) {
  std::vector<std::string> missing;
  for (const std::string& name : pmc) {
    std::string why_not;
    bool any = false;
    for (const profile::LaunchProfile& launch : loaded.file.launches) {
      const profile::MetricValue value = profile::value_of(name, launch, loaded.device_of(launch));
      any = any || value.value.has_value();
      if (!value.value) why_not = value.why_not;
    }
    if (!any) missing.push_back(fmt::format("{} has no value: {}", name, why_not));
  }
  return missing;
}

Result<std::vector<std::string>> write_rocprof(const LoadedProfile& loaded,
                                               const RocprofOutput& output) {
  std::vector<const isa::Target*> processors;
  for (const auto& [name, device] : loaded.devices) processors.push_back(device.target);
  if (const Result<void> known = check_counters(output.pmc, processors); !known) {
    return tl::unexpected(known.error());
  }
  std::error_code error;
  fs::create_directories(output.folder, error);
  const report::RocprofRun run{loaded.file, loaded.devices, output.pmc};
  std::vector<std::string> paths;
  for (const std::string& format : output.formats) {
    Result<void> done;
    if (format == "csv") {
      done = write_csv(run, output, paths);
    } else if (format == "json") {
      paths.push_back(fmt::format("{}/{}_results.json", output.folder, output.prefix));
      done = write_text(paths.back(), report::results_json(run));
    } else if (format == "rocpd") {
      paths.push_back(fmt::format("{}/{}_results.db", output.folder, output.prefix));
      done = report::write_rocpd(run, paths.back());
    } else {
      done = fail(ErrorCode::kUsage, fmt::format("there is no output format {}", format), {},
                  "csv, json, rocpd");
    }
    if (!done) return tl::unexpected(done.error());
  }
  return paths;
}

}  // namespace wavetank::cli
