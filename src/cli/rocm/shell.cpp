// wavetank shell: an environment in which a project for ROCm builds and runs as it is.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#include "cli/command.hpp"
#include "cli/output/exit_code.hpp"
#include "cli/rocm/prefix.hpp"
#include "cli/rocm/tool.hpp"
#include "cli/run/runtime_setup.hpp"
#include "toolchain/hip_toolchain.hpp"
#include "toolchain/paths.hpp"

namespace wavetank::cli {
namespace {

struct ShellOptions {
  RuntimeOptions runtime;
  std::vector<std::string> words;  ///< the command; empty: a shell
};

/// Inside a shell, the headers are those that it was started with, not its own links to them.
Result<toolchain::HipToolchain> toolchain_outside(const toolchain::Paths& paths) {
  const char* outer = std::getenv("WAVETANK_SHELL");
  return toolchain::find_hip_toolchain(paths.share_folder, outer == nullptr ? "" : outer);
}

void set_environment(const std::string& prefix, const toolchain::HipToolchain& hip) {
  for (const char* variable : {"ROCM_PATH", "HIP_PATH"}) setenv(variable, prefix.c_str(), 1);
  setenv("WAVETANK_SHELL", hip.rocm.root.c_str(), 1);
  setenv("HIP_PLATFORM", "amd", 1);
  setenv("HIP_DEVICE_LIB_PATH", (prefix + "/amdgcn/bitcode").c_str(), 1);
  prepend_path("PATH", prefix + "/bin");
  prepend_path("CMAKE_PREFIX_PATH", prefix);
  prepend_path("LIBRARY_PATH", prefix + "/lib");
}

/// Becomes the command, whose exit status is then the shell's; returns only when that fails.
int shell(ShellOptions options) {
  if (options.runtime.device.empty()) {
    const char* outer = std::getenv("WAVETANK_DEVICE");
    options.runtime.device = outer == nullptr || *outer == '\0' ? "mi210" : outer;
  }
  const toolchain::Paths paths = toolchain::find_paths();
  const auto hip = toolchain_outside(paths);
  if (!hip) return report(hip.error());
  const auto prefix = make_rocm_prefix(*hip, paths);
  if (!prefix) return report(prefix.error());
  if (const Result<void> set = set_up_environment(options.runtime); !set) {
    return report(set.error());
  }
  set_environment(prefix->string(), *hip);
  if (!options.words.empty()) return become(options.words);
  if (isatty(STDIN_FILENO) != 0) {
    std::fprintf(stderr, "ROCm is %s, its device %s; `exit` leaves.\n", prefix->c_str(),
                 options.runtime.device.c_str());
  }
  const char* own = std::getenv("SHELL");
  return become({own == nullptr || *own == '\0' ? "/bin/sh" : own});
}

}  // namespace

void add_shell(CommandLine& line, std::vector<std::string> program) {
  Command command =
      line.add("shell", "Build and run a ROCm project as on a machine with the device",
               "wavetank shell --device mi300x\n"
               "wavetank shell --device mi300x -- cmake -B build -S .\n"
               "wavetank shell -- make test");
  auto options = std::make_shared<ShellOptions>();
  options->words = std::move(program);
  add_runtime_options(command, options->runtime);
  command.does([=] { return shell(*options); });
}

}  // namespace wavetank::cli
