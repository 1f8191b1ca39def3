#include "isa/vop3_integer.hpp"

#include "execute/vector/valu.hpp"

namespace wavetank::execute::WAVETANK_HOST {

void append_vop3_integer(Entries& entries) {
  append(entries, isa::kVop3Bits, kValu);
  append(entries, isa::kVop3Wide, kValu);
  append(entries, isa::kVop3Multiply, kValu);
  append(entries, isa::kVop3Select, kRareValu);
  append(entries, isa::kVop3Short, kRareValu);
  append(entries, isa::kVop3Sad, kRareValu);
}

}  // namespace wavetank::execute::WAVETANK_HOST
