// What `wavetank run` and `wavetank profile` do before they start a program.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "cli/command_line.hpp"
#include "target/device.hpp"

namespace wavetank::cli {

/// Which devices the program sees, and with how many threads they run.
struct RuntimeOptions {
  std::string device;         ///< as given; empty: the runtime chooses
  std::uint32_t threads = 0;  ///< 0: one for each core
};

/// Adds --device and --threads; `options` must outlive the parse.
void add_runtime_options(Command& command, RuntimeOptions& options);

/// The devices that these options or WAVETANK_DEVICE choose, in their order; none if the program's
/// code will choose. What is no device is left out: the runtime says so.
std::vector<target::Device> chosen_devices(const RuntimeOptions& options);

/// The path of a program that PATH finds, or of a path itself. Errors: kFileUnreadable; the help
/// names `command`.
Result<std::string> find_program_to_run(const std::string& name, std::string_view command);

/// Puts `value` in front of a colon-separated variable.
void prepend_path(const char* variable, const std::string& value);

/// Sets the environment of this process so that programs started from it find the chosen devices
/// and Wavetank's libraries, unless a run path of theirs leads to AMD's. Errors: kBadDevice,
/// kFileUnreadable.
Result<void> set_up_environment(const RuntimeOptions& options);

/// Sets the environment of this process so that `program`, started from it, finds Wavetank's HIP
/// runtime in place of AMD's, and the chosen devices. Errors: kBadDevice, kFileUnreadable,
/// kNoMatchingCodeObject.
Result<void> set_up_runtime(const RuntimeOptions& options, const std::string& program);

}  // namespace wavetank::cli
