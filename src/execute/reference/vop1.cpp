#include "isa/vop1.hpp"

#include "execute/reference/families.hpp"
#include "execute/reference/lane_row.hpp"

namespace wavetank::execute::reference {

void append_vop1(Entries& entries) {
  append(entries, isa::kVop1Move, kExact);
  append(entries, isa::kVop1Convert, kExact);
  append(entries, isa::kVop1Round, kExact);
  append(entries, isa::kVop1Function, kExact);
  append(entries, isa::kVop1Half, kExact);
  append(entries, isa::kVop1Fp8, kExact);
}

}  // namespace wavetank::execute::reference
