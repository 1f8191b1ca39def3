#include "cli/run/runtime_setup.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "base/text.hpp"
#include "cli/run/host_elf.hpp"
#include "target/builtin_devices.hpp"
#include "target/load_device.hpp"
#include "toolchain/paths.hpp"
#include "toolchain/process.hpp"

namespace wavetank::cli {
namespace {

namespace fs = std::filesystem;

/// A run path (DT_RPATH) goes before LD_LIBRARY_PATH, so the sonames that the program needs are
/// preloaded: the loader takes a loaded library of that soname and does not search.
Result<void> preload_libraries(const std::string& program) {
  const toolchain::Paths paths = toolchain::find_paths();
  for (const std::string& soname : rocm_libraries(program)) {
    const auto library = toolchain::find_library(paths, soname);
    if (!library && !is_hip_library(soname)) continue;  // of another ROCm: theirs finds no card
    if (!library) {
      return fail(ErrorCode::kNoMatchingCodeObject, fmt::format("the program needs {}", soname),
                  program, "Wavetank stands in for versions 5, 6 and 7");
    }
    prepend_path("LD_PRELOAD", library->string());
  }
  return {};
}

/// Makes the loader find our libraries, also for programs that open them later.
Result<void> set_library_path() {
  const toolchain::Paths paths = toolchain::find_paths();
  if (!paths.runtime_folder) {
    return fail(ErrorCode::kFileUnreadable, "Wavetank's HIP runtime (libamdhip64.so) is missing",
                paths.program.string(), "`wavetank doctor` says what is there");
  }
  prepend_path("LD_LIBRARY_PATH", paths.runtime_folder->string());
  // Otherwise RCCL reads the kernel driver's files instead of asking librocm_smi64.
  setenv("RCCL_USE_ROCM_SMI_LIB", "1", 0);
  return {};
}

/// The devices of "mi210,mine.toml", each checked. A description by path becomes absolute: it must
/// be found even when the program changes its folder.
Result<std::string> device_list(std::string_view names) {
  std::string list;
  for (;;) {
    const std::size_t end = std::min(names.find(','), names.size());
    const std::string name(names.substr(0, end));
    const Result<target::Device> device = target::load_device(name);
    if (!device) return tl::unexpected(device.error());
    const bool by_path = name.find(".toml") != std::string::npos;
    list += (list.empty() ? "" : ",") + (by_path ? fs::absolute(name).string() : name);
    if (end == names.size()) return list;
    names.remove_prefix(end + 1);
  }
}

}  // namespace

Result<std::string> find_program_to_run(const std::string& name, std::string_view command) {
  if (auto path = toolchain::find_program(name)) return *path;
  std::error_code error;
  Error missing{ErrorCode::kFileUnreadable, fmt::format("cannot run {}", name)};
  if (fs::exists(name, error)) {
    missing.message += ": it is not executable";
    if (name.find('/') == std::string::npos && access(name.c_str(), X_OK) == 0) {
      missing.message = fmt::format("{} is not in PATH", name);
      missing.help = fmt::format("wavetank {} ./{}", command, name);
    }
  } else {
    missing.message += ": there is no such file";
  }
  return tl::unexpected(std::move(missing));
}

void prepend_path(const char* variable, const std::string& value) {
  const char* old = std::getenv(variable);
  const std::string text = old != nullptr && *old != '\0' ? value + ":" + old : value;
  setenv(variable, text.c_str(), 1);
}

std::vector<target::Device> chosen_devices(const RuntimeOptions& options) {
  const char* variable = std::getenv("WAVETANK_DEVICE");
  const std::string list =
      !options.device.empty() || variable == nullptr ? options.device : variable;
  std::vector<target::Device> devices;
  for (const std::string& name : split_at_commas(list)) {
    if (auto device = target::load_device(name)) devices.push_back(std::move(*device));
  }
  return devices;
}

Result<void> set_up_environment(const RuntimeOptions& options) {
  if (!options.device.empty()) {
    const Result<std::string> list = device_list(options.device);
    if (!list) return tl::unexpected(list.error());
    setenv("WAVETANK_DEVICE", list->c_str(), 1);
  }
  if (options.threads != 0) {
    setenv("WAVETANK_THREADS", std::to_string(options.threads).c_str(), 1);
  }
  return set_library_path();
}

Result<void> set_up_runtime(const RuntimeOptions& options, const std::string& program) {
  if (const Result<void> set = set_up_environment(options); !set) return set;
  return preload_libraries(program);
}

void add_runtime_options(Command& command, RuntimeOptions& options) {
  command.value("--device DEVICE", options.device,
                target::builtin_device_list() +
                    " or a .toml file, several with commas between; "
                    "otherwise the first that the program holds code for");
  command.value("--threads N", options.threads, "Worker threads; otherwise one for each core")
      .between(1, 1024);
}

}  // namespace wavetank::cli
