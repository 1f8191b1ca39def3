// Instructions of kernel.hip for the tests of findings, and what is found in them.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "isa/catalogue.hpp"
#include "profile/advice.hpp"
#include "profile/verdict.hpp"
#include "target/load_device.hpp"
#include "unit/profile/sample_launches.hpp"

namespace wavetank::profile {

/// An access of line 7 to the array `in` by 1000 waves, whose lanes lie so many bytes apart, in so
/// many cache lines where `needed` would do.
inline InstructionProfile access(const char* name, double stride, double lines, double needed) {
  InstructionProfile i;
  i.row = isa::find_row(name);
  i.file = "kernel.hip";
  i.line = 7;
  i.array = "in";
  i.hits = i.strided_accesses = 1000;
  i.active_lanes = 64 * i.hits;
  i.stride = {stride, stride};
  i.lines_touched = lines * i.hits;
  i.lines_needed = needed * i.hits;
  i.cycles[static_cast<std::size_t>(Reason::kWaitVectorMemory)] = 40000000;
  return i;
}

/// An instruction of a line that so many waves issue with all lanes.
inline InstructionProfile vector(const char* name, unsigned line, double hits) {
  InstructionProfile i;
  i.row = isa::find_row(name);
  i.file = "kernel.hip";
  i.line = line;
  i.hits = hits;
  i.active_lanes = 64 * hits;
  return i;
}

/// A line of `count` vector instructions, the first of which is `sign`.
inline std::vector<InstructionProfile> line_of(const char* sign, unsigned count) {
  std::vector<InstructionProfile> line = {vector(sign, 9, 100)};
  while (line.size() < count) line.push_back(vector("v_add_u32", 9, 100));
  return line;
}

/// The rule's finding in a copy whose instructions are these.
inline std::optional<Finding> found(std::string_view id,
                                    std::vector<InstructionProfile> instructions) {
  LaunchProfile launch = vector_copy();
  launch.instructions = std::move(instructions);
  const Verdict verdict = judge(launch, *target::load_device(launch.device));
  for (const Finding& finding : verdict.findings) {
    if (finding.id == id) return finding;
  }
  return std::nullopt;
}

}  // namespace wavetank::profile
