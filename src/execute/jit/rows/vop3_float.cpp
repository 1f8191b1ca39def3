#include "isa/vop3_float.hpp"

#include "execute/jit/row_drawing.hpp"
#include "execute/jit/rows/families.hpp"

namespace wavetank::execute::jit {

void append_vop3_float(Drawings& drawings) {
  drawings.add_table(isa::kVop3Float);
  drawings.add_table(isa::kVop3Divide);
  drawings.add_table(isa::kVop3Rare);
  drawings.add_table(isa::kVop3Half);
  drawings.add_table(isa::kVop3Pack);
  drawings.add_table(isa::kVop3Fp8);
}

}  // namespace wavetank::execute::jit
