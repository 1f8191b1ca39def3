// The accuracy suite's results for a terminal, a page and a program.
#pragma once

#include <string>
#include <vector>

#include "cli/bench/suite.hpp"
#include "cli/output/json_output.hpp"

namespace wavetank::cli {

/// Rows worst first, then the means and the order in each family.
std::string accuracy_text(const std::vector<AccuracyRow>& rows);

/// docs/accuracy.md: the same with sources, and what the devices' numbers rest on. Errors:
/// kBadDevice.
Result<std::string> accuracy_markdown(const std::vector<AccuracyRow>& rows);

/// Everything, rows in the order of measured.csv.
Json accuracy_json(const std::vector<AccuracyRow>& rows);

}  // namespace wavetank::cli
