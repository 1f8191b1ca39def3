#include "timing/units/side_by_side.hpp"

#include <algorithm>
#include <bit>
#include <vector>

#include "timing/units/lane_pattern.hpp"

namespace wavetank::timing {
namespace {

/// The lines of a plan, each once, in the order of the lanes.
std::vector<std::uint64_t> different_lines(const ShiftedPlan& planned) {
  std::vector<std::uint64_t> lines;
  for (const LineAccess& line : planned.plan->lines) {
    const std::uint64_t address = line.address + planned.shift;
    if (std::ranges::find(lines, address) == lines.end()) lines.push_back(address);
  }
  return lines;
}

/// Where accesses that need `needed` lines side by side begin, of those that touch `lines`. The
/// instructions that touch the same lines differ in where in its line, or its structure, the first
/// lane is: each gets another part of them.
std::uint64_t begin_of(const machine::Step& step, const std::vector<std::uint64_t>& lines,
                       std::uint64_t needed, std::uint32_t line_bytes) {
  const std::uint64_t block = needed * line_bytes;
  const std::uint64_t first = step.address[static_cast<unsigned>(std::countr_zero(step.lanes))];
  const auto lanes = static_cast<std::uint64_t>(std::popcount(step.lanes));
  const auto apart = lanes > 1 ? static_cast<std::uint64_t>(lane_distance(step).first) : 0;
  if (apart != 0 && apart < block && lanes_lie_apart(step, apart)) {
    // Structures side by side, one for each lane: the array of each member has its place.
    const std::uint64_t places = std::max<std::uint64_t>(lanes * apart / block, 1);
    const std::uint64_t structure = first - first % apart;
    return structure - structure % line_bytes + first % apart * places / apart * block;
  }
  // The lanes walk down a column of lines. As many columns as lines are needed lie side by side in
  // each row, and belong to the instruction of one place in one of them.
  const std::uint64_t places = std::max<std::uint64_t>(lines.size() / needed, 1);
  const std::uint64_t place = first % line_bytes * places / line_bytes;
  const std::uint64_t row = (first / line_bytes % needed * places + place) % lines.size();
  return lines[row] - lines[row] % block;
}

}  // namespace

void lay_side_by_side(const machine::Step& step, const ShiftedPlan& planned,
                      std::uint32_t line_bytes, machine::Step& laid) {
  const std::uint64_t lanes = step.lanes & ~step.lds_lanes;
  const auto count = static_cast<unsigned>(std::popcount(lanes));
  const std::uint64_t bytes = std::max<std::uint64_t>(planned.plan->bytes, 1);
  const std::uint64_t needed = (bytes + line_bytes - 1) / line_bytes;
  const std::vector<std::uint64_t> lines = different_lines(planned);
  if (lines.size() <= needed) {
    laid = step;
    return;
  }
  laid.facts = step.facts;
  laid.lanes = count == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
  laid.lds_lanes = 0;
  laid.access_bytes = step.access_bytes * step.access_count;
  laid.access_count = 1;
  laid.access_stride = 0;
  const std::uint64_t begin = begin_of(step, lines, needed, line_bytes);
  for (unsigned lane = 0; lane < 64; ++lane) {
    laid.address.slot(lane) = begin + std::uint64_t{laid.access_bytes} * std::min(lane, count - 1);
  }
}

}  // namespace wavetank::timing
