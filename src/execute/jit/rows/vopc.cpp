#include "isa/vopc.hpp"

#include "execute/jit/row_drawing.hpp"
#include "execute/jit/rows/families.hpp"

namespace wavetank::execute::jit {

void append_vopc(Drawings& drawings) { drawings.add_lines(isa::kVopcTables); }

}  // namespace wavetank::execute::jit
