// Differences from LLVM that are known and accepted: tests/data/encoding/deviations.txt.
#pragma once

#include <regex>
#include <string>
#include <vector>

namespace wavetank::test {

/// The accepted differences of one kind (a word of the file's first column).
class Deviations {
 public:
  /// Reads the file; lines are KIND, a tab, an ECMAScript regular expression, a tab, the reason.
  static const Deviations& file();
  /// The reason of the first line of `kind` that matches all of `text`, or nullptr.
  const std::string* reason(const std::string& kind, const std::string& text) const;
  /// True if a line of `kind` matches all of `text`.
  bool accepts(const std::string& kind, const std::string& text) const {
    return reason(kind, text) != nullptr;
  }

 private:
  struct Line {
    std::string kind;
    std::regex pattern;
    std::string reason;
  };
  std::vector<Line> lines_;
};

}  // namespace wavetank::test
