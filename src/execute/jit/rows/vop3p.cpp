#include "isa/vop3p.hpp"

#include "execute/jit/row_drawing.hpp"
#include "execute/jit/rows/families.hpp"

namespace wavetank::execute::jit {

void append_vop3p(Drawings& drawings) { drawings.add_lines(isa::kVop3pTables); }

}  // namespace wavetank::execute::jit
