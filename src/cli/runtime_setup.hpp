// What `wavetank run` and `wavetank profile` do before they start a program.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "cli/command_line.hpp"

namespace wavetank::cli {

/// Which devices the program sees, and with how many threads they run.
struct RuntimeOptions {
  std::string device;         ///< as given; empty: the runtime chooses
  std::uint32_t threads = 0;  ///< 0: one for each core
};

/// Adds --device and --threads; `options` must outlive the parse.
void add_runtime_options(Command& command, RuntimeOptions& options);

/// The path of a program that PATH finds, or of a path itself. Errors: kFileUnreadable; the help
/// names `command`.
Result<std::string> find_program_to_run(const std::string& name, std::string_view command);

/// Sets the environment of this process so that `program`, started from it, finds Wavetank's HIP
/// runtime in place of AMD's, and the chosen devices. Errors: kBadDevice, kFileUnreadable,
/// kNoMatchingCodeObject.
Result<void> set_up_runtime(const RuntimeOptions& options, const std::string& program);

}  // namespace wavetank::cli
