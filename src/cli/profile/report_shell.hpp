// The page of `wavetank report --html` without its data, compiled in from web/report.
#pragma once

#include <span>

#include "base/embedded_file.hpp"

namespace wavetank::cli {

/// One file; none if Wavetank was built without nodejs and npm.
std::span<const EmbeddedFile> report_shell();

}  // namespace wavetank::cli
