#include "isa/vop3p.hpp"

#include "execute/reference/families.hpp"
#include "execute/reference/lane_row.hpp"

namespace wavetank::execute::reference {

void append_vop3p(Entries& entries) { append(entries, isa::kVop3pTables, kExact); }

}  // namespace wavetank::execute::reference
