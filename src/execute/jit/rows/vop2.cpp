#include "isa/vop2.hpp"

#include "execute/jit/row_drawing.hpp"
#include "execute/jit/rows/families.hpp"

namespace wavetank::execute::jit {

void append_vop2(Drawings& drawings) {
  drawings.add_table(isa::kVop2Float);
  drawings.add_table(isa::kVop2Multiply);
  drawings.add_table(isa::kVop2Integer);
  drawings.add_table(isa::kVop2Carry);
  drawings.add_table(isa::kVop2Multiply24);
  drawings.add_table(isa::kVop2Half);
  drawings.add_table(isa::kVop2Short);
  drawings.add_table(isa::kVop2Dot);
  drawings.add_table(isa::kVop2Packed);
}

}  // namespace wavetank::execute::jit
