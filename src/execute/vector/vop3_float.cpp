#include "isa/vop3_float.hpp"

#include "execute/vector/valu.hpp"

namespace wavetank::execute::WAVETANK_HOST {

void append_vop3_float(Entries& entries) { append(entries, isa::kVop3FloatTables, kValu); }

}  // namespace wavetank::execute::WAVETANK_HOST
