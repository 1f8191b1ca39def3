// wavetank cc: clang with the flags that make a HIP program, whatever headers there are.
#include <cstdio>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "cli/compile/compile.hpp"
#include "cli/output/exit_code.hpp"
#include "target/builtin_devices.hpp"
#include "target/device.hpp"
#include "toolchain/process.hpp"

namespace wavetank::cli {
namespace {

using Words = std::vector<std::string>;

struct CcOptions : CompileOptions {
  bool print_command = false;
};

std::string quoted(const Words& words) {
  std::string text;
  for (const std::string& word : words) {
    const bool plain = !word.empty() && word.find_first_of(" '\"$\\*?<>|&;()#") == word.npos;
    std::string cell = word;
    for (std::size_t at = 0; (at = cell.find('\'', at)) != cell.npos; at += 4) {
      cell.replace(at, 1, "'\\''");
    }
    text += (text.empty() ? "" : " ") + (plain ? cell : "'" + cell + "'");
  }
  return text;
}

int compile(const CcOptions& options) {
  if (options.rest.empty()) {
    return report(
        {ErrorCode::kUsage, "no input file", {}, {}, "`wavetank cc --help` starts with examples"});
  }
  const Result<Words> command = compile_command(options);
  if (!command) return report(command.error());
  if (options.print_command) {
    std::printf("%s\n", quoted(*command).c_str());
    return kOk;
  }
  const Result<toolchain::Finished> finished = toolchain::run_process(*command);
  if (!finished) return report(finished.error());
  if (finished->exit_status == 0) return kOk;
  if (const std::string help = help_for_failure(options); !help.empty()) {
    std::fprintf(stderr, "note: %s\n", help.c_str());
  }
  return kProgramFailed;
}

}  // namespace

void add_cc(CommandLine& line) {
  Command command = line.add(
      "cc", "Compile a HIP program",
      "wavetank cc vadd.hip -o vadd\n"
      "wavetank cc --device mi210 --device mi300x vadd.hip -o vadd    # one program for both\n"
      "wavetank cc -S --cuda-device-only vadd.hip -o vadd.s           # the compiler's assembly");
  auto options = std::make_shared<CcOptions>();
  command
      .value("--device DEVICE", options->devices,
             "Compile for this device (" + target::builtin_device_list() + "); repeatable")
      .one_word();
  command
      .value("--offload-arch GFX", options->architectures,
             "Compile for this processor; repeatable. Without either: gfx90a")
      .one_word()
      .split_at_commas();
  command.value("--rocm-path FOLDER", options->rocm_path,
                "Headers to use; otherwise $ROCM_PATH, the newest of /opt/rocm* and /usr");
  command.flag("--print-command", options->print_command, "Print the clang command, run nothing");
  command.keep_rest(options->rest);
  command.does([=] { return compile(*options); });
}

}  // namespace wavetank::cli
