#include "unit/encoding/deviations.hpp"

#include <fstream>
#include <stdexcept>

namespace wavetank::test {

const Deviations& Deviations::file() {
  static const Deviations deviations = [] {
    Deviations result;
    std::ifstream stream(WAVETANK_TEST_DATA "/encoding/deviations.txt");
    if (!stream) throw std::runtime_error("deviations.txt is missing");
    for (std::string line; std::getline(stream, line);) {
      if (line.empty() || line[0] == '#') continue;
      const std::size_t first = line.find('\t');
      const std::size_t second = line.find('\t', first + 1);
      if (second == std::string::npos) throw std::runtime_error("deviations.txt: " + line);
      const std::string pattern = line.substr(first + 1, second - first - 1);
      result.lines_.push_back({line.substr(0, first), std::regex(pattern, std::regex::optimize),
                               line.substr(second + 1)});
    }
    return result;
  }();
  return deviations;
}

const std::string* Deviations::reason(const std::string& kind, const std::string& text) const {
  for (const Line& line : lines_) {
    if (line.kind == kind && std::regex_match(text, line.pattern)) return &line.reason;
  }
  return nullptr;
}

}  // namespace wavetank::test
