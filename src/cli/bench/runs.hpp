// The runs behind the accuracy suite's rows: each program under `wavetank profile`, and what it
// printed and profiled joined with the rows.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "cli/bench/suite.hpp"

namespace wavetank::cli {

/// The device on which rows of a published device are run, as --device takes it: a name, or a
/// description beside the sources.
std::string accuracy_device(const std::string& published);

/// What differs from runs of whole families on the suite's devices.
struct RunChanges {
  std::map<std::string, std::string> devices =
      {};  ///< descriptions, by what accuracy_device() gives
  std::map<std::string, std::string> filters = {};  ///< arguments of programs, by family
};

/// Runs what the rows need, compiling programs where there are none, and fills the rows. Outputs
/// and profiles go into `folder`; what lies there from before is not run again. stderr says how
/// long each run takes; rows of a program that fails, or that an interruption (SIGINT) leaves out,
/// stay without a value. Errors: those of
/// accuracy_programs(), kFileUnreadable, kBadDevice (of a profile).
Result<void> run_accuracy(const std::filesystem::path& folder, const RunChanges& changes,
                          std::vector<AccuracyRow>& rows);

}  // namespace wavetank::cli
