#include "isa/vop3p.hpp"

#include "execute/jit/row_drawing.hpp"
#include "execute/jit/rows/families.hpp"

namespace wavetank::execute::jit {

void append_vop3p(Drawings& drawings) {
  drawings.add_table(isa::kVop3pFloat);
  drawings.add_table(isa::kVop3pInteger);
  drawings.add_table(isa::kVop3pMixed);
  drawings.add_table(isa::kVop3pDot);
}

}  // namespace wavetank::execute::jit
