// The picture of docs/accuracy.md: simulated against measured values.
#pragma once

#include <string>
#include <vector>

#include "cli/bench/suite.hpp"

namespace wavetank::cli {

/// An SVG picture with a panel for each family, since units and magnitudes differ between them:
/// both axes logarithmic and the same, lines where both values are equal and where they differ by
/// 10 %, a colour for each device. Rows without a simulated value are left out, as are those of
/// less than a cycle, whose errors are relative to an issue slot; panels say how many.
std::string accuracy_svg(const std::vector<AccuracyRow>& rows);

}  // namespace wavetank::cli
