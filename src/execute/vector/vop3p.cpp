#include "isa/vop3p.hpp"

#include "execute/vector/valu_packed.hpp"

namespace wavetank::execute::WAVETANK_HOST {

void append_vop3p(Entries& entries) { append(entries, isa::kVop3pTables, kValuOrPacked); }

}  // namespace wavetank::execute::WAVETANK_HOST
