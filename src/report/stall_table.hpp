// "Where the cycles went": bars that sum to 100.0 %, with the line to blame for each.
#pragma once

#include <string>

#include "profile/verdict.hpp"
#include "report/text.hpp"

namespace wavetank::report {

/// On a device of which so much is empty the shares of the waves' own cycles stand beside those of
/// all slots: what the few waves wait for would be lost in rounding.
inline constexpr unsigned kEmptyPermille = 500;

/// The section of a launch's screen.
std::string stall_table(const profile::LaunchProfile& launch, const profile::Verdict& verdict,
                        const TextOptions& options);

}  // namespace wavetank::report
