// A checked run with what the command knows beside what the program's process told: what its
// reports (check_json, check_sarif, check_junit) are made of.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "check/diagnosis.hpp"

namespace wavetank::cli {

/// Where the programmer says that a finding is known and right as it is.
struct Suppression {
  std::string place;   ///< "race.hip:12", or the file of suppressions and a line of it
  std::string reason;  ///< may be empty
};

/// A change of the source that removes a race, proved by a run with it.
struct Fix {
  std::string change;           ///< "__syncthreads() after race.hip:12"
  std::size_t errors_left = 0;  ///< others of the program, with it
};

/// A finding.
struct Judged {
  check::Diagnosis diagnosis;
  std::optional<Suppression> suppressed = {};
  std::optional<Fix> fix = {};
  std::string help = {};  ///< may be empty
};

struct CheckedRun {
  std::vector<std::string> words;                 ///< the program and its arguments
  int exit_status = 0;                            ///< of the program
  bool ended = false;                             ///< it came to its end, with whatever status
  std::map<std::string, std::uint64_t> launches;  ///< of each kernel, by its name
  std::set<std::string> sources;                  ///< the program's files that kernels came from
  std::vector<Judged> findings;

  std::uint64_t launch_count() const;
  /// Findings of a level that are not suppressed.
  std::size_t count_of(check::Level level) const;
  std::size_t suppressed_count() const;
  /// True if the program was ended by something that is not its own return from main.
  bool broke_off() const { return !ended && exit_status != 0; }
};

/// Runs a program under the checks, in the environment that set_up_runtime made. Quietly: it reads
/// nothing and what it prints is lost. Errors: kFileUnreadable.
Result<CheckedRun> run_checked(const std::vector<std::string>& words,
                               const check::Change& change = {}, bool quiet = false);

}  // namespace wavetank::cli
