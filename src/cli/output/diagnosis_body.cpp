#include "cli/output/diagnosis_body.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace wavetank::cli {

DiagnosisBody::DiagnosisBody(unsigned last_line, SourceText& sources, const Style& style)
    : sources_(sources), style_(style) {
  width_ = std::max(width_, std::to_string(last_line).size());
}

void DiagnosisBody::add(const DiagnosisPlace& place) {
  text_ += fmt::format("{:{}}{} {}\n", "", width_, style_.dim("-->"), place.place);
  const std::string* const line = sources_.line_of(place.source);
  if (line != nullptr) {
    add_source(place, *line);
  } else if (!place.code.empty()) {
    add_line(place.code);
  }
  if (!place.what.empty()) add_line(place.what);
}

void DiagnosisBody::add_remark(std::string_view kind, std::string_view remark) {
  text_ += fmt::format("{:{}} {} {}: {}\n", "", width_, style_.dim("="), kind, remark);
}

/// The line from its first word on, and the instruction under what it came from.
void DiagnosisBody::add_source(const DiagnosisPlace& place, const std::string& line) {
  const std::size_t begin = std::min(line.find_first_not_of(" \t"), line.size());
  add_line({});
  add_line(std::string_view(line).substr(begin), std::to_string(place.source.line));
  const std::size_t column = place.source.column;
  if (column <= begin || column > line.size()) {
    if (!place.code.empty()) add_line(place.code);
    return;
  }
  // Tabs stay, so that the mark stands under its place whatever their width.
  std::string blank = line.substr(begin, column - 1 - begin);
  std::replace_if(blank.begin(), blank.end(), [](char c) { return c != '\t'; }, ' ');
  add_line(fmt::format("{}{} {}", blank, style_.error("^"), place.code));
}

void DiagnosisBody::add_line(std::string_view line, std::string_view number) {
  text_ += style_.dim(fmt::format("{:>{}} |", number, width_));
  if (!line.empty()) text_ += fmt::format("  {}", line);
  text_ += "\n";
}

}  // namespace wavetank::cli
