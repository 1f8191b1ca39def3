// The JSON values behind `wavetank report --json`, which the page takes over as they are.
#pragma once

#include <vector>

#include "base/json.hpp"
#include "report/json.hpp"

namespace wavetank::report {

/// A kernel: times, verdict, stall stack, hot lines, roofline, findings, counters and metrics.
Json kernel_json(const profile::ProfileFile& file, const JudgedGroup& judged);

/// The run with all its kernels: what report_json() prints.
Json run_json(const profile::ProfileFile& file, const std::vector<JudgedGroup>& groups);

}  // namespace wavetank::report
