// wavetank check: runs a program under all checks, then prints what is wrong with it.
#include <fmt/format.h>

#include <cstdio>
#include <vector>

#include "base/file.hpp"
#include "cli/check/fix.hpp"
#include "cli/check/reports.hpp"
#include "cli/check/suppressions.hpp"
#include "cli/check/text.hpp"
#include "cli/command.hpp"
#include "cli/output/exit_code.hpp"
#include "cli/output/sarif.hpp"
#include "cli/output/terminal.hpp"
#include "cli/output/text_output.hpp"
#include "cli/run/runtime_setup.hpp"

namespace wavetank::cli {
namespace {

namespace fs = std::filesystem;
using check::Level;

struct CheckOptions {
  RuntimeOptions runtime;
  std::string json_file, sarif_file, junit_file;  ///< "-": stdout; empty: not wanted
  std::string suppressions_file;
  bool fix = false;
  std::vector<std::string> words;  ///< the program and its arguments
};

Result<Suppressions> load_suppressions(const std::string& chosen) {
  std::string path = chosen;
  if (path.empty()) {
    const auto found = find_suppressions(fs::current_path());
    if (!found) return Suppressions({});
    path = found->string();
  }
  const auto bytes = read_file(path);
  if (!bytes) return tl::unexpected(bytes.error());
  const std::string_view text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
  auto entries = parse_suppressions(text, path);
  if (!entries) return tl::unexpected(entries.error());
  return Suppressions(std::move(*entries));
}

/// Of a program that broke off, or that launched nothing, it is not known what they are good for.
void add_unused(const Suppressions& suppressions, CheckedRun& run, SourceText& sources) {
  if (!run.ended || run.launches.empty()) return;
  for (check::Diagnosis& note : suppressions.unused(run.sources, sources)) {
    run.findings.push_back({std::move(note)});
  }
}

Result<void> write_reports(const CheckOptions& options, const CheckedRun& run,
                           SourceText& sources) {
  Result<void> done;
  if (!options.json_file.empty()) {
    done = write_text(options.json_file, check_json(run, sources));
  }
  if (done && !options.sarif_file.empty()) {
    const fs::path root = source_root(fs::current_path());
    done = write_text(options.sarif_file, check_sarif(run, root, sources));
  }
  if (done && !options.junit_file.empty()) {
    done = write_text(options.junit_file, check_junit(run, sources));
  }
  return done;
}

void show(const CheckedRun& run, SourceText& sources, const Style& style) {
  for (const Judged& judged : run.findings) {
    if (judged.suppressed) continue;
    std::fprintf(stderr, "\n%s", diagnosis_text(judged, sources, style).c_str());
  }
}

void show_end(const CheckedRun& run, const Style& style) {
  std::fprintf(stderr, "\nwavetank check: %s\n", check_summary(run, style).c_str());
  if (run.exit_status != 0) {
    std::fprintf(stderr, "wavetank check: the program ended with status %d\n", run.exit_status);
  }
}

int check_program(CheckOptions options) {
  if (options.words.empty()) {
    return report({ErrorCode::kUsage,
                   "no program to check",
                   {},
                   {},
                   "`wavetank check --help` starts with examples"});
  }
  const Result<std::string> program = find_program_to_run(options.words.front(), "check");
  if (!program) return report(program.error());
  Result<Suppressions> suppressions = load_suppressions(options.suppressions_file);
  if (!suppressions) return report(suppressions.error());
  if (const Result<void> set = set_up_runtime(options.runtime, *program); !set) {
    return report(set.error());
  }
  options.words.front() = *program;
  Result<CheckedRun> run = run_checked(options.words);
  if (!run) return report(run.error());
  SourceText sources;
  for (Judged& judged : run->findings) {
    judged.suppressed = suppressions->of(judged.diagnosis, sources);
  }
  if (options.fix) {
    const auto again = [&](const check::Change& change) {
      return run_checked(options.words, change, true);
    };
    if (const auto done = find_fixes(*run, again); !done) return report(done.error());
  }
  add_unused(*suppressions, *run, sources);
  const Style style(Stream::kStderr);
  show(*run, sources, style);
  show_end(*run, style);
  if (const auto done = write_reports(options, *run, sources); !done) return report(done.error());
  return run->count_of(Level::kError) != 0 || run->broke_off() ? kProgramFailed : kOk;
}

void add_outputs(Command& command, CheckOptions& options) {
  command.flag("--fix", options.fix,
               "Look for what would order each race: run the program again with it, quietly");
  command.value("--json FILE", options.json_file, "Write the findings as JSON ('-': to stdout)");
  command.value("--sarif FILE", options.sarif_file,
                "Write them as SARIF 2.1.0, which code-scanning pages show on the lines");
  command.value("--junit FILE", options.junit_file,
                "Write a JUnit test for each kernel, which an error fails");
  command.value("--suppressions FILE", options.suppressions_file,
                "What is right as it is (default: .wavetank-check, looked for upwards)");
}

}  // namespace

void add_check(CommandLine& line, std::vector<std::string> program) {
  Command command =
      line.add("check", "Find races and wild accesses in a HIP program",
               "wavetank check ./app\n"
               "wavetank check --device mi300x ./app 1000000\n"
               "wavetank check --fix ./app             # with changes that are proved\n"
               "wavetank check --sarif check.sarif --junit check.xml ./app\n"
               "wavetank explain E0310          # what a finding means");
  auto options = std::make_shared<CheckOptions>();
  options->words = std::move(program);
  add_runtime_options(command, options->runtime);
  add_outputs(command, *options);
  command.does([=] { return check_program(*options); });
}

}  // namespace wavetank::cli
