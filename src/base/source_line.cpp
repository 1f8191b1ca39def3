#include "base/source_line.hpp"

#include <fstream>

#include <fmt/format.h>

namespace wavetank {
namespace {

std::vector<std::string> lines_of(const std::string& path) {
  std::vector<std::string> lines;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.ends_with('\r')) line.pop_back();
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace

std::string SourceLine::short_text() const {
  return is_known() ? fmt::format("{}:{}", file_name(), line) : "";
}

const std::string* SourceText::line_of(const std::string& file, unsigned line) {
  auto known = files_.find(file);
  if (known == files_.end()) known = files_.emplace(file, lines_of(file)).first;
  const std::vector<std::string>& lines = known->second;
  return line == 0 || line > lines.size() ? nullptr : &lines[line - 1];
}

}  // namespace wavetank
