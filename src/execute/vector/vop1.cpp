#include "isa/vop1.hpp"

#include "execute/vector/valu.hpp"

namespace wavetank::execute::WAVETANK_HOST {

void append_vop1(Entries& entries) {
  append(entries, isa::kVop1Move, kValu);
  append(entries, isa::kVop1Convert, kValu);
  append(entries, isa::kVop1Round, kValu);
  append(entries, isa::kVop1Function, kValu);
  append(entries, isa::kVop1Half, kRareValu);
  append(entries, isa::kVop1Fp8, kRareValu);
}

}  // namespace wavetank::execute::WAVETANK_HOST
