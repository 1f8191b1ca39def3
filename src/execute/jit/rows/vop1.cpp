#include "isa/vop1.hpp"

#include "execute/jit/row_drawing.hpp"
#include "execute/jit/rows/families.hpp"

namespace wavetank::execute::jit {

void append_vop1(Drawings& drawings) { drawings.add_lines(isa::kVop1Tables); }

}  // namespace wavetank::execute::jit
