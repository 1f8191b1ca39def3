// Tables of comma-separated values as rocprofv3 writes them.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace wavetank::report {

/// A cell of text, in quotes.
inline std::string quoted_cell(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    quoted += c;
    if (c == '"') quoted += '"';
  }
  return quoted + "\"";
}

/// A row of cells: text and headings are quoted, numbers are not.
class CsvRow {
 public:
  CsvRow& text(std::string_view cell) { return raw(quoted_cell(cell)); }
  CsvRow& number(std::uint64_t cell) { return raw(std::to_string(cell)); }
  CsvRow& raw(std::string_view cell) {
    if (!line_.empty()) line_ += ',';
    line_ += cell;
    return *this;
  }
  std::string line() const { return line_ + "\n"; }

 private:
  std::string line_;
};

/// The first line of a table.
inline std::string csv_heading(std::initializer_list<std::string_view> names) {
  CsvRow row;
  for (const std::string_view name : names) row.text(name);
  return row.line();
}

}  // namespace wavetank::report
