// The exit codes of every command. They are part of the interface: scripts rely on them.
#pragma once

#include "base/error.hpp"

namespace wavetank::cli {

/// 0 and 1 are the program's own verdict under `wavetank run`, whose status is passed on.
enum ExitCode : int {
  kOk = 0,
  kProgramFailed = 1,  ///< the command ran and what it ran or looked at failed
  kUsageError = 2,     ///< the command line makes no sense, or a named file cannot be read
  kUnsupported = 3,    ///< well-formed, but not something Wavetank runs
  kInternalError = 4,  ///< a bug in Wavetank
};

/// The exit code that goes with an error.
ExitCode exit_code_for(ErrorCode code);

/// Prints an error to stderr, with colour if that is wanted, and gives its exit code.
int report(const Error& error);

}  // namespace wavetank::cli
