#include "isa/vopc.hpp"

#include "execute/jit/row_drawing.hpp"
#include "execute/jit/rows/families.hpp"

namespace wavetank::execute::jit {

void append_vopc(Drawings& drawings) {
  drawings.add_table(isa::kVopcClass);
  drawings.add_table(isa::kVopcClassExec);
  drawings.add_table(isa::kVopcF16);
  drawings.add_table(isa::kVopcF16Exec);
  drawings.add_table(isa::kVopcF32);
  drawings.add_table(isa::kVopcF32Exec);
  drawings.add_table(isa::kVopcF64);
  drawings.add_table(isa::kVopcF64Exec);
  drawings.add_table(isa::kVopcI16);
  drawings.add_table(isa::kVopcI16Exec);
  drawings.add_table(isa::kVopcU16);
  drawings.add_table(isa::kVopcU16Exec);
  drawings.add_table(isa::kVopcI32);
  drawings.add_table(isa::kVopcI32Exec);
  drawings.add_table(isa::kVopcU32);
  drawings.add_table(isa::kVopcU32Exec);
  drawings.add_table(isa::kVopcI64);
  drawings.add_table(isa::kVopcI64Exec);
  drawings.add_table(isa::kVopcU64);
  drawings.add_table(isa::kVopcU64Exec);
}

}  // namespace wavetank::execute::jit
