// rocprofv3: the program's kernels on the cycle model, into files of rocprofv3's names and shapes.
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <regex>

#include "cli/output/exit_code.hpp"
#include "cli/profile/profile_views.hpp"
#include "cli/profile/rocprof_output.hpp"
#include "cli/profile/timed_run.hpp"
#include "cli/rocm/profiler_options.hpp"
#include "cli/rocm/tool.hpp"
#include "profile/counter_names.hpp"
#include "profile/merged_launches.hpp"
#include "profile/metrics.hpp"
#include "report/rocprof.hpp"
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

/// Keeps the counters of kernels that the job's expressions choose; a trace has the others, too, as
/// AMD's has. Errors: kUsage for a bad expression.
Result<void> filter(const ProfilerJob& job, LoadedProfile& loaded) {
  if (job.include_regex.empty() && job.exclude_regex.empty()) return {};
  try {
    const std::regex include(job.include_regex.empty() ? ".*" : job.include_regex);
    const std::regex exclude(job.exclude_regex);
    const auto is_left_out = [&](const profile::LaunchProfile& launch) {
      return !std::regex_search(launch.kernel_name, include) ||
             (!job.exclude_regex.empty() && std::regex_search(launch.kernel_name, exclude));
    };
    if (!job.kernel_trace && !job.stats) std::erase_if(loaded.file.launches, is_left_out);
    for (profile::LaunchProfile& launch : loaded.file.launches) {
      if (is_left_out(launch)) profile::drop_counters(launch);
    }
  } catch (const std::regex_error& error) {
    return fail(ErrorCode::kUsage, fmt::format("rocprofv3: bad expression: {}", error.what()));
  }
  return {};
}

void rename(const ProfilerJob& job, LoadedProfile& loaded) {
  for (profile::LaunchProfile& launch : loaded.file.launches) {
    if (job.mangled_names) {
      launch.kernel_name = launch.mangled_name;
    } else if (job.truncated_names) {
      launch.kernel_name = report::truncated_name(launch.kernel_name);
    }
  }
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
  rename(job, *loaded);
  const bool any = !loaded->file.launches.empty();
  const auto paths = write_rocprof(*loaded, output_of(job, loaded->file.header.process_id));
  if (!paths) return tl::unexpected(paths.error());
  if (!any) return {};
  for (const std::string& why_not : counters_without_value(*loaded, job.pmc)) {
    std::fprintf(stderr, "rocprofv3: %s\n", why_not.c_str());
  }
  return {};
}

/// In the words of rocprofv3-avail, which scripts search.
void print_counters() {
  std::uint32_t number = 0;
  for (const target::Device& device : devices_of_shell()) {
    fmt::print("GPU:{}\nName:{}\n", number++, device.gfx());
    for (const profile::CounterName& counter : profile::counter_names()) {
      if (!profile::counts(*device.target, counter.name)) continue;
      fmt::print("Counter_Name        :\t{}\nBlock               :\t{}\n\n", counter.name,
                 profile::text_of(counter.block));
    }
    for (const profile::Metric& metric : profile::metrics()) {
      fmt::print(
          "Counter_Name        :\t{}\nDescription         :\t{}\n"
          "Expression          :\t{}\n\n",
          metric.name, metric.meaning, profile::formula_for(metric, *device.target));
    }
  }
}

int answer(ProfilerQuestion question) {
  if (question == ProfilerQuestion::kHelp) fmt::print("{}", profiler_help());
  if (question == ProfilerQuestion::kCounters) print_counters();
  return kOk;
}

/// Before the program runs, which may take long.
Result<void> check(const ProfilerOptions& options) {
  for (const ProfilerJob& job : options.jobs) {
    if (auto known = check_counters(job.pmc, processors_of_shell()); !known) return known;
  }
  return {};
}

void name_what_is_not_recorded(const std::vector<std::string>& traces) {
  if (traces.empty()) return;
  std::string names;
  for (const std::string& trace : traces) {
    names += (names.empty() ? "" : ", ") + trace.substr(2);
  }
  std::fprintf(stderr, "rocprofv3: Wavetank records no %s\n", names.c_str());
}

}  // namespace

/// Gives the program's exit status, of several runs the first that is not 0.
int run_rocprofv3(const ToolWords& words) {
  const Result<ProfilerOptions> options = parse_profiler_words(words);
  if (!options) return report(options.error());
  if (options->question != ProfilerQuestion::kNone) return answer(options->question);
  if (const auto known = check(*options); !known) return report(known.error());
  name_what_is_not_recorded(options->not_recorded);
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
