// wavetank run: starts a program with Wavetank's runtime in place of AMD's.
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <vector>

#include "cli/command.hpp"
#include "cli/output/exit_code.hpp"
#include "cli/run/runtime_setup.hpp"

namespace wavetank::cli {
namespace {

struct RunOptions {
  RuntimeOptions runtime;
  std::vector<std::string> words;  ///< the program and its arguments
};

/// Becomes the program; returns only when that fails.
int run(const RunOptions& options) {
  if (options.words.empty()) {
    return report({ErrorCode::kUsage,
                   "no program to run",
                   {},
                   {},
                   "`wavetank run --help` starts with examples"});
  }
  const Result<std::string> program = find_program_to_run(options.words.front(), "run");
  if (!program) return report(program.error());
  if (const Result<void> set = set_up_runtime(options.runtime, *program); !set) {
    return report(set.error());
  }
  std::vector<char*> argv;
  for (const std::string& word : options.words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  execv(program->c_str(), argv.data());
  return report({ErrorCode::kFileUnreadable,
                 fmt::format("cannot run {}: {}", *program, std::strerror(errno))});
}

}  // namespace

void add_run(CommandLine& line, std::vector<std::string> program) {
  Command command = line.add("run", "Run a HIP program on a virtual GPU",
                             "wavetank run ./vadd\n"
                             "wavetank run --device mi300x ./vadd 1000000\n"
                             "wavetank run --threads 4 -- ./vadd --json");
  auto options = std::make_shared<RunOptions>();
  options->words = std::move(program);
  add_runtime_options(command, options->runtime);
  command.does([=] { return run(*options); });
}

}  // namespace wavetank::cli
