// A thread trace as the folder that ROCprof Compute Viewer opens (rocprofv3 --att writes it as
// ui_output_agent_A_dispatch_D). Sources of the format: ROCm/rocprofiler-sdk, lib/att-tool
// (code.cpp, filenames.cpp, occupancy.cpp, wave.cpp), whose numbers of categories and states are
// those of ROCm/rocprof-trace-decoder's trace_decoder_types.h; and its reader in
// ROCm/rocprof-compute-viewer, src/data/json_emitter.cpp.
#pragma once

#include <map>
#include <string>

#include "profile/launch_profile.hpp"

namespace wavetank::report {

/// The files of a traced launch, by name: code.json, filenames.json, occupancy.json, one file for
/// each wave, and the sources with snapshots.json, which says where they belong. Empty without a
/// trace. `sources` are texts by the files that the instructions name.
std::map<std::string, std::string> viewer_folder(const profile::LaunchProfile& launch,
                                                 const std::map<std::string, std::string>& sources);

}  // namespace wavetank::report
