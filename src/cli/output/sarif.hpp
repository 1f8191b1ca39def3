// SARIF 2.1.0 (OASIS standard; sections of it in brackets), as much of it as code-scanning pages
// read: GitHub's "SARIF support for code scanning" lists the properties.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/source_line.hpp"

namespace wavetank::cli {

/// A kind of finding, explained by its page of `wavetank explain`, if there is one of that name.
struct SarifRule {
  std::string id;
  std::string level;  ///< "error", "warning" or "note"
  std::string tag;    ///< "correctness", "performance"
};

/// A place in the program; the source may be unknown.
struct SarifPlace {
  SourceLine source;
  std::string what = {};  ///< of places beside the first
};

struct SarifResult {
  std::size_t rule = 0;  ///< its number in the run
  std::string level;
  std::string message;
  std::vector<SarifPlace> places;  ///< the first is the finding's own; none: the program
  std::string fingerprint;         ///< the same in each run that finds the same
  std::uint64_t count = 1;
};

struct SarifRun {
  std::string tool;                ///< "wavetank check"
  std::vector<std::string> words;  ///< the program that was looked at, and its arguments
  int exit_status = 0;
  bool successful = true;
  std::vector<SarifRule> rules;
  std::vector<SarifResult> results;
};

/// The log as text. Files inside of `root` are told relative to it.
std::string sarif_text(const SarifRun& run, const std::filesystem::path& root, SourceText& sources);

/// The folder that reports name files from: the nearest one upwards of `folder` that is a
/// repository's, else `folder` itself.
std::filesystem::path source_root(const std::filesystem::path& folder);

}  // namespace wavetank::cli
