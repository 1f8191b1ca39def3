#include "isa/vop2.hpp"

#include "execute/vector/valu_packed.hpp"

namespace wavetank::execute::WAVETANK_HOST {

void append_vop2(Entries& entries) { append(entries, isa::kVop2Tables, kValuOrPacked); }

}  // namespace wavetank::execute::WAVETANK_HOST
