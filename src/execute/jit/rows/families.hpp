// The families of per-lane rows, as they are drawn.
#pragma once

#include "execute/jit/row_drawing.hpp"

namespace wavetank::execute::jit {

void append_vop1(Drawings& drawings);
void append_vop2(Drawings& drawings);
void append_vopc(Drawings& drawings);
void append_vop3_float(Drawings& drawings);
void append_vop3_integer(Drawings& drawings);
void append_vop3p(Drawings& drawings);

}  // namespace wavetank::execute::jit
