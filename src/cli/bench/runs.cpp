#include "cli/bench/runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "cli/bench/programs.hpp"
#include "cli/output/text_output.hpp"
#include "cli/profile/profile_views.hpp"
#include "profile/launch_repeats.hpp"
#include "profile/metrics.hpp"
#include "toolchain/paths.hpp"
#include "toolchain/process.hpp"

namespace wavetank::cli {
namespace {

namespace fs = std::filesystem;

/// A run takes up to 9 GB of memory. Runs beside each other gain more than threads of one.
constexpr unsigned kRunsAtOnce = 2;

/// A run of one program on one device, and where it leaves what it printed and its profile.
struct Run {
  std::string family;
  std::string device;  ///< as accuracy_device() gives it
  fs::path output;
  fs::path profile;
  std::optional<Error> error = {};

  bool is_for(const AccuracyRow& row) const {
    return row.family == family && accuracy_device(row.device) == device;
  }
  bool is_kept() const {
    std::error_code code;
    return fs::exists(output, code);
  }
};

Run run_in(const fs::path& folder, const AccuracyRow& row) {
  std::string name = row.family + " on " + row.device;
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return {row.family, accuracy_device(row.device), folder / (name + ".csv"),
          folder / (name + ".wt")};
}

/// A run for each family of the rows and device that it is run on, in their order.
std::vector<Run> runs_of(const std::vector<AccuracyRow>& rows, const fs::path& folder) {
  std::vector<Run> runs;
  for (const AccuracyRow& row : rows) {
    const auto same = [&](const Run& run) { return run.is_for(row); };
    if (std::ranges::none_of(runs, same)) runs.push_back(run_in(folder, row));
  }
  return runs;
}

/// The threads of a run, beside others.
unsigned threads_of_a_run() {
  return std::max(1u, std::thread::hardware_concurrency() / kRunsAtOnce);
}

/// What stands in a map, or else the value.
std::string found_or(const std::map<std::string, std::string>& map, const std::string& key,
                     const std::string& value) {
  const auto found = map.find(key);
  return found == map.end() ? value : found->second;
}

/// How far a list of runs is, by several threads.
struct Progress {
  std::size_t runs = 0;
  std::atomic<std::size_t> begun = 0, done = 0;
};

/// Runs the program on the device under `wavetank profile`.
Result<void> execute(const Run& run, const fs::path& program, const RunChanges& changes,
                     Progress& progress) {
  const auto begin = std::chrono::steady_clock::now();
  std::vector<std::string> words = {toolchain::find_paths().program.string(),
                                    "profile",
                                    "--device",
                                    found_or(changes.devices, run.device, run.device),
                                    "--threads",
                                    std::to_string(threads_of_a_run()),
                                    "-o",
                                    run.profile.string(),
                                    program.string()};
  const std::string filter = found_or(changes.filters, run.family, "");
  if (!filter.empty()) words.push_back(filter);
  const Result<toolchain::Finished> finished = toolchain::capture_process(words);
  if (!finished) return tl::unexpected(finished.error());
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  std::fprintf(stderr, "  %3zu of %zu  %-14s %-16s %6.1f s%s\n", ++progress.done, progress.runs,
               run.family.c_str(), fs::path(run.device).stem().c_str(), took.count(),
               finished->exit_status == 0 ? "" : "  the program failed");
  if (finished->exit_status != 0) return {};
  return write_text(run.output.string(), finished->output);
}

/// Runs what is not kept from before.
Result<void> execute_all(std::vector<Run>& runs, const fs::path& folder,
                         const RunChanges& changes) {
  std::vector<Run*> missing;
  std::vector<std::string> names;
  for (Run& run : runs) {
    if (run.is_kept()) continue;
    missing.push_back(&run);
    names.push_back(accuracy_program_name(run.family));
  }
  const auto programs = accuracy_programs(names, accuracy_sources(), folder);
  if (!programs) return tl::unexpected(programs.error());
  const toolchain::Uninterrupted lives;
  Progress progress{.runs = missing.size()};
  const auto work = [&] {
    for (std::size_t i = progress.begun++; i < missing.size(); i = progress.begun++) {
      if (toolchain::Uninterrupted::was_asked_to_end()) return;
      const auto done = execute(*missing[i], programs->at(names[i]), changes, progress);
      if (!done) {
        missing[i]->error = done.error();
      }
    }
  };
  std::vector<std::thread> threads;
  while (threads.size() < std::min<std::size_t>(kRunsAtOnce, missing.size()))
    threads.emplace_back(work);
  for (std::thread& thread : threads) thread.join();
  for (const Run* run : missing) {
    if (run->error) return tl::unexpected(*run->error);
  }
  return {};
}

/// Fills rows whose metric is a counter or a derived metric from the first launch of the run.
void join_counters(const LoadedProfile& loaded, const Run& run, std::vector<AccuracyRow>& rows) {
  constexpr std::string_view kCounter = "counter ";
  constexpr double kBytesPerKib = 1024;
  const profile::LaunchProfile& launch = loaded.file.launches.front();
  for (AccuracyRow& row : rows) {
    if (!run.is_for(row) || row.simulated) continue;
    const bool counter = row.metric.starts_with(kCounter);
    const std::string name = counter ? row.metric.substr(kCounter.size()) : row.metric;
    const profile::Metric* metric = profile::find_metric(name);
    if (!counter && metric == nullptr) continue;
    auto value = profile::value_of(name, launch, loaded.device_of(launch)).value;
    if (value && metric != nullptr && metric->unit == "KiB" && row.unit == "GB") {
      *value *= kBytesPerKib * 1e-9;
    }
    row.simulated = value;
  }
}

/// What bounds launches of one kind: "few L2 channels" for "1 of 32 L2 channels".
std::string limiter_of(const profile::Limit& limit) {
  unsigned busy = 0, all = 0;
  int length = 0;
  if (std::sscanf(limit.what.c_str(), "%u of %u %n", &busy, &all, &length) < 2) return limit.what;
  return "few " + limit.what.substr(static_cast<std::size_t>(length));
}

/// Says what bounded the launches that the programs timed.
void join_limiters(const LoadedProfile& loaded, const Run& run, std::vector<AccuracyRow>& rows) {
  profile::for_each_launch(loaded.file.launches, [&](const profile::LaunchProfile& launch) {
    for (AccuracyRow& row : rows) {
      if (!run.is_for(row) || row.launch != launch.dispatch_id) continue;
      row.limiter = limiter_of(profile::judge(launch, loaded.device_of(launch)).limit);
    }
  });
}

/// Joins what a finished run gave.
Result<void> join_run(const Run& run, std::vector<AccuracyRow>& rows) {
  std::ifstream file(run.output, std::ios::binary);
  if (!file) return {};  // the program failed: its rows stay without a value
  join_output(std::string{std::istreambuf_iterator<char>(file), {}}, rows);
  std::error_code error;
  if (!fs::exists(run.profile, error)) return {};
  const Result<LoadedProfile> loaded = load_profile(run.profile.string());
  if (!loaded) return tl::unexpected(loaded.error());
  if (loaded->file.launches.empty()) return {};
  join_counters(*loaded, run, rows);
  join_limiters(*loaded, run, rows);
  return {};
}

}  // namespace

std::string accuracy_device(const std::string& published) {
  if (published == "gfx942") return "mi300x";
  if (published == "mi250x (1 GCD)") return "mi250x";
  const auto own = [](const char* file) { return (accuracy_sources() / file).string(); };
  if (published == "mi250 (1 GCD)") return own("mi250_gcd.toml");
  if (published == "mi300a, one XCD") return own("mi300a_one_xcd.toml");
  return published;
}

Result<void> run_accuracy(const fs::path& folder, const RunChanges& changes,
                          std::vector<AccuracyRow>& rows) {
  std::error_code error;
  fs::create_directories(folder, error);
  std::vector<Run> runs = runs_of(rows, folder);
  if (const auto done = execute_all(runs, folder, changes); !done) return done;
  for (const Run& run : runs) {
    if (const auto done = join_run(run, rows); !done) return done;
  }
  return {};
}

}  // namespace wavetank::cli
