// A source line for code that has none: compilers that put together what several lines say leave
// it without.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "base/source_line.hpp"

namespace wavetank::dispatch {

/// Gives the lines of some addresses, unknown ones where there is none.
using AskLines = std::function<std::vector<SourceLine>(const std::vector<std::uint64_t>&)>;

/// The line of the nearest place before an address that has one, without a column; unknown if none
/// of the last instructions has, or none of those from `first` on.
SourceLine nearest_line(std::uint64_t address, std::uint64_t first, const AskLines& ask);

}  // namespace wavetank::dispatch
