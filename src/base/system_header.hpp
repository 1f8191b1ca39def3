// Whose source files are whose.
#pragma once

#include <string_view>

namespace wavetank {

/// True for a header of the system, of ROCm or of Wavetank's own tools: no place that a programmer
/// looks at, or can change.
bool is_system_header(std::string_view file);

}  // namespace wavetank
