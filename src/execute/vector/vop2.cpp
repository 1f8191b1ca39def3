#include "isa/vop2.hpp"

#include "execute/vector/valu_packed.hpp"

namespace wavetank::execute::WAVETANK_HOST {

void append_vop2(Entries& entries) {
  append(entries, isa::kVop2Float, kValu);
  append(entries, isa::kVop2Multiply, kValu);
  append(entries, isa::kVop2Integer, kValu);
  append(entries, isa::kVop2Carry, kValu);
  append(entries, isa::kVop2Multiply24, kValu);
  append(entries, isa::kVop2Half, kRareValu);
  append(entries, isa::kVop2Short, kRareValu);
  append(entries, isa::kVop2Dot, kRareValu);
  append(entries, isa::kVop2Packed, kPackedValu);
}

}  // namespace wavetank::execute::WAVETANK_HOST
