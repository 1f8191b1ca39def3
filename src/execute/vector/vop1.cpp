#include "isa/vop1.hpp"

#include "execute/vector/valu.hpp"

namespace wavetank::execute::WAVETANK_HOST {

void append_vop1(Entries& entries) { append(entries, isa::kVop1Tables, kValu); }

}  // namespace wavetank::execute::WAVETANK_HOST
