// Graphs of a few assembled instructions.
#pragma once

#include <string_view>
#include <vector>

#include "assembly.hpp"
#include "machine/flow.hpp"

namespace wavetank::check {

using Texts = std::vector<std::string_view>;

/// A flow of instructions, each followed by the next one; jumps are added to it.
inline machine::Flow flow_of(const Texts& texts) {
  using timing::testing::assembled;
  using timing::testing::spec_of;
  machine::Flow flow(texts.size());
  for (std::uint32_t i = 0; i < flow.size(); ++i) {
    flow[i].facts = assembled(texts[i], spec_of("mi210"));
    if (i + 1 < flow.size()) flow[i].following = i + 1;
  }
  return flow;
}

}  // namespace wavetank::check
