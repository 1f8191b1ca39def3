#include "isa/vop3_float.hpp"

#include "execute/jit/row_drawing.hpp"
#include "execute/jit/rows/families.hpp"

namespace wavetank::execute::jit {

void append_vop3_float(Drawings& drawings) { drawings.add_lines(isa::kVop3FloatTables); }

}  // namespace wavetank::execute::jit
