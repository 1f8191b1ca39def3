// The reports of a checked run for other programs: JSON, SARIF 2.1.0 for code-scanning pages, JUnit
// for lists of tests.
#pragma once

#include <filesystem>
#include <string>

#include "base/error.hpp"
#include "base/source_line.hpp"
#include "cli/check/run.hpp"

namespace wavetank::cli {

/// Everything, as JSON.
std::string check_json(const CheckedRun& run, SourceText& sources);

/// The findings that are not suppressed, as a SARIF log (OASIS, version 2.1.0). Files inside of
/// `root` are told relative to it. Pages that show such logs do not look at suppressions.
std::string check_sarif(const CheckedRun& run, const std::filesystem::path& root,
                        SourceText& sources);

/// A test for each kernel that was launched, which fails if an error was found in it, and one for
/// the program's end, as JUnit's XML.
std::string check_junit(const CheckedRun& run, SourceText& sources);

/// The same for each run of a program whose findings are the same, and different for each finding
/// of a run: from its kind, kernel, files, functions and source lines' text, but not their numbers.
std::vector<std::string> fingerprints(const CheckedRun& run, SourceText& sources);

}  // namespace wavetank::cli
