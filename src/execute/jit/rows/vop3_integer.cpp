#include "isa/vop3_integer.hpp"

#include "execute/jit/row_drawing.hpp"
#include "execute/jit/rows/families.hpp"

namespace wavetank::execute::jit {

void append_vop3_integer(Drawings& drawings) { drawings.add_lines(isa::kVop3IntegerTables); }

}  // namespace wavetank::execute::jit
