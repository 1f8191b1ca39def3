// Findings in words.
#pragma once

#include <string>

#include "base/dim3.hpp"
#include "check/diagnosis.hpp"
#include "check/findings.hpp"

namespace wavetank::check {

/// What the words say of a launch.
struct LaunchWords {
  std::string kernel;  ///< as its programmer wrote it
  std::string symbol;
  Dim3 groups, workgroup_work_items;
};

/// What they say of an instruction.
struct InstructionWords {
  SourceLine source;                                   ///< unknown without debug information
  std::string place;                                   ///< the kernel and an offset
  std::string text;                                    ///< as the assembler writes it
  std::vector<std::uint64_t> before = {}, after = {};  ///< places of edges beside it
};

/// "(1, 0, 0)": a workgroup by its number in dispatch order.
std::string group_text(std::uint64_t group, const LaunchWords& launch);
/// A finding with its two instructions, of which those that it does not have are empty.
Diagnosis describe(const Finding& finding, const InstructionWords& first,
                   const InstructionWords& second, const LaunchWords& launch);
/// That a launch was larger than what the race check can number.
Diagnosis describe_given_up(const LaunchWords& launch);

}  // namespace wavetank::check
