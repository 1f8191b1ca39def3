// wavetank profile: runs a program on the cycle model, then prints what bounds its kernels.
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <vector>

#include "cli/command.hpp"
#include "cli/exit_code.hpp"
#include "cli/process.hpp"
#include "cli/profile_views.hpp"
#include "cli/runtime_setup.hpp"

namespace wavetank::cli {
namespace {

namespace fs = std::filesystem;

struct Options {
  RuntimeOptions runtime;
  bool exact = false;
  bool every_launch = false;
  std::string output;
  std::string trace;
  unsigned trace_cu = 0;
  std::string terms = "hip";
  std::vector<std::string> words;  ///< the program and its arguments
};

/// Where the profile goes: as told, else the program's name in this folder. Absolute, because the
/// program may change its folder.
std::string output_path(const Options& options) {
  const std::string name = options.output.empty()
                               ? fs::path(options.words.front()).filename().string() + ".wt"
                               : options.output;
  return fs::absolute(name).lexically_normal().string();
}

/// What the runtime in the program's process reads (`wavetank explain environment`).
void set_environment(const Options& options, const std::string& path) {
  setenv("WAVETANK_TIMED", "1", 1);
  setenv("WAVETANK_PROFILE", path.c_str(), 1);
  if (options.exact) setenv("WAVETANK_EXACT", "1", 1);
  if (options.every_launch) setenv("WAVETANK_EVERY_LAUNCH", "1", 1);
  if (!options.trace.empty()) {
    setenv("WAVETANK_TRACE", fmt::format("{}:{}", options.trace, options.trace_cu).c_str(), 1);
  }
}

int show(const Options& options, const std::string& path, int exit_status) {
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
  std::printf("\n  Saved %s   wavetank report %s\n", path.c_str(),
              fs::relative(path, error).string().c_str());
  return exit_status;
}

int profile(Options options) {
  if (options.words.empty()) {
    return report({ErrorCode::kUsage,
                   "no program to run",
                   {},
                   {},
                   "`wavetank profile --help` starts with examples"});
  }
  if (const auto text = text_options(options.terms); !text) return report(text.error());
  const Result<std::string> program = find_program_to_run(options.words.front(), "profile");
  if (!program) return report(program.error());
  const std::string path = output_path(options);
  std::error_code ignored;
  fs::remove(path, ignored);
  // The runtime is preloaded into whatever is started from here on: nothing but the program is.
  if (const Result<void> set = set_up_runtime(options.runtime, *program); !set) {
    return report(set.error());
  }
  set_environment(options, path);
  options.words.front() = *program;
  const Result<Finished> finished = run_process(options.words);
  if (!finished) return report(finished.error());
  return show(options, path, finished->exit_status);
}

}  // namespace

void add_profile(CLI::App& app, int& exit_code, std::vector<std::string> program) {
  CLI::App* command = add_command(app, "profile", "Time a HIP program and say what bounds it",
                                  "wavetank profile ./vcopy\n"
                                  "wavetank profile --device mi300x -o vcopy.wt ./vcopy 1048576\n"
                                  "wavetank profile --exact --trace vcopy --cu 0 -- ./vcopy");
  auto options = std::make_shared<Options>();
  options->words = std::move(program);
  add_runtime_options(*command, options->runtime);
  command->add_flag("--exact", options->exact, "Simulate every workgroup; sample none");
  command->add_flag("--every-launch", options->every_launch,
                    "Time repeated identical launches again");
  command->add_option("-o,--output", options->output, "The file; otherwise PROGRAM.wt")
      ->option_text("FILE");
  command
      ->add_option("--trace", options->trace,
                   "Record each instruction of the first launch of a kernel with this name")
      ->option_text("KERNEL");
  command->add_option("--cu", options->trace_cu, "The CU of the trace; otherwise 0")
      ->option_text("N");
  command->add_option("--terms", options->terms, "Words of hip, cuda or vulkan")
      ->option_text("WORDS");
  command->callback([=, &exit_code] { exit_code = profile(*options); });
}

}  // namespace wavetank::cli
