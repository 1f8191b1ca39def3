// Where the lanes of a memory instruction are about to go: the cycle model's view of an access,
// without making it and without checking it.
#pragma once

#include "execute/op.hpp"
#include "machine/step.hpp"

namespace wavetank::execute {

/// Fills the memory part of a step from the wave's registers, before the op runs. The addresses
/// may refer to registers, which the op may overwrite.
void refer_to_addresses(const machine::Wave& wave, const Op* op, const isa::Row& row,
                        machine::Step& step);
/// The same with addresses that stay as they are.
void collect_addresses(const machine::Wave& wave, const Op* op, machine::Step& step);

}  // namespace wavetank::execute
