// Looks for changes that order what races, each proved by a run of the program under the checks
// in which the kernel behaves as if it were made (docs/decisions/0023).
#pragma once

#include <functional>
#include <string>

#include "cli/check/candidates.hpp"
#include "cli/check/run.hpp"

namespace wavetank::cli {

/// Runs the program once more as if it were changed so. Errors: as run_checked.
using RunChanged = std::function<Result<CheckedRun>(const check::Change&)>;

/// Gives each race that is not suppressed a help: the change that removes it and brings no other
/// error, or that none does. The program runs again for each change that is tried. Errors: those of
/// `again`.
Result<void> find_fixes(CheckedRun& run, const RunChanged& again);

}  // namespace wavetank::cli
