// Small helpers for text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace wavetank {

/// The words of "a,b,c"; empty ones are left out.
std::vector<std::string> split_at_commas(std::string_view list);

}  // namespace wavetank
