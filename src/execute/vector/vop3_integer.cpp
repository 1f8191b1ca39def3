#include "isa/vop3_integer.hpp"

#include "execute/vector/valu.hpp"

namespace wavetank::execute::WAVETANK_HOST {

void append_vop3_integer(Entries& entries) { append(entries, isa::kVop3IntegerTables, kValu); }

}  // namespace wavetank::execute::WAVETANK_HOST
