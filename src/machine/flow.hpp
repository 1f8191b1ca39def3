// A program as a graph: each instruction, and where a wave may go from it.
#pragma once

#include <cstdint>
#include <vector>

#include "machine/step.hpp"

namespace wavetank::machine {

/// One instruction. Successors are numbers of other steps.
struct FlowStep {
  static constexpr std::uint32_t kNowhere = ~std::uint32_t{0};
  StepFacts facts;
  std::uint32_t following = kNowhere, target = kNowhere;
  /// A call, or a jump to an address in registers: other code runs before the successors.
  bool leaves = false;
};

/// All instructions that are known to belong to a kernel, in the order of their addresses.
using Flow = std::vector<FlowStep>;

}  // namespace wavetank::machine
