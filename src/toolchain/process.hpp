// Starting other programs (the compiler, the user's program).
#pragma once

#include <signal.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"

namespace wavetank::toolchain {

/// What a finished program left.
struct Finished {
  int exit_status = 0;  ///< as a shell says it: 128 + signal when a signal ended it
  std::string output;   ///< what it printed, when that was captured
};

/// Runs argv[0] with the streams of this process and waits. It is killed when this process ends,
/// however that is, but not what it has started itself. Errors: kFileUnreadable when it cannot be
/// started.
Result<Finished> run_process(const std::vector<std::string>& argv);

/// While one exists, an interruption from the terminal (SIGINT) ends the programs that run, not
/// this process.
class Uninterrupted {
 public:
  Uninterrupted();
  ~Uninterrupted();
  Uninterrupted(const Uninterrupted&) = delete;
  Uninterrupted& operator=(const Uninterrupted&) = delete;
  /// True if one came since the first was made.
  static bool was_asked_to_end();

 private:
  struct sigaction before_ = {};
};

/// Like run_process without streams: it reads nothing, and what it prints is lost.
Result<Finished> run_quietly(const std::vector<std::string>& argv);

/// Like run_process, with its stdout captured.
Result<Finished> capture_process(const std::vector<std::string>& argv);

/// Runs a compiler or linker from inside any program: stdout and stderr are captured as one text,
/// and what the program preloads is not preloaded there.
Result<Finished> capture_tool(const std::vector<std::string>& argv);

/// Asks a tool from inside any program: its stdin is a file, its stdout is captured, its complaints
/// are dropped, and what the program preloads is not preloaded there.
Result<Finished> ask_tool(const std::vector<std::string>& argv,
                          const std::filesystem::path& questions);

/// The full path of a program that PATH finds, or of a path itself if it is executable.
std::optional<std::string> find_program(const std::string& name);

}  // namespace wavetank::toolchain
