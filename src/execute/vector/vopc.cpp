#include "isa/vopc.hpp"

#include "execute/vector/valu.hpp"

namespace wavetank::execute::WAVETANK_HOST {

void append_vopc(Entries& entries) { append(entries, isa::kVopcTables, kValu); }

}  // namespace wavetank::execute::WAVETANK_HOST
