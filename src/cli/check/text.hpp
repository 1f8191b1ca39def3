// What `wavetank check` found, as a reader sees it:
//
//   error[E0310]: data race on LDS, 4 bytes at byte 16
//     --> race.hip:12
//      |
//   12 |  if (x < width && y < height) tile[threadIdx.y][threadIdx.x] = in[y * width + x];
//      |                                                              ^ ds_write_b32 v2, v0
//      |  written by work-item (4, 0, 0) (wave 0, lane 4) of workgroup (0, 0, 0)
//      = note: 768 times
#pragma once

#include <string>

#include "base/source_line.hpp"
#include "check/diagnosis.hpp"
#include "cli/check/run.hpp"
#include "cli/output/terminal.hpp"

namespace wavetank::cli {

/// The whole diagnosis, several lines, ending in a newline. Lines of files that cannot be read are
/// left out.
std::string diagnosis_text(const Judged& judged, SourceText& sources, const Style& style);

/// "2 errors, 1 note in 3 launches, 1 suppressed": how often what was found, of each kind if there
/// are several.
std::string check_summary(const CheckedRun& run, const Style& style);

}  // namespace wavetank::cli
