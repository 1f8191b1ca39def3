// The table of mechanisms for a terminal, a page and a program.
#pragma once

#include <string>
#include <vector>

#include "cli/bench/mechanisms.hpp"
#include "cli/output/json_output.hpp"

namespace wavetank::cli {

/// A line for each effect; `with` is the mean over all rows with all mechanisms.
std::string mechanisms_text(const std::vector<MechanismEffect>& effects, const AccuracyMean& with);

/// docs/mechanisms.md: the same, with what was switched off and where its numbers come from.
std::string mechanisms_markdown(const std::vector<MechanismEffect>& effects,
                                const AccuracyMean& with);

Json mechanisms_json(const std::vector<MechanismEffect>& effects, const AccuracyMean& with);

}  // namespace wavetank::cli
