// What the commands print with: colour that knows when to stay away, and aligned tables.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace wavetank::cli {

enum class Stream { kStdout, kStderr };

/// Colours text for one stream. Plain when the stream is no terminal, or NO_COLOR is set
/// (no-color.org), or TERM is "dumb".
class Style {
 public:
  explicit Style(Stream stream);
  /// No colours, whatever the terminal.
  static Style plain() { return Style(false); }
  bool has_colour() const { return colour_; }
  std::string bold(std::string_view text) const { return paint("1", text); }
  std::string dim(std::string_view text) const { return paint("2", text); }
  std::string good(std::string_view text) const { return paint("32", text); }
  std::string error(std::string_view text) const { return paint("1;31", text); }

 private:
  explicit Style(bool colour) : colour_(colour) {}
  std::string paint(std::string_view code, std::string_view text) const;
  bool colour_;
};

/// A table whose columns are as wide as their widest cell, two spaces apart.
class Table {
 public:
  enum class Align { kLeft, kRight };

  /// One column; an empty heading is allowed.
  void column(std::string heading, Align align = Align::kRight);
  void row(std::vector<std::string> cells);
  /// The lines, each indented by `indent` spaces and ended by a newline, without trailing spaces.
  /// The headings are left out when all are empty.
  std::string to_text(const Style& style, std::size_t indent = 2) const;

 private:
  struct Column {
    std::string heading;
    Align align;
  };
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

/// "64 KiB", "2.5 KiB", "512 bytes": exact when it can be, else one decimal.
std::string bytes_text(std::uint64_t bytes);

/// "1 wave", "2 waves".
std::string count_text(std::uint64_t count, std::string_view singular);
/// "1 launch", "2 launches".
std::string count_text(std::uint64_t count, std::string_view singular, std::string_view plural);

}  // namespace wavetank::cli
