#include "isa/vop3_float.hpp"

#include "execute/reference/families.hpp"
#include "execute/reference/lane_row.hpp"

namespace wavetank::execute::reference {

void append_vop3_float(Entries& entries) { append(entries, isa::kVop3FloatTables, kExact); }

}  // namespace wavetank::execute::reference
