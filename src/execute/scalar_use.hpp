// Who reads a scalar register, and so how much of what scalar loads bring is read at all. Compilers
// round loads of constants up to the next length that the device has: of seven floats they load
// eight.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "execute/program_ops.hpp"

namespace wavetank::execute {

/// Visits the instructions that may read what is in a scalar register, from a slot on and up to
/// where it is written again, until one says false. False then, and where it is not known who
/// reads: behind code that is not known, and where M0 chooses registers.
bool visit_readers(const ProgramOps& program, const FactsOf& facts_of, unsigned scalar,
                   std::size_t from,
                   const std::function<bool(std::size_t slot, const machine::StepFacts&)>& visit);

/// The last dwords of a scalar load's result that no instruction reads before they are written
/// again, on any path from its slot. None where code follows that is not known, and of all other
/// instructions.
std::uint8_t unread_dwords(const ProgramOps& program, const FactsOf& facts_of, std::size_t load);

}  // namespace wavetank::execute
