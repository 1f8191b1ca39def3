// The YAML of rocprofv3's input files.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "base/error.hpp"

namespace wavetank::cli {

/// {"jobs": [{...}, ...]} of
///
///     jobs:
///       - pmc: [SQ_WAVES, SQ_INSTS_VALU]
///         kernel_include_regex: "add"
///       - pmc:
///           - SQ_WAVES
///
/// Values are texts, true, false, lists in brackets or lists of lines. Errors: kFileUnreadable with
/// the line of anything else.
Result<nlohmann::json> jobs_of_yaml(const std::string& text, const std::string& path);

}  // namespace wavetank::cli
