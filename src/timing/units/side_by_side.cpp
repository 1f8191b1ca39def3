#include "timing/units/side_by_side.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <vector>

#include "timing/units/lane_pattern.hpp"

namespace wavetank::timing {
namespace {

/// The lines of a plan, each once, in the order of the lanes.
std::vector<std::uint64_t> different_lines(const AddressPlan& plan) {
  std::vector<std::uint64_t> lines;
  for (const LineAccess& line : plan.lines) {
    if (std::ranges::find(lines, line.address) == lines.end()) lines.push_back(line.address);
  }
  return lines;
}

/// Where accesses that need `needed` lines side by side begin, of those that touch `lines`. The
/// instructions that touch the same lines differ in where in its line, or its structure, the first
/// lane is: each gets another part of them.
std::uint64_t begin_of(const machine::Step& step, const std::vector<std::uint64_t>& lines,
                       std::uint64_t needed, std::uint32_t line_bytes) {
  const std::uint64_t first = step.address[static_cast<unsigned>(std::countr_zero(step.lanes))];
  const std::uint64_t places = std::max<std::uint64_t>(lines.size() / needed, 1);
  const auto apart = std::popcount(step.lanes) > 1
                         ? static_cast<std::uint64_t>(std::abs(lane_distance(step).first))
                         : std::uint64_t{line_bytes};
  const bool shares_lines = apart != 0 && apart < line_bytes;
  const std::uint64_t span = shares_lines ? apart : line_bytes;
  const std::uint64_t place = first % span * places / span;
  if (shares_lines) return lines[place * needed];
  // The lanes walk down a column of lines. As many columns as lines are needed lie side by side in
  // each row, and belong to the instruction of one place in one of them.
  const std::uint64_t column = first / line_bytes % needed;
  const std::uint64_t row = (column * places + place) % lines.size();
  return lines[row] / (needed * line_bytes) * (needed * line_bytes);
}

}  // namespace

void lay_side_by_side(const machine::Step& step, const AddressPlan& plan, std::uint32_t line_bytes,
                      machine::Step& laid) {
  const std::uint64_t lanes = step.lanes & ~step.lds_lanes;
  const auto count = static_cast<unsigned>(std::popcount(lanes));
  laid.facts = step.facts;
  laid.lanes = count == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
  laid.lds_lanes = 0;
  laid.access_bytes = step.access_bytes * step.access_count;
  laid.access_count = 1;
  laid.access_stride = 0;
  const std::uint64_t bytes = std::max<std::uint64_t>(plan.bytes, 1);
  const std::uint64_t needed = (bytes + line_bytes - 1) / line_bytes;
  const std::uint64_t begin = begin_of(step, different_lines(plan), needed, line_bytes);
  for (unsigned lane = 0; lane < 64; ++lane) {
    laid.address.slot(lane) = begin + std::uint64_t{laid.access_bytes} * std::min(lane, count - 1);
  }
}

}  // namespace wavetank::timing
