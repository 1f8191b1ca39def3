#include "isa/vop2.hpp"

#include "execute/vector/valu.hpp"

namespace wavetank::execute::WAVETANK_HOST {

void append_vop2(Entries& entries) {
  append(entries, isa::kVop2Float, kValu);
  append(entries, isa::kVop2Integer, kValu);
}

}  // namespace wavetank::execute::WAVETANK_HOST
