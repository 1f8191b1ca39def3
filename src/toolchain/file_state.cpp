#include "toolchain/file_state.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <fstream>
#include <iterator>
#include <sstream>

namespace wavetank::toolchain {

namespace fs = std::filesystem;

std::string state_of(const fs::path& file) {
  struct stat status{};
  if (stat(file.c_str(), &status) != 0) return fmt::format("- - {}", file.string());
  return fmt::format("{} {}.{:09} {}", status.st_size, status.st_mtim.tv_sec,
                     status.st_mtim.tv_nsec, file.string());
}

std::string states_of(const std::vector<fs::path>& files) {
  std::string lines;
  for (const fs::path& file : files) lines += state_of(file) + "\n";
  return lines;
}

bool states_hold(const std::string& lines) {
  std::istringstream stream(lines);
  for (std::string line; std::getline(stream, line);) {
    const std::size_t path = line.find(' ', line.find(' ') + 1);
    if (path == std::string::npos || state_of(line.substr(path + 1)) != line) return false;
  }
  return true;
}

std::vector<std::string> dependency_flags(const fs::path& rule) {
  std::vector<std::string> flags;
  for (const std::string& word :
       {std::string("-dependency-file"), rule.string(), std::string("-sys-header-deps"),
        std::string("-MT"), std::string("output")}) {
    flags.insert(flags.end(), {"-Xclang", word});
  }
  return flags;
}

std::vector<fs::path> read_dependencies(const fs::path& rule) {
  std::ifstream file(rule, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  const std::size_t colon = text.find(": ");
  std::vector<fs::path> files;
  if (colon == std::string::npos) return files;
  std::string name;
  for (std::size_t i = colon + 2; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : '\n';
    const char next = i + 1 < text.size() ? text[i + 1] : '\n';
    if (c == '\\' && (next == ' ' || next == '#' || next == '\\')) {
      name += next;
      ++i;
    } else if (c == '$' && next == '$') {
      name += c;
      ++i;
    } else if (c == ' ' || c == '\n' || (c == '\\' && next == '\n')) {
      if (!name.empty()) files.emplace_back(std::move(name));
      name.clear();
    } else {
      name += c;
    }
  }
  return files;
}

}  // namespace wavetank::toolchain
