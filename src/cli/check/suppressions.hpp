// Which findings are known and right as they are: a file says so,
//
//   [[ok]]
//   code = "E0310"          # each of these may be left out, but not all
//   file = "src/*.hip"      # the end of a path
//   line = 12
//   function = "relax*"     # a function or kernel, with or without its parameters
//   reason = "any order gives the same distances"
//
// or a comment on the line of one of the places, or alone on the line above:
//
//   // wavetank: ok E0310 any order gives the same distances
#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/source_line.hpp"
#include "check/diagnosis.hpp"
#include "cli/check/run.hpp"

namespace wavetank::cli {

/// An entry of a file. What is empty (or 0) fits everything.
struct SuppressionEntry {
  SourceLine source;  ///< of the entry itself
  std::string code;   ///< "E0310"
  std::string file;   ///< a glob of a path or of its end
  unsigned line = 0;
  std::string function;  ///< a glob
  std::string reason;

  std::string place() const;  ///< "FILE:LINE" of the entry itself
  /// True if one of the diagnosis's places is what the entry says.
  bool fits(const check::Diagnosis& diagnosis) const;
};

/// The entries of a file's text; `where` names it. Errors: kFileUnreadable with line and column.
Result<std::vector<SuppressionEntry>> parse_suppressions(std::string_view text,
                                                         std::string_view where);

/// The nearest file .wavetank-check upwards of a folder.
std::optional<std::filesystem::path> find_suppressions(const std::filesystem::path& folder);

/// A comment's words behind "wavetank: ok": a code, which may be missing, and a reason.
struct SuppressionComment {
  std::string code, reason;
};
/// The comment that a source line has; `alone`: only if nothing stands before it.
std::optional<SuppressionComment> suppression_comment(std::string_view line, bool alone);

/// Judges findings by entries and comments, and remembers which ones it used.
class Suppressions {
 public:
  explicit Suppressions(std::vector<SuppressionEntry> entries) : entries_(std::move(entries)) {}

  /// What says that the finding is right as it is.
  std::optional<Suppression> of(const check::Diagnosis& diagnosis, SourceText& sources);
  /// Notes of the entries, and of the comments in these files, that no finding fitted.
  std::vector<check::Diagnosis> unused(const std::set<std::string>& files,
                                       SourceText& sources) const;

 private:
  std::vector<SuppressionEntry> entries_;
  std::set<std::pair<std::filesystem::path, unsigned>> used_;  ///< entries and comments
};

}  // namespace wavetank::cli
