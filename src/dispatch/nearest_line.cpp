#include "dispatch/nearest_line.hpp"

#include <algorithm>

namespace wavetank::dispatch {

SourceLine nearest_line(std::uint64_t address, std::uint64_t first, const AskLines& ask) {
  constexpr std::uint64_t kBytes = 128, kDwordBytes = 4;
  std::vector<std::uint64_t> places;
  for (std::uint64_t back = kDwordBytes; back <= kBytes && address - first >= back;
       back += kDwordBytes) {
    places.push_back(address - back);
  }
  const std::vector<SourceLine> lines = ask(places);
  const auto found = std::ranges::find_if(lines, &SourceLine::is_known);
  if (found == lines.end()) return {};
  SourceLine line = *found;
  line.column = 0;
  return line;
}

}  // namespace wavetank::dispatch
