// wavetank report: the views of a profiled run.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <set>

#include "cli/command.hpp"
#include "cli/output/exit_code.hpp"
#include "cli/output/text_output.hpp"
#include "cli/profile/profile_views.hpp"
#include "cli/profile/report_page.hpp"
#include "cli/profile/rocprof_output.hpp"
#include "report/json.hpp"
#include "report/plots.hpp"
#include "report/thread_trace.hpp"
#include "report/viewer_folder.hpp"
#include "report/workload_folder.hpp"

namespace wavetank::cli {
namespace {

namespace fs = std::filesystem;

struct ReportOptions {
  std::string file;
  std::string other;
  std::string kernel;
  std::string terms = "hip";
  bool json = false;
  bool trace = false;
  std::string csv_folder;
  std::string rocprof_folder;
  std::string perfetto_file;
  std::string svg_folder;
  std::string viewer_folder;
  std::string workload_folder;
  std::string html_file;
  bool open = false;

  bool writes_page() const { return open || !html_file.empty(); }
  bool writes_files() const {
    return !csv_folder.empty() || !rocprof_folder.empty() || !perfetto_file.empty() ||
           !svg_folder.empty() || !viewer_folder.empty() || !workload_folder.empty();
  }
};

void print_traces(const LoadedProfile& loaded, const report::TextOptions& options) {
  bool any = false;
  for (const profile::LaunchProfile& launch : loaded.file.launches) {
    const std::string text = report::timeline_text(launch, options);
    any = any || !text.empty();
    std::printf("%s", text.c_str());
  }
  if (!any) std::printf("no trace was recorded; `wavetank profile --trace KERNEL` records one\n");
}

/// A name for a file: letters, digits and _ of the kernel's name.
std::string file_name(const std::string& kernel, std::set<std::string>& taken) {
  std::string name = kernel.substr(0, 60);
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  std::string unique = name;
  for (int n = 2; !taken.insert(unique).second; ++n) unique = fmt::format("{}_{}", name, n);
  return unique;
}

Result<void> write_plots(const LoadedProfile& loaded, const JudgedGroups& judged,
                         const std::string& folder, std::vector<std::string>& paths) {
  std::error_code ignored;
  fs::create_directories(folder, ignored);
  std::vector<std::pair<std::string, std::string>> files;
  std::vector<report::PlottedKernel> all;
  std::map<std::string, std::vector<report::PlottedKernel>> by_device;
  std::set<std::string> taken;
  for (const report::JudgedGroup& group : judged.groups) {
    const profile::LaunchProfile& launch = loaded.file.launches[group.group.shown];
    const report::PlottedKernel kernel{launch, group.verdict};
    all.push_back(kernel);
    by_device[launch.device].push_back(kernel);
    files.emplace_back("occupancy_" + file_name(report::short_name(launch), taken),
                       report::occupancy_svg(group.device, kernel));
  }
  for (const auto& [name, kernels] : by_device) {
    files.emplace_back("roofline_" + file_name(fs::path(name).stem().string(), taken),
                       report::roofline_svg(loaded.devices.at(name), kernels));
  }
  files.emplace_back("stall_stack", report::stall_stack_svg(all));
  for (const auto& [name, svg] : files) {
    paths.push_back(fmt::format("{}/{}.svg", folder, name));
    if (const Result<void> done = write_text(paths.back(), svg); !done) return done;
  }
  return {};
}

Result<void> write_rocprof_files(const LoadedProfile& loaded, const std::string& folder,
                                 const std::vector<std::string>& formats,
                                 std::vector<std::string>& paths) {
  RocprofOutput output;
  output.folder = folder;
  output.prefix = std::to_string(loaded.file.header.process_id);
  output.formats = formats;
  output.kernel_trace = output.kernel_stats = true;
  output.counters = true;
  const Result<std::vector<std::string>> written = write_rocprof(loaded, output);
  if (!written) return tl::unexpected(written.error());
  paths.insert(paths.end(), written->begin(), written->end());
  return {};
}

/// Files by name, in a folder that is made.
Result<void> write_folder(const std::string& path,
                          const std::map<std::string, std::string>& files) {
  std::error_code ignored;
  fs::create_directories(path, ignored);
  for (const auto& [name, text] : files) {
    if (const Result<void> done = write_text(path + "/" + name, text); !done) return done;
  }
  return {};
}

/// A folder for each traced launch, named as rocprofv3 names it.
Result<void> write_viewer_folders(const ReportedRun& run, const std::string& folder,
                                  std::vector<std::string>& paths) {
  const LoadedProfile& loaded = run.loaded;
  const auto sources = sources_of({{run.file, loaded.file, loaded.devices, run.judged.groups}});
  for (const profile::LaunchProfile& launch : loaded.file.launches) {
    const auto files = report::viewer_folder(launch, sources);
    if (files.empty()) continue;
    const std::string path =
        fmt::format("{}/ui_output_agent_1_dispatch_{}", folder, launch.dispatch_id);
    if (auto done = write_folder(path, files); !done) return done;
    paths.push_back(path);
  }
  if (paths.empty()) {
    return fail(ErrorCode::kUsage, "no launch of the run was traced", run.file,
                "wavetank profile --trace KERNEL records a thread trace");
  }
  return {};
}

/// A folder for each device of the run.
Result<void> write_workload_folders(const LoadedProfile& loaded, const std::string& folder,
                                    std::vector<std::string>& paths) {
  std::set<std::string> taken;
  for (const auto& [name, device] : loaded.devices) {
    const std::string path = folder + "/" + file_name(fs::path(name).stem().string(), taken);
    if (auto done = write_folder(path, report::workload_folder(loaded.file, device)); !done) {
      return done;
    }
    paths.push_back(path);
  }
  return {};
}

Result<std::vector<std::string>> write_files(const ReportedRun& run, const ReportOptions& options) {
  const LoadedProfile& loaded = run.loaded;
  const JudgedGroups& judged = run.judged;
  std::vector<std::string> paths;
  Result<void> done;
  if (!options.viewer_folder.empty()) {
    done = write_viewer_folders(run, options.viewer_folder, paths);
  }
  if (done && !options.workload_folder.empty()) {
    done = write_workload_folders(loaded, options.workload_folder, paths);
  }
  if (done && !options.csv_folder.empty()) {
    done = write_rocprof_files(loaded, options.csv_folder, {"csv"}, paths);
  }
  if (done && !options.rocprof_folder.empty()) {
    done = write_rocprof_files(loaded, options.rocprof_folder, {"csv", "json", "rocpd"}, paths);
  }
  if (done && !options.perfetto_file.empty()) {
    paths.push_back(options.perfetto_file);
    done = write_text(options.perfetto_file, report::perfetto_json(loaded.file));
  }
  if (done && !options.svg_folder.empty()) {
    done = write_plots(loaded, judged, options.svg_folder, paths);
  }
  if (!done) return tl::unexpected(done.error());
  return paths;
}

/// The page's file: as asked for, else beside the profile.
std::string page_path(const ReportOptions& options) {
  if (!options.html_file.empty()) return options.html_file;
  return fs::path(options.file).replace_extension(".html").string();
}

/// Writes the page about the run, and of the other one if there is one; opens it if asked for.
Result<void> show_page(const std::deque<ReportedRun>& runs, const ReportOptions& options) {
  const std::string path = page_path(options);
  if (const Result<void> done = write_page(runs, path); !done) return done;
  std::fprintf(stderr, "wrote %s\n", path.c_str());
  return options.open ? open_in_browser(path) : Result<void>();
}

/// The files of the command line; verdicts refer to the launches where they then stay.
Result<std::deque<ReportedRun>> read_runs(const ReportOptions& options) {
  std::deque<ReportedRun> runs;
  for (const std::string& file : {options.file, options.other}) {
    if (file.empty()) continue;
    Result<LoadedProfile> loaded = load_profile(file);
    if (!loaded) return tl::unexpected(loaded.error());
    ReportedRun& run = runs.emplace_back(ReportedRun{file, std::move(*loaded), {}});
    run.judged = judge_groups(run.loaded, options.kernel);
  }
  return runs;
}

int show(const ReportOptions& options) {
  const Result<report::TextOptions> text = text_options(options.terms);
  if (!text) return report(text.error());
  if (!options.other.empty() && !options.writes_page()) {
    return report({ErrorCode::kUsage,
                   "two files are compared by the page alone",
                   {},
                   {},
                   "add --html FILE or --open; in the terminal: wavetank diff"});
  }
  const Result<std::deque<ReportedRun>> runs = read_runs(options);
  if (!runs) return report(runs.error());
  const auto& [file, loaded, judged] = runs->front();
  if (options.writes_page()) {
    const Result<void> done = show_page(*runs, options);
    if (!done) return report(done.error());
  }
  if (options.writes_files()) {
    const auto paths = write_files(runs->front(), options);
    if (!paths) return report(paths.error());
    for (const std::string& path : *paths) std::fprintf(stderr, "wrote %s\n", path.c_str());
  }
  if (options.json) {
    std::printf("%s", report::report_json(loaded.file, judged.groups).c_str());
  } else if (options.trace) {
    print_traces(loaded, *text);
  } else if (!options.writes_files() && !options.writes_page()) {
    print_screens(loaded, options.kernel, *text);
  }
  return kOk;
}

void add_outputs(Command& command, ReportOptions& options) {
  command.value("--html FILE", options.html_file,
                "Write one HTML page with all of it; of two files, with a comparison");
  command.flag("--open", options.open, "Show the page in a browser; without --html beside FILE");
  command.flag("--json", options.json, "Print everything as JSON");
  command.flag("--trace", options.trace, "Print the timeline of a recorded thread trace");
  command.value("--csv DIR", options.csv_folder,
                "Write CSV files as rocprofv3 does: kernel trace, counters, statistics, agents");
  command.value("--rocprof DIR", options.rocprof_folder,
                "The same with rocprofv3's JSON and its SQLite database (rocpd)");
  command.value("--perfetto FILE", options.perfetto_file, "Write a timeline for ui.perfetto.dev");
  command.value("--viewer DIR", options.viewer_folder,
                "Write traced launches as folders that ROCprof Compute Viewer opens");
  command.value("--workload DIR", options.workload_folder,
                "Write a workload folder for each device, for `rocprof-compute analyze -p`");
  command.value("--svg DIR", options.svg_folder,
                "Write plots: roofline, where the cycles went, occupancy of each kernel");
}

}  // namespace

void add_report(CommandLine& line) {
  Command command = line.add("report", "Show a profiled run again, or in other formats",
                             "wavetank report app.wt\n"
                             "wavetank report app.wt --html app.html\n"
                             "wavetank report before.wt after.wt --open\n"
                             "wavetank report app.wt --kernel transpose --terms cuda\n"
                             "wavetank report app.wt --svg plots --perfetto app.json");
  auto options = std::make_shared<ReportOptions>();
  command.argument("FILE", options->file, "A file of `wavetank profile`").required();
  command.argument("OTHER", options->other, "Another, to compare with in the page");
  command.value("--kernel TEXT", options->kernel, "Only kernels whose name contains this");
  command.value("--terms WORDS", options->terms, "Words of hip, cuda or vulkan");
  add_outputs(command, *options);
  command.does([=] { return show(*options); });
}

}  // namespace wavetank::cli
