#include "isa/vopc.hpp"

#include "execute/reference/families.hpp"
#include "execute/reference/lane_row.hpp"

namespace wavetank::execute::reference {

void append_vopc(Entries& entries) {
  append(entries, isa::kVopcClass, kExact);
  append(entries, isa::kVopcClassExec, kExact);
  append(entries, isa::kVopcF16, kExact);
  append(entries, isa::kVopcF16Exec, kExact);
  append(entries, isa::kVopcF32, kExact);
  append(entries, isa::kVopcF32Exec, kExact);
  append(entries, isa::kVopcF64, kExact);
  append(entries, isa::kVopcF64Exec, kExact);
  append(entries, isa::kVopcI16, kExact);
  append(entries, isa::kVopcI16Exec, kExact);
  append(entries, isa::kVopcU16, kExact);
  append(entries, isa::kVopcU16Exec, kExact);
  append(entries, isa::kVopcI32, kExact);
  append(entries, isa::kVopcI32Exec, kExact);
  append(entries, isa::kVopcU32, kExact);
  append(entries, isa::kVopcU32Exec, kExact);
  append(entries, isa::kVopcI64, kExact);
  append(entries, isa::kVopcI64Exec, kExact);
  append(entries, isa::kVopcU64, kExact);
  append(entries, isa::kVopcU64Exec, kExact);
}

}  // namespace wavetank::execute::reference
