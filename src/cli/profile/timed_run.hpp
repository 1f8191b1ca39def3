// Running a program on the cycle model: what `wavetank profile` and rocprofv3 share.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "cli/run/runtime_setup.hpp"

namespace wavetank::cli {

/// What to run, and how closely to look.
struct TimedRun {
  RuntimeOptions runtime = {};
  bool exact = false;         ///< simulate every workgroup
  bool every_launch = false;  ///< time repeated identical launches again
  std::string clocks = {};    ///< "sustained", or "peak"
  std::string trace = {};     ///< part of a kernel's name whose instructions are recorded
  std::uint32_t trace_cu = 0;
  std::vector<std::string> what_if = {};  ///< as WAVETANK_WHAT_IF takes them
  std::string what_if_kernel = {};        ///< of kernels whose name contains this
  std::uint32_t what_if_top = 3;          ///< of so many that take longest
  std::string path;                       ///< of the profile, absolute; what was there is removed
  std::vector<std::string> words;         ///< the program and its arguments
  std::string command;                    ///< the command that errors name: "profile"
};

/// TimedRun::what_if for the whole list, or for nothing.
inline std::vector<std::string> what_if_list(bool wanted) {
  return wanted ? std::vector<std::string>{"list"} : std::vector<std::string>{};
}

/// Runs the program and gives its exit status, as a shell says it. Without a launch there is no
/// profile. Errors: kFileUnreadable, kBadDevice, kNoMatchingCodeObject.
Result<int> run_timed(TimedRun run);

}  // namespace wavetank::cli
