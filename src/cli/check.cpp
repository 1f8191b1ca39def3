// wavetank check: runs a program under all checks, then prints what is wrong with it.
#include <fmt/format.h>
#include <stdlib.h>

#include <cstdio>
#include <vector>

#include "check/diagnosis.hpp"
#include "cli/check_text.hpp"
#include "cli/command.hpp"
#include "cli/exit_code.hpp"
#include "cli/runtime_setup.hpp"
#include "cli/terminal.hpp"
#include "toolchain/process.hpp"
#include "toolchain/temporary_folder.hpp"

namespace wavetank::cli {
namespace {

using check::CheckFile;
using check::Diagnosis;
using check::Level;

struct Options {
  RuntimeOptions runtime;
  std::vector<std::string> words;  ///< the program and its arguments
};

std::size_t count_of(const CheckFile& file, Level level) {
  std::size_t count = 0;
  for (const Diagnosis& diagnosis : file.diagnoses) count += diagnosis.level == level ? 1 : 0;
  return count;
}

std::string launches_text(const CheckFile& file) {
  if (!file.ended) return "what ran before the program broke off";
  return file.launches == 1 ? "1 launch" : fmt::format("{} launches", file.launches);
}

std::string summary_of(const CheckFile& file, const Style& style) {
  const std::size_t errors = count_of(file, Level::kError);
  if (errors != 0) {
    return fmt::format("{} in {}", style.error(count_text(errors, "error")), launches_text(file));
  }
  if (file.ended && file.launches == 0) return "no kernel was launched, so nothing was checked";
  return fmt::format("{} in {}", style.good("no error"), launches_text(file));
}

/// Prints everything; a program that broke off is no program without errors.
int show(const CheckFile& file, int exit_status) {
  const Style style(Stream::kStderr);
  SourceText sources;
  for (const Diagnosis& diagnosis : file.diagnoses) {
    std::fprintf(stderr, "\n%s", diagnosis_text(diagnosis, sources, style).c_str());
  }
  std::fprintf(stderr, "\nwavetank check: %s\n", summary_of(file, style).c_str());
  if (exit_status != 0) {
    std::fprintf(stderr, "wavetank check: the program ended with status %d\n", exit_status);
  }
  const bool broke_off = !file.ended && exit_status != 0;
  return count_of(file, Level::kError) != 0 || broke_off ? kProgramFailed : kOk;
}

int check_program(Options options) {
  if (options.words.empty()) {
    return report({ErrorCode::kUsage,
                   "no program to check",
                   {},
                   {},
                   "`wavetank check --help` starts with examples"});
  }
  const Result<std::string> program = find_program_to_run(options.words.front(), "check");
  if (!program) return report(program.error());
  const Result<toolchain::TemporaryFolder> folder = toolchain::TemporaryFolder::make();
  if (!folder) return report(folder.error());
  const std::string file = (folder->path() / "findings.jsonl").string();
  if (const Result<void> set = set_up_runtime(options.runtime, *program); !set) {
    return report(set.error());
  }
  setenv("WAVETANK_CHECK", file.c_str(), 1);
  options.words.front() = *program;
  const Result<toolchain::Finished> finished = toolchain::run_process(options.words);
  if (!finished) return report(finished.error());
  const Result<CheckFile> found = check::read_check_file(file);
  if (!found) return report(found.error());
  return show(*found, finished->exit_status);
}

}  // namespace

void add_check(CommandLine& line, std::vector<std::string> program) {
  Command command = line.add("check", "Find races and wild accesses in a HIP program",
                             "wavetank check ./app\n"
                             "wavetank check --device mi300x ./app 1000000");
  auto options = std::make_shared<Options>();
  options->words = std::move(program);
  add_runtime_options(command, options->runtime);
  command.does([=] { return check_program(*options); });
}

}  // namespace wavetank::cli
