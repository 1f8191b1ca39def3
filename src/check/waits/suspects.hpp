// Whether a program may use a result too early on any path, as far as its code tells without being
// run. Compilers think in the same way, so that what they make is no suspect.
#pragma once

#include <optional>

#include "machine/flow.hpp"
#include "machine/wait_states.hpp"

namespace wavetank::check {

/// An instruction and a later one on some path, numbers in the flow, without the s_waitcnt or the
/// wait states that belong between them.
struct EarlyUse {
  std::uint32_t first, second;
};

/// One such pair, if there is any. Which others there are, and whether a wave ever takes that path,
/// only shows when the code runs.
std::optional<EarlyUse> find_early_use(const machine::Flow& flow,
                                       const machine::WaitStates& states);

}  // namespace wavetank::check
