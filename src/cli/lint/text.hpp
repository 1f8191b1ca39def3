// What `wavetank lint` found, as a reader sees it:
//
//   warning[spill-in-loop]: 2 loads and 1 store of spilled registers in a loop
//     --> stencil.hip:31
//      |
//   31 |  sum += in[i + k] * w[k];
//      |         ^ scratch_load_dword v1, off, off offset:16
//      = note: the kernel spills 12 VGPRs in all
//      = help: give the compiler more registers ...
#pragma once

#include <string>

#include "cli/lint/run.hpp"
#include "cli/output/terminal.hpp"

namespace wavetank::cli {

/// One finding with all that is known of it.
std::string lint_text(const LintedKernel& kernel, const LintFinding& finding, SourceText& sources,
                      const Style& style);

/// "swap-loop 2, occupancy-step": what was found in a kernel, and how often if more than once.
std::string lint_brief(const LintedKernel& kernel);

/// How often each rule found something, and in how many kernels: lines of a table.
std::string lint_table(const LintRun& run, const Style& style);

/// "3 warnings, 1 note in 2 of 12 kernels".
std::string lint_summary(const LintRun& run, const Style& style);

}  // namespace wavetank::cli
