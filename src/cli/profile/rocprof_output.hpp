// Files in the shapes of rocprofv3, for `wavetank profile` and `wavetank report`.
#pragma once

#include <string>
#include <vector>

#include "base/error.hpp"
#include "cli/profile/profile_views.hpp"

namespace wavetank::cli {

/// Which files, and where. Names are those of rocprofv3: FOLDER/PREFIX_kernel_trace.csv.
struct RocprofOutput {
  std::string folder;
  std::string prefix;                ///< "77" of the process
  std::vector<std::string> formats;  ///< "csv", "json", "rocpd"
  bool kernel_trace = false;
  bool kernel_stats = false;
  bool counters = false;
  std::vector<std::string> pmc;  ///< names to collect; empty: all that were counted
};

/// Whether one of the processors has each counter or metric; without processors there is
/// nothing to say. Errors: kUsage for the first that none has.
Result<void> check_counters(const std::vector<std::string>& names,
                            const std::vector<const isa::Target*>& processors);

/// Writes the files and gives their paths. Errors: kUsage for an unknown format or for a counter
/// that no device of the run has, kFileUnreadable.
Result<std::vector<std::string>> write_rocprof(const LoadedProfile& loaded,
                                               const RocprofOutput& output);

/// Names of `pmc` that have no value in any launch, each with the reason.
std::vector<std::string> counters_without_value(const LoadedProfile& loaded,
                                                const std::vector<std::string>& pmc);

}  // namespace wavetank::cli
