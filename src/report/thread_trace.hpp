// A thread trace to read: when each instruction of a wave issued and what it waited for.
#pragma once

#include <string>

#include "profile/launch_profile.hpp"
#include "report/text.hpp"

namespace wavetank::report {

/// A timeline of the trace's first waves, `waves` of them with at most `rows` instructions each,
/// and the legend. Each row is an instruction; each column a number of cycles that the head names.
std::string timeline_text(const profile::LaunchProfile& launch, const TextOptions& options,
                          std::size_t waves = 2, std::size_t rows = 40);

/// The file that AMD's trace decoder writes for a dispatch (stats_ui_output_agent_A_dispatch_D.csv;
/// source: ROCm documentation, "Using thread trace"): for each instruction how often it was issued
/// and the cycles of its latency (issue and stall), stall (the unit took it late) and idle (the
/// wave was not ready or not picked).
std::string thread_trace_csv(const profile::LaunchProfile& launch);

}  // namespace wavetank::report
