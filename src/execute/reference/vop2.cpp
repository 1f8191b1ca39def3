#include "isa/vop2.hpp"

#include "execute/reference/families.hpp"
#include "execute/reference/lane_row.hpp"

namespace wavetank::execute::reference {

void append_vop2(Entries& entries) { append(entries, isa::kVop2Tables, kExact); }

}  // namespace wavetank::execute::reference
