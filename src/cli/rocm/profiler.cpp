// rocprofv3: the program's kernels on the cycle model, into files of rocprofv3's names and shapes.
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <regex>

#include "cli/exit_code.hpp"
#include "cli/profile_views.hpp"
#include "cli/rocm/profiler_options.hpp"
#include "cli/rocm/tool.hpp"
#include "cli/rocprof_output.hpp"
#include "cli/timed_run.hpp"
#include "toolchain/temporary_folder.hpp"

namespace wavetank::cli {
namespace {

namespace fs = std::filesystem;

std::string host_name() {
  std::array<char, 256> name{};
  gethostname(name.data(), name.size() - 1);
  return name.data();
}

/// Where a job's files go: DIR/HOST/PID_..., or DIR/NAME_... with -o.
RocprofOutput output_of(const ProfilerJob& job, unsigned process_id) {
  fs::path folder = job.folder.empty() ? "." : job.folder;
  if (!job.sub_folder.empty()) folder /= job.sub_folder;
  RocprofOutput output;
  if (job.file.empty()) {
    folder /= host_name();
    output.prefix = std::to_string(process_id);
  } else {
    const fs::path file = job.file;
    folder /= file.parent_path();
    output.prefix = file.filename().string();
  }
  output.folder = folder.string();
  output.formats = job.formats.empty() ? std::vector<std::string>{"csv"} : job.formats;
  output.kernel_trace = job.kernel_trace;
  output.kernel_stats = job.stats;
  output.counters = !job.pmc.empty();
  output.pmc = job.pmc;
  return output;
}

/// Keeps the launches of kernels that the job is about. Errors: kUsage for a bad expression.
Result<void> filter(const ProfilerJob& job, LoadedProfile& loaded) {
  if (job.include_regex.empty() && job.exclude_regex.empty()) return {};
  try {
    const std::regex include(job.include_regex.empty() ? ".*" : job.include_regex);
    const std::regex exclude(job.exclude_regex);
    std::erase_if(loaded.file.launches, [&](const profile::LaunchProfile& launch) {
      return !std::regex_search(launch.kernel_name, include) ||
             (!job.exclude_regex.empty() && std::regex_search(launch.kernel_name, exclude));
    });
  } catch (const std::regex_error& error) {
    return fail(ErrorCode::kUsage, fmt::format("rocprofv3: bad expression: {}", error.what()));
  }
  return {};
}

Result<void> write_files(const ProfilerJob& job, const std::string& profile) {
  std::error_code error;
  if (!fs::exists(profile, error)) {
    std::fprintf(stderr, "rocprofv3: the program launched no kernel on the device\n");
    return {};
  }
  Result<LoadedProfile> loaded = load_profile(profile);
  if (!loaded) return tl::unexpected(loaded.error());
  if (const auto kept = filter(job, *loaded); !kept) return kept;
  const bool any = !loaded->file.launches.empty();
  const auto paths = write_rocprof(*loaded, output_of(job, loaded->file.header.process_id));
  if (!paths) return tl::unexpected(paths.error());
  if (!any) return {};
  for (const std::string& why_not : counters_without_value(*loaded, job.pmc)) {
    std::fprintf(stderr, "rocprofv3: %s\n", why_not.c_str());
  }
  return {};
}

}  // namespace

/// Gives the program's exit status, of several runs the first that is not 0.
int run_rocprofv3(const ToolWords& words) {
  const Result<ProfilerOptions> options = parse_profiler_words(words);
  if (!options) return report(options.error());
  for (const std::string& trace : options->not_recorded) {
    std::fprintf(stderr, "rocprofv3: Wavetank records no %s\n", trace.c_str() + 2);
  }
  const auto folder = toolchain::TemporaryFolder::make();
  if (!folder) return report(folder.error());
  int first_failure = 0;
  for (const ProfilerJob& job : options->jobs) {
    const std::string profile = (folder->path() / "profile.wt").string();
    const Result<int> status = run_timed({.runtime = {},
                                          .path = profile,
                                          .words = options->program,
                                          .command = "shell -- rocprofv3 --"});
    if (!status) return report(status.error());
    if (const auto written = write_files(job, profile); !written) return report(written.error());
    if (first_failure == 0) first_failure = *status;
  }
  return first_failure;
}

}  // namespace wavetank::cli
