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
/// as JSON: texts, true, false, lists, maps. Errors: kFileUnreadable with the line of what is no
/// YAML or lies deeper than jobs do.
Result<nlohmann::json> jobs_of_yaml(const std::string& text, const std::string& path);

}  // namespace wavetank::cli
