#include "isa/vop3_float.hpp"

#include "execute/vector/valu.hpp"

namespace wavetank::execute::WAVETANK_HOST {

void append_vop3_float(Entries& entries) {
  append(entries, isa::kVop3Float, kValu);
  append(entries, isa::kVop3Divide, kRareValu);
  append(entries, isa::kVop3Rare, kRareValu);
  append(entries, isa::kVop3Half, kRareValu);
  append(entries, isa::kVop3Pack, kRareValu);
  append(entries, isa::kVop3Fp8, kRareValu);
}

}  // namespace wavetank::execute::WAVETANK_HOST
