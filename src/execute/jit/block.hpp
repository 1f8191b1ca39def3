// What is kept of a compiled run.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "execute/op.hpp"

namespace wavetank::execute::jit {

/// A compiled run of per-lane ops.
struct Block {
  std::uint32_t slots = 0;  ///< op slots from its start to the op after it
  /// Every op's slot and handler, for the interpreter.
  std::vector<std::pair<std::uint32_t, Handler>> ops;
  std::vector<unsigned> masks;  ///< SGPR pairs that the run writes lane masks to
  machine::AccessGuard guard;   ///< of a run that loads or stores
};

}  // namespace wavetank::execute::jit
