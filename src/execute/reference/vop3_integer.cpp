#include "isa/vop3_integer.hpp"

#include "execute/reference/families.hpp"
#include "execute/reference/lane_row.hpp"

namespace wavetank::execute::reference {

void append_vop3_integer(Entries& entries) { append(entries, isa::kVop3IntegerTables, kExact); }

}  // namespace wavetank::execute::reference
