// The source lines that cost the most wave cycles.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "profile/launch_profile.hpp"

namespace wavetank::profile {

/// A source line, or an instruction where there is no debug information.
struct HotLine {
  std::string file;  ///< empty without debug information
  std::uint32_t line = 0;
  std::size_t instruction = 0;         ///< index of the one with the most cycles on the line
  Reason reason = Reason::kNotPicked;  ///< what the line's waves spent the most cycles on
  double percent = 0;                  ///< of the cycles that waves were resident
  double reason_percent = 0;           ///< of the same, for `reason` alone
};

/// "kernel.hip:88", the file without its folders; "+ 0x14" for an instruction without a line.
std::string place_of(const InstructionProfile& instruction);

/// The instruction at which waves spend the most cycles on a reason; null if there is none.
const InstructionProfile* worst_instruction(const LaunchProfile& launch, Reason reason);

/// The lines with the largest shares first, at most `count`, none below `least_percent`.
std::vector<HotLine> hot_lines(const LaunchProfile& launch, std::size_t count = 3,
                               double least_percent = 1);

}  // namespace wavetank::profile
