#include "isa/vop1.hpp"

#include "execute/jit/row_drawing.hpp"
#include "execute/jit/rows/families.hpp"

namespace wavetank::execute::jit {

void append_vop1(Drawings& drawings) {
  drawings.add_table(isa::kVop1Move);
  drawings.add_table(isa::kVop1Convert);
  drawings.add_table(isa::kVop1Round);
  drawings.add_table(isa::kVop1Function);
  drawings.add_table(isa::kVop1Half);
  drawings.add_table(isa::kVop1Fp8);
}

}  // namespace wavetank::execute::jit
