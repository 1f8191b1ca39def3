#include "execute/reference/families.hpp"

namespace wavetank::execute {

void append_reference(Entries& entries) {
  reference::append_vop1(entries);
  reference::append_vop2(entries);
  reference::append_vopc(entries);
  reference::append_vop3_float(entries);
  reference::append_vop3_integer(entries);
  reference::append_vop3p(entries);
  reference::append_wide(entries);
}

}  // namespace wavetank::execute
