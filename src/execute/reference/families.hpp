// The families of per-lane rows, as the reference runs them.
#pragma once

#include "execute/registry.hpp"

namespace wavetank::execute::reference {

void append_vop1(Entries& entries);
void append_vop2(Entries& entries);
void append_vopc(Entries& entries);
void append_vop3_float(Entries& entries);
void append_vop3_integer(Entries& entries);
void append_vop3p(Entries& entries);
/// The row with four result registers, which strips do not run.
void append_wide(Entries& entries);

}  // namespace wavetank::execute::reference
