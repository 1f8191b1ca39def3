#include "isa/mnemonic.hpp"

#include <algorithm>
#include <iterator>
#include <span>

namespace wavetank::isa {
namespace {

constexpr Format kSegments[] = {Format::kFlat, Format::kGlobal, Format::kScratch};

/// The segments in which a row exists.
std::span<const Format> segments_of(const Row& row) {
  const auto* const one = std::ranges::find(kSegments, row.encoding.format);
  if (one == std::end(kSegments)) return {};
  if (*one != Format::kFlat) return {one, 1};
  return std::span(kSegments).first(row.memory.action == MemoryAction::kAtomic ? 2 : 3);
}

}  // namespace

std::string mnemonic(const Row& row, Format segment) {
  const std::string name(row.name);
  if (segments_of(row).empty()) return name;
  switch (segment) {
    case Format::kGlobal: return "global_" + name;
    case Format::kScratch: return "scratch_" + name;
    default: return "flat_" + name;
  }
}

std::vector<std::string> mnemonics(const Row& row) {
  const auto segments = segments_of(row);
  if (segments.empty()) return {std::string(row.name)};
  std::vector<std::string> names;
  for (const Format segment : segments) names.push_back(mnemonic(row, segment));
  return names;
}

Format segment_of(const Row& row, std::string_view name) {
  for (const Format segment : segments_of(row)) {
    if (mnemonic(row, segment) == name) return segment;
  }
  return row.encoding.format;
}

}  // namespace wavetank::isa
