#include "isa/vop3_integer.hpp"

#include "execute/jit/row_drawing.hpp"
#include "execute/jit/rows/families.hpp"

namespace wavetank::execute::jit {

void append_vop3_integer(Drawings& drawings) {
  drawings.add_table(isa::kVop3Bits);
  drawings.add_table(isa::kVop3Wide);
  drawings.add_table(isa::kVop3Multiply);
  drawings.add_table(isa::kVop3Select);
  drawings.add_table(isa::kVop3Short);
  drawings.add_table(isa::kVop3Sad);
}

}  // namespace wavetank::execute::jit
