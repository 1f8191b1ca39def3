// How much of what scalar loads bring is read at all. Compilers round loads of constants up to the
// next length that the device has: of seven floats they load eight.
#pragma once

#include <cstddef>
#include <cstdint>

#include "execute/program_ops.hpp"

namespace wavetank::execute {

/// The last dwords of a scalar load's result that no instruction reads before they are written
/// again, on any path from its slot. None where code follows that is not known, and of all other
/// instructions.
std::uint8_t unread_dwords(const ProgramOps& program, const FactsOf& facts_of, std::size_t load);

}  // namespace wavetank::execute
