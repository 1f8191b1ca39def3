// Looks for changes that order what races, each proved by a run of the program under the checks
// in which the kernel behaves as if it were made (docs/decisions/0023).
#pragma once

#include <functional>
#include <string>

#include "cli/check_candidates.hpp"
#include "cli/check_run.hpp"

namespace wavetank::cli {

/// Runs the program once more with these edges. Errors: as run_checked.
using RunWithEdges = std::function<Result<CheckedRun>(const std::vector<check::Edge>&)>;

/// Gives each race that is not suppressed a help: the change that removes it and brings no other
/// error, or that none does. The program runs again for each change that is tried. Errors: those of
/// `again`.
Result<void> find_fixes(CheckedRun& run, const RunWithEdges& again);

}  // namespace wavetank::cli
