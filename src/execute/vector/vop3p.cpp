#include "isa/vop3p.hpp"

#include "execute/vector/valu_packed.hpp"

namespace wavetank::execute::WAVETANK_HOST {

void append_vop3p(Entries& entries) {
  append(entries, isa::kVop3pFloat, kPackedValu);
  append(entries, isa::kVop3pInteger, kPackedValu);
  append(entries, isa::kVop3pMixed, kRareValu);
  append(entries, isa::kVop3pDot, kRareValu);
}

}  // namespace wavetank::execute::WAVETANK_HOST
