#include "isa/vop2.hpp"

#include "execute/jit/row_drawing.hpp"
#include "execute/jit/rows/families.hpp"

namespace wavetank::execute::jit {

void append_vop2(Drawings& drawings) { drawings.add_lines(isa::kVop2Tables); }

}  // namespace wavetank::execute::jit
