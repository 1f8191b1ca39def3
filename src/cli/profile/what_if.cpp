// wavetank what-if: times the kernels of a program again with something changed.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "cli/command.hpp"
#include "cli/output/exit_code.hpp"
#include "cli/profile/profile_views.hpp"
#include "cli/profile/timed_run.hpp"
#include "cli/run/runtime_setup.hpp"
#include "profile/change.hpp"
#include "report/screen.hpp"
#include "report/what_if_table.hpp"
#include "toolchain/temporary_folder.hpp"

namespace wavetank::cli {
namespace {

namespace fs = std::filesystem;

struct WhatIfOptions {
  RuntimeOptions runtime;
  bool exact = false;
  bool list = false;
  bool numbers = false;
  std::string clocks;
  std::string output;
  std::string json_file;
  std::string kernel;
  std::uint32_t top = 3;
  std::vector<std::string> set;
  std::string terms = "hip";
  std::vector<std::string> words;  ///< changes, the program, its arguments
};

int print_list() {
  std::printf("Each takes one cause of time away; several are joined by +.\n\n");
  for (const profile::ChangeRow& row : profile::change_rows()) {
    std::printf("  %-27s  %s\n", profile::text_of(row).c_str(), std::string(row.meaning).c_str());
  }
  std::printf(
      "\n  %-27s  all of these: what is left is the work itself\n"
      "  %-27s  another device for the same code\n"
      "  %-27s  any number of the device's description (`wavetank devices --keys`)\n\n"
      "Bandwidths and latencies take a multiple as well, as in hbm.bandwidth=2x, and occupancy\n"
      "takes waves for a SIMD.\n",
      std::string(profile::kAllChanges).c_str(), "device=NAME", "memory.peak_bandwidth=2x");
  return 0;
}

/// Takes the changes from the words: those before the program or --, and all behind the program if
/// nothing but changes is there, and there is no --. "all" is one before the program only.
std::vector<std::string> take_changes(std::vector<std::string>& words) {
  const auto is_change = [](const std::string& word) { return profile::names_change(word); };
  const auto program = std::ranges::find_if_not(words, [&](const std::string& word) {
    return word == profile::kAllChanges || is_change(word);
  });
  std::vector<std::string> changes(words.begin(), program);
  words.erase(words.begin(), program);
  if (!words.empty() && words.front() == "--") {
    words.erase(words.begin());
  } else if (words.size() > 1 && std::all_of(words.begin() + 1, words.end(), is_change)) {
    changes.insert(changes.end(), words.begin() + 1, words.end());
    words.resize(1);
  }
  return changes;
}

void print_answers(const LoadedProfile& loaded, const report::TextOptions& options) {
  const auto& launches = loaded.file.launches;
  for (const report::KernelGroup& group : loaded.groups) {
    const profile::LaunchProfile* const again = report::timed_again(launches, group);
    if (again == nullptr) continue;
    const profile::LaunchProfile& shown = launches[group.shown];
    const target::Device& device = loaded.device_of(shown);
    const profile::Verdict verdict = loaded.verdict_on(shown, group);
    const std::string head = report::kernel_head(launches, group, verdict, device, options);
    std::printf("\n%s\n%s", head.c_str(), report::what_if_table(*again, options).c_str());
  }
}

int show(const WhatIfOptions& options, const std::string& path, int exit_status) {
  const Result<report::TextOptions> text = text_options(options.terms);
  if (!text) return report(text.error());
  std::error_code error;
  if (!fs::exists(path, error)) {
    std::fprintf(stderr, "wavetank: the program launched no kernel on the device\n");
    return exit_status;
  }
  const Result<LoadedProfile> loaded = load_profile(path);
  if (!loaded) return report(loaded.error());
  print_answers(*loaded, *text);
  if (!options.json_file.empty()) {
    const Result<void> done = write_run_json(*loaded, options.json_file);
    if (!done) return report(done.error());
  }
  if (!options.output.empty()) std::printf("\n  Saved %s\n", path.c_str());
  return exit_status;
}

int what_if(WhatIfOptions options) {
  if (options.list) return print_list();
  std::vector<std::string> changes = take_changes(options.words);
  changes.insert(changes.end(), options.set.begin(), options.set.end());
  if (options.words.empty()) {
    return report({ErrorCode::kUsage,
                   "no program to run",
                   {},
                   {},
                   "`wavetank what-if --help` starts with examples"});
  }
  if (options.words.front().starts_with('-')) {
    return report({ErrorCode::kUsage,
                   fmt::format("{} stands behind a change", options.words.front()),
                   {},
                   {},
                   "options come first, then changes, then the program"});
  }
  // No program's name has an equals sign: the word is a change that nobody knows.
  if (options.words.front().find('=') != std::string::npos) {
    changes.push_back(options.words.front());
  }
  for (const std::string& change : changes) {
    if (const auto parts = profile::parse_change(change); !parts) return report(parts.error());
  }
  if (options.numbers) changes.emplace_back("numbers");
  if (changes.empty()) changes = what_if_list(true);
  const Result<toolchain::TemporaryFolder> folder = toolchain::TemporaryFolder::make();
  if (!folder) return report(folder.error());
  const std::string path =
      (options.output.empty() ? folder->path() / "what-if.wt" : fs::absolute(options.output))
          .string();
  const Result<int> status = run_timed({.runtime = options.runtime,
                                        .exact = options.exact,
                                        .clocks = options.clocks,
                                        .what_if = changes,
                                        .what_if_kernel = options.kernel,
                                        .what_if_top = options.top,
                                        .path = path,
                                        .words = options.words,
                                        .command = "what-if"});
  if (!status) return report(status.error());
  return show(options, path, *status);
}

}  // namespace

void add_what_if(CommandLine& line, std::vector<std::string> program) {
  Command command =
      line.add("what-if", "Time kernels again with a cause of their time removed",
               "wavetank what-if ./transpose\n"
               "wavetank what-if --device mi300x lds.conflicts=off hbm.bandwidth=2x ./transpose\n"
               "wavetank what-if --set l2.channels=32 -- ./transpose 1024");
  auto options = std::make_shared<WhatIfOptions>();
  options->words = std::move(program);
  add_runtime_options(command, options->runtime);
  command.flag("--list", options->list, "Print the changes and what they mean");
  command.value("--kernel NAME", options->kernel, "Only kernels whose name contains this");
  command.value("--top N", options->top, "So many kernels, those that take longest; otherwise 3");
  command.value("--set NUMBER=VALUE ...", options->set,
                "Another value, or a multiple, for a number of the device");
  command.flag("--numbers", options->numbers,
               "10 % more of each number of the device that the time rests on");
  command.flag("--exact", options->exact, "Simulate every workgroup; sample none");
  command
      .value("--clocks WHICH", options->clocks,
             "peak, or sustained: the engine clock under load, where one is published")
      .one_of({"peak", "sustained"});
  command.value("-o,--output FILE", options->output, "Keep the profile");
  command.value("--json FILE", options->json_file, "Write everything as JSON ('-': to stdout)");
  command.value("--terms WORDS", options->terms, "Words of hip, cuda or vulkan");
  command.does([=] { return what_if(*options); });
}

}  // namespace wavetank::cli
