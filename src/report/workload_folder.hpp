// A profiled run as the workload folder that `rocprof-compute profile` leaves and `rocprof-compute
// analyze -p` reads. Source of the format: ROCm/rocprofiler-compute, src/utils/file_io.py (which
// files), specs.py (the columns of sysinfo.csv) and the analysis_configs (which counters).
#pragma once

#include <map>
#include <string>

#include "profile/profile_file.hpp"
#include "target/device.hpp"

namespace wavetank::report {

/// The files of one device's launches, by name: sysinfo.csv, pmc_perf.csv with a row for each
/// launch, and a file for each counter of levels. Counters of single L2 channels are not in it:
/// a profile keeps their sums. Empty if the run has no launch on the device.
std::map<std::string, std::string> workload_folder(const profile::ProfileFile& file,
                                                   const target::Device& device);

}  // namespace wavetank::report
