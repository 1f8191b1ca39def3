#include "isa/vop3_integer.hpp"

#include "execute/reference/families.hpp"
#include "execute/reference/lane_row.hpp"

namespace wavetank::execute::reference {

void append_vop3_integer(Entries& entries) {
  append(entries, isa::kVop3Bits, kExact);
  append(entries, isa::kVop3Wide, kExact);
  append(entries, isa::kVop3Multiply, kExact);
  append(entries, isa::kVop3Select, kExact);
  append(entries, isa::kVop3Short, kExact);
  append(entries, isa::kVop3Sad, kExact);
}

}  // namespace wavetank::execute::reference
