// Places in source files, and what stands there.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace wavetank {

/// A place in a source file; line 0 when it is not known.
struct SourceLine {
  std::string file;           ///< with its folder, as far as the compiler told
  unsigned line = 0;          ///< from 1
  unsigned column = 0;        ///< byte of the line, from 1; 0: not known
  std::string function = {};  ///< as its programmer wrote it; empty: not known
  /// The function of a system header that it is, inlined at this line; empty: the line's own code.
  std::string of_header = {};

  bool is_known() const { return line != 0; }
  /// "race.hip", without its folder.
  std::string file_name() const { return file.substr(file.rfind('/') + 1); }
  /// "race.hip:13", empty if it is not known.
  std::string short_text() const;
  bool is_line_of(const SourceLine& other) const {
    return line == other.line && file == other.file;
  }
  friend bool operator==(const SourceLine&, const SourceLine&) = default;
};

/// The lines of source files, each file read when it is first asked for.
class SourceText {
 public:
  /// The line without its newline; nullptr if the file is not there (any more) or ends before.
  const std::string* line_of(const SourceLine& place) { return line_of(place.file, place.line); }
  const std::string* line_of(const std::string& file, unsigned line);

 private:
  std::map<std::string, std::vector<std::string>> files_;
};

}  // namespace wavetank
