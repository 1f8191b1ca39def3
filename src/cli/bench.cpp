// wavetank bench accuracy: runs the programs behind published measurements on the cycle model and
// says how far off it is.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <span>
#include <utility>

#include "base/embedded_file.hpp"
#include "cli/accuracy_programs.hpp"
#include "cli/accuracy_report.hpp"
#include "cli/accuracy_suite.hpp"
#include "cli/command.hpp"
#include "cli/exit_code.hpp"
#include "cli/profile_views.hpp"
#include "cli/rocprof_output.hpp"
#include "profile/metrics.hpp"
#include "toolchain/paths.hpp"
#include "toolchain/process.hpp"
#include "toolchain/temporary_folder.hpp"

namespace wavetank::cli {

/// bench/accuracy/measured.csv, compiled in.
std::span<const EmbeddedFile> accuracy_tables();

namespace {

namespace fs = std::filesystem;

struct Options {
  std::string suite;
  std::vector<std::string> families;
  std::string device;
  std::string keep;  ///< folder of the programs' outputs and profiles; empty: not kept
  bool json = false;
  bool markdown = false;
};

/// The device on which rows of a published device are run: a name, or a description beside the
/// sources.
std::string device_to_run(const std::string& published) {
  if (published == "gfx942") return "mi300x";
  if (published == "mi250x (1 GCD)") return "mi250x";
  if (published == "mi300a, one XCD") {
    return (accuracy_sources() / "mi300a_one_xcd.toml").string();
  }
  return published;
}

/// True if a run for rows of this published device gives the row, too.
bool is_run_on(const std::string& published, const AccuracyRow& row) {
  return device_to_run(row.device) == device_to_run(published);
}

/// Fills rows whose metric is a counter or a derived metric from the first launch of the run.
Result<void> join_counters(const std::string& profile_path, const std::string& family,
                           const std::string& device, std::vector<AccuracyRow>& rows) {
  constexpr std::string_view kCounter = "counter ";
  constexpr double kBytesPerKib = 1024;
  const Result<LoadedProfile> loaded = load_profile(profile_path);
  if (!loaded) return tl::unexpected(loaded.error());
  if (loaded->file.launches.empty()) return {};
  const profile::LaunchProfile& launch = loaded->file.launches.front();
  for (AccuracyRow& row : rows) {
    if (row.family != family || !is_run_on(device, row) || row.simulated) continue;
    const bool counter = row.metric.starts_with(kCounter);
    const std::string name = counter ? row.metric.substr(kCounter.size()) : row.metric;
    const profile::Metric* metric = profile::find_metric(name);
    if (!counter && metric == nullptr) continue;
    auto value = profile::value_of(name, launch, loaded->device_of(launch)).value;
    if (value && metric != nullptr && metric->unit == "KiB" && row.unit == "GB") {
      *value *= kBytesPerKib * 1e-9;
    }
    row.simulated = value;
  }
  return {};
}

/// A run of one program on one device, and where it leaves what it printed and its profile.
struct Run {
  std::string family;
  std::string device;
  fs::path output;
  fs::path profile;
};

Run run_in(const fs::path& folder, const std::string& family, const std::string& device) {
  std::string name = family + " on " + device;
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return {family, device, folder / (name + ".csv"), folder / (name + ".wt")};
}

bool is_kept(const Run& run) {
  std::error_code error;
  return fs::exists(run.output, error);
}

/// The programs of the runs, but for those of which the output is kept from before.
Result<std::map<std::string, fs::path>> programs_of(const std::vector<Run>& runs,
                                                    const fs::path& folder) {
  std::vector<std::string> names;
  for (const Run& run : runs) {
    if (!is_kept(run)) names.push_back(accuracy_program_name(run.family));
  }
  return accuracy_programs(names, accuracy_sources(), folder);
}

/// Runs the program of one family on one device under `wavetank profile`.
Result<void> execute(const Run& run, const fs::path& program) {
  const auto begin = std::chrono::steady_clock::now();
  std::fprintf(stderr, "  %-14s %-16s", run.family.c_str(), run.device.c_str());
  const Result<toolchain::Finished> finished = toolchain::capture_process(
      {toolchain::find_paths().program.string(), "profile", "--device", device_to_run(run.device),
       "-o", run.profile.string(), program.string()});
  if (!finished) return tl::unexpected(finished.error());
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  std::fprintf(stderr, " %6.1f s%s\n", took.count(),
               finished->exit_status == 0 ? "" : "  the program failed");
  if (finished->exit_status != 0) return {};
  return write_text(run.output.string(), finished->output);
}

/// Joins what a finished run gave.
Result<void> join_run(const Run& run, std::vector<AccuracyRow>& rows) {
  std::ifstream file(run.output, std::ios::binary);
  if (!file) return {};  // the program failed: its rows stay without a value
  join_output(std::string{std::istreambuf_iterator<char>(file), {}}, rows);
  std::error_code error;
  if (!fs::exists(run.profile, error)) return {};
  return join_counters(run.profile.string(), run.family, run.device, rows);
}

/// Runs what is not kept from before, and joins all.
Result<void> run_all(const std::vector<Run>& runs, const fs::path& folder,
                     std::vector<AccuracyRow>& rows) {
  const auto programs = programs_of(runs, folder);
  if (!programs) return tl::unexpected(programs.error());
  for (const Run& run : runs) {
    if (!is_kept(run)) {
      const fs::path& program = programs->at(accuracy_program_name(run.family));
      if (const auto done = execute(run, program); !done) return done;
    }
    if (const auto done = join_run(run, rows); !done) return done;
  }
  return {};
}

bool is_wanted(const AccuracyRow& row, const Options& options) {
  if (!options.device.empty() && row.device.find(options.device) == std::string::npos) return false;
  for (const std::string& family : options.families) {
    if (row.family == family) return true;
  }
  return options.families.empty();
}

/// A run for each family of the rows and device that it is run on, in their order.
std::vector<Run> runs_of(const std::vector<AccuracyRow>& rows, const fs::path& folder) {
  std::vector<Run> runs;
  for (const AccuracyRow& row : rows) {
    const auto same = [&](const Run& run) {
      return run.family == row.family && is_run_on(run.device, row);
    };
    if (std::ranges::none_of(runs, same)) runs.push_back(run_in(folder, row.family, row.device));
  }
  return runs;
}

int accuracy(const Options& options) {
  Result<std::vector<AccuracyRow>> rows = read_measured(accuracy_tables().front().text);
  if (!rows) return report(rows.error());
  std::erase_if(*rows, [&](const AccuracyRow& row) { return !is_wanted(row, options); });
  if (rows->empty()) {
    return report({ErrorCode::kUsage,
                   "no published measurement is of that family and device",
                   {},
                   {},
                   "`wavetank bench --help` starts with examples"});
  }
  Result<toolchain::TemporaryFolder> temporary = toolchain::TemporaryFolder::make();
  if (!temporary) return report(temporary.error());
  const fs::path folder = options.keep.empty() ? temporary->path() : fs::absolute(options.keep);
  std::error_code error;
  fs::create_directories(folder, error);
  if (const auto done = run_all(runs_of(*rows, folder), folder, *rows); !done) {
    return report(done.error());
  }
  if (options.json) {
    print_json(accuracy_json(*rows));
  } else {
    std::printf("%s", (options.markdown ? accuracy_markdown(*rows) : accuracy_text(*rows)).c_str());
  }
  return summarize(*rows).overall.missing == 0 ? kOk : kProgramFailed;
}

}  // namespace

void add_bench(CommandLine& line) {
  Command command = line.add("bench", "Hold the cycle model to published measurements",
                             "wavetank bench accuracy\n"
                             "wavetank bench accuracy transpose mxv\n"
                             "wavetank bench accuracy --device mi210 --json");
  auto options = std::make_shared<Options>();
  command.argument("SUITE", options->suite, "accuracy").required().one_of({"accuracy"});
  command.argument("FAMILY", options->families, "Only these families");
  command.value("--device TEXT", options->device, "Only devices whose name contains this");
  command.value("--keep DIR", options->keep,
                "Keep outputs and profiles here; what is there from before is not run again");
  command.flag("--json", options->json, "Print JSON");
  command.flag("--markdown", options->markdown, "Print docs/accuracy.md");
  command.does([=] { return accuracy(*options); });
}

}  // namespace wavetank::cli
