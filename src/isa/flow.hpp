// Where instructions go on.
#pragma once

#include "isa/row.hpp"

namespace wavetank::isa {

/// Goes on at a distance that the instruction holds, or after it.
constexpr bool branches(const Row& row) {
  return row.sources[0].immediate == ImmediateKind::kBranch;
}

/// Keeps where it came from.
constexpr bool calls(const Row& row) {
  return (branches(row) || row.indirect_flow) && row.result.type != Type::kNone;
}

/// Goes to another function, or to an address in registers.
constexpr bool leaves(const Row& row) { return row.indirect_flow || calls(row); }

}  // namespace wavetank::isa
