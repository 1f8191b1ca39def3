#include "isa/vop1.hpp"

#include "execute/reference/families.hpp"
#include "execute/reference/lane_row.hpp"

namespace wavetank::execute::reference {

void append_vop1(Entries& entries) { append(entries, isa::kVop1Tables, kExact); }

}  // namespace wavetank::execute::reference
