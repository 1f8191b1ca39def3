// Where a command's text goes.
#pragma once

#include <string>

#include "base/error.hpp"

namespace wavetank::cli {

/// Writes a file; "-" is stdout. Errors: kFileUnreadable.
Result<void> write_text(const std::string& path, const std::string& text);

}  // namespace wavetank::cli
