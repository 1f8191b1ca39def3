#include "isa/vop2.hpp"

#include "execute/reference/families.hpp"
#include "execute/reference/lane_row.hpp"

namespace wavetank::execute::reference {

void append_vop2(Entries& entries) {
  append(entries, isa::kVop2Float, kExact);
  append(entries, isa::kVop2Multiply, kExact);
  append(entries, isa::kVop2Integer, kExact);
  append(entries, isa::kVop2Carry, kExact);
  append(entries, isa::kVop2Multiply24, kExact);
  append(entries, isa::kVop2Half, kExact);
  append(entries, isa::kVop2Short, kExact);
  append(entries, isa::kVop2Dot, kExact);
  append(entries, isa::kVop2Packed, kExact);
}

}  // namespace wavetank::execute::reference
