#include "isa/vop3_float.hpp"

#include "execute/reference/families.hpp"
#include "execute/reference/lane_row.hpp"

namespace wavetank::execute::reference {

void append_vop3_float(Entries& entries) {
  append(entries, isa::kVop3Float, kExact);
  append(entries, isa::kVop3Divide, kExact);
  append(entries, isa::kVop3Rare, kExact);
  append(entries, isa::kVop3Half, kExact);
  append(entries, isa::kVop3Pack, kExact);
  append(entries, isa::kVop3Fp8, kExact);
}

}  // namespace wavetank::execute::reference
