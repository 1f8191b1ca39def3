// wavetank profile: runs a program on the cycle model, then prints what bounds its kernels.
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <vector>

#include "cli/command.hpp"
#include "cli/output/exit_code.hpp"
#include "cli/output/text_output.hpp"
#include "cli/profile/profile_views.hpp"
#include "cli/profile/rocprof_output.hpp"
#include "cli/profile/timed_run.hpp"
#include "cli/run/runtime_setup.hpp"
#include "report/thread_trace.hpp"

namespace wavetank::cli {
namespace {

namespace fs = std::filesystem;

struct ProfileOptions {
  RuntimeOptions runtime;
  bool exact = false;
  bool every_launch = false;
  std::string clocks;
  std::string output;
  std::string json_file;
  std::string trace;
  std::uint32_t trace_cu = 0;
  bool what_if = false;
  std::string terms = "hip";
  bool kernel_trace = false;
  std::vector<std::string> pmc;
  std::string folder;                          ///< of rocprofv3's files
  std::vector<std::string> formats = {"csv"};  ///< of them
  std::vector<std::string> words;              ///< the program and its arguments
};

/// Where the profile goes: as told, else the program's name in this folder. Absolute, because the
/// program may change its folder.
std::string output_path(const ProfileOptions& options) {
  const std::string name = options.output.empty()
                               ? fs::path(options.words.front()).filename().string() + ".wt"
                               : options.output;
  return fs::absolute(name).lexically_normal().string();
}

bool wants_rocprof_files(const ProfileOptions& options) {
  return options.kernel_trace || !options.pmc.empty() || !options.folder.empty();
}

/// Writes what rocprofv3 would have, and for a thread trace what AMD's decoder would have.
Result<void> write_files(const ProfileOptions& options, const LoadedProfile& loaded) {
  const std::string folder = options.folder.empty() ? "." : options.folder;
  if (wants_rocprof_files(options)) {
    RocprofOutput output;
    output.folder = folder;
    output.prefix = std::to_string(loaded.file.header.process_id);
    output.formats = options.formats;
    output.pmc = options.pmc;
    output.kernel_trace = options.kernel_trace || options.pmc.empty();
    output.kernel_stats = output.kernel_trace;
    output.counters = !options.pmc.empty();
    const Result<std::vector<std::string>> paths = write_rocprof(loaded, output);
    if (!paths) return tl::unexpected(paths.error());
    for (const std::string& path : *paths) std::fprintf(stderr, "wrote %s\n", path.c_str());
    for (const std::string& why_not : counters_without_value(loaded, options.pmc)) {
      std::fprintf(stderr, "wavetank: %s\n", why_not.c_str());
    }
  }
  for (const profile::LaunchProfile& launch : loaded.file.launches) {
    if (launch.trace.issues.empty()) continue;
    const std::string path =
        fmt::format("{}/stats_ui_output_agent_1_dispatch_{}.csv", folder, launch.dispatch_id);
    if (const auto done = write_text(path, report::thread_trace_csv(launch)); !done) return done;
    std::fprintf(stderr, "wrote %s\n", path.c_str());
  }
  return {};
}

int show(const ProfileOptions& options, const std::string& path, int exit_status) {
  std::error_code error;
  if (!fs::exists(path, error)) {
    std::fprintf(stderr, "wavetank: the program launched no kernel on the device\n");
    return exit_status;
  }
  const Result<report::TextOptions> text = text_options(options.terms);
  if (!text) return report(text.error());
  const Result<LoadedProfile> loaded = load_profile(path);
  if (!loaded) return report(loaded.error());
  std::printf("\n");
  print_screens(*loaded, "", *text);
  for (const profile::LaunchProfile& launch : loaded->file.launches) {
    const std::string timeline = report::timeline_text(launch, *text);
    if (timeline.empty()) continue;
    std::printf("\n%s", timeline.c_str());
    break;  // `wavetank report --trace` shows all
  }
  if (const Result<void> done = write_files(options, *loaded); !done) return report(done.error());
  if (!options.json_file.empty()) {
    const Result<void> done = write_run_json(*loaded, options.json_file);
    if (!done) return report(done.error());
  }
  std::printf("\n  Saved %s   wavetank report %s\n", path.c_str(),
              fs::relative(path, error).string().c_str());
  return exit_status;
}

std::vector<const isa::Target*> chosen_processors(const ProfileOptions& options) {
  std::vector<const isa::Target*> processors;
  for (const target::Device& device : chosen_devices(options.runtime)) {
    processors.push_back(device.target);
  }
  return processors;
}

int profile(const ProfileOptions& options) {
  if (options.words.empty()) {
    return report({ErrorCode::kUsage,
                   "no program to run",
                   {},
                   {},
                   "`wavetank profile --help` starts with examples"});
  }
  if (const auto text = text_options(options.terms); !text) return report(text.error());
  if (const auto known = check_counters(options.pmc, chosen_processors(options)); !known) {
    return report(known.error());
  }
  const std::string path = output_path(options);
  const Result<int> status = run_timed({.runtime = options.runtime,
                                        .exact = options.exact,
                                        .every_launch = options.every_launch,
                                        .clocks = options.clocks,
                                        .trace = options.trace,
                                        .trace_cu = options.trace_cu,
                                        .what_if = what_if_list(options.what_if),
                                        .path = path,
                                        .words = options.words,
                                        .command = "profile"});
  if (!status) return report(status.error());
  return show(options, path, *status);
}

void add_timing_options(Command& command, ProfileOptions& options) {
  command.flag("--exact", options.exact, "Simulate every workgroup; sample none");
  command.flag("--every-launch", options.every_launch,
               "Time repeated identical launches again, and keep all in full");
  command
      .value("--clocks WHICH", options.clocks,
             "peak, or sustained: the engine clock under load, where one is published")
      .one_of({"peak", "sustained"});
  command.value("--trace KERNEL", options.trace,
                "Record each instruction on one CU of kernels whose name contains this");
  command.flag("--what-if", options.what_if,
               "Time the longest kernels again with causes of their time removed");
  command.value("--cu N", options.trace_cu, "The CU of the trace; otherwise 0");
}

void add_output_options(Command& command, ProfileOptions& options) {
  command.value("-o,--output FILE", options.output, "The file; otherwise PROGRAM.wt");
  command.value("--json FILE", options.json_file, "Write everything as JSON ('-': to stdout)");
  command.value("--terms WORDS", options.terms, "Words of hip, cuda or vulkan");
  command.flag("--kernel-trace", options.kernel_trace, "Write rocprofv3's kernel_trace");
  command.value("--pmc NAME ...", options.pmc,
                "Write rocprofv3's counter_collection with these counters and metrics");
  command.value("-d,--output-directory DIR", options.folder, "Where rocprofv3's files go");
  command.value("-f,--output-format FORMAT", options.formats, "Their formats: csv, json, rocpd")
      .split_at_commas();
}

}  // namespace

void add_profile(CommandLine& line, std::vector<std::string> program) {
  Command command = line.add("profile", "Time a HIP program and say what bounds it",
                             "wavetank profile ./vcopy\n"
                             "wavetank profile --device mi300x -o vcopy.wt ./vcopy 1048576\n"
                             "wavetank profile --exact --trace vcopy --cu 0 -- ./vcopy");
  auto options = std::make_shared<ProfileOptions>();
  options->words = std::move(program);
  add_runtime_options(command, options->runtime);
  add_timing_options(command, *options);
  add_output_options(command, *options);
  command.does([=] { return profile(*options); });
}

}  // namespace wavetank::cli
