#include "profile/hot_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "profile/stall_stack.hpp"

namespace wavetank::profile {
namespace {

struct LineSum {
  ReasonCycles cycles = {};
  std::uint64_t most = 0;
  std::size_t instruction = 0;
};

/// Lines by file and number; an instruction without a line stands for itself.
std::map<std::tuple<std::string, std::uint32_t, std::uint64_t>, LineSum> sums(
    const LaunchProfile& launch) {
  std::map<std::tuple<std::string, std::uint32_t, std::uint64_t>, LineSum> lines;
  for (std::size_t i = 0; i < launch.instructions.size(); ++i) {
    const InstructionProfile& instruction = launch.instructions[i];
    const bool known = instruction.line != 0;
    LineSum& sum = lines[{instruction.file, instruction.line, known ? 0 : instruction.offset}];
    const std::uint64_t own = total_cycles(instruction.cycles);
    if (own > sum.most) {
      sum.most = own;
      sum.instruction = i;
    }
    for (std::size_t r = 0; r < kReasonCount; ++r) sum.cycles[r] += instruction.cycles[r];
  }
  return lines;
}

}  // namespace

std::string place_of(const InstructionProfile& instruction) {
  if (instruction.line == 0) {
    const bool before = static_cast<std::int64_t>(instruction.offset) < 0;
    const std::uint64_t distance = before ? 0 - instruction.offset : instruction.offset;
    return fmt::format("{} 0x{:x}", before ? '-' : '+', distance);
  }
  const std::size_t slash = instruction.file.rfind('/');
  return fmt::format(
      "{}:{}", slash == std::string::npos ? instruction.file : instruction.file.substr(slash + 1),
      instruction.line);
}

const InstructionProfile* worst_instruction(const LaunchProfile& launch, Reason reason) {
  const auto at = static_cast<std::size_t>(reason);
  const InstructionProfile* worst = nullptr;
  for (const InstructionProfile& i : launch.instructions) {
    if (i.cycles[at] > (worst != nullptr ? worst->cycles[at] : 0)) worst = &i;
  }
  return worst;
}

std::vector<HotLine> hot_lines(const LaunchProfile& launch, std::size_t count,
                               double least_percent) {
  const auto resident = static_cast<double>(resident_cycles(launch.cycles_by_reason));
  std::vector<HotLine> lines;
  if (resident == 0) return lines;
  for (const auto& [key, sum] : sums(launch)) {
    const auto worst = std::max_element(sum.cycles.begin(), sum.cycles.end());
    HotLine line;
    line.file = std::get<0>(key);
    line.line = std::get<1>(key);
    line.instruction = sum.instruction;
    line.reason = static_cast<Reason>(worst - sum.cycles.begin());
    line.percent = 100 * static_cast<double>(total_cycles(sum.cycles)) / resident;
    line.reason_percent = 100 * static_cast<double>(*worst) / resident;
    if (line.percent >= least_percent) lines.push_back(std::move(line));
  }
  std::sort(lines.begin(), lines.end(), [](const HotLine& a, const HotLine& b) {
    return a.percent != b.percent ? a.percent > b.percent : a.instruction < b.instruction;
  });
  if (lines.size() > count) lines.resize(count);
  return lines;
}

}  // namespace wavetank::profile
