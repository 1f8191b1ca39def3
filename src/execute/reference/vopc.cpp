#include "isa/vopc.hpp"

#include "execute/reference/families.hpp"
#include "execute/reference/lane_row.hpp"

namespace wavetank::execute::reference {

void append_vopc(Entries& entries) { append(entries, isa::kVopcTables, kExact); }

}  // namespace wavetank::execute::reference
