#include "isa/vopc.hpp"

#include "execute/vector/valu.hpp"

namespace wavetank::execute::WAVETANK_HOST {

void append_vopc(Entries& entries) {
  append(entries, isa::kVopcClass, kValu);
  append(entries, isa::kVopcClassExec, kRareValu);
  append(entries, isa::kVopcF16, kRareValu);
  append(entries, isa::kVopcF16Exec, kRareValu);
  append(entries, isa::kVopcF32, kValu);
  append(entries, isa::kVopcF32Exec, kRareValu);
  append(entries, isa::kVopcF64, kValu);
  append(entries, isa::kVopcF64Exec, kRareValu);
  append(entries, isa::kVopcI16, kRareValu);
  append(entries, isa::kVopcI16Exec, kRareValu);
  append(entries, isa::kVopcU16, kRareValu);
  append(entries, isa::kVopcU16Exec, kRareValu);
  append(entries, isa::kVopcI32, kValu);
  append(entries, isa::kVopcI32Exec, kRareValu);
  append(entries, isa::kVopcU32, kValu);
  append(entries, isa::kVopcU32Exec, kRareValu);
  append(entries, isa::kVopcI64, kValu);
  append(entries, isa::kVopcI64Exec, kRareValu);
  append(entries, isa::kVopcU64, kValu);
  append(entries, isa::kVopcU64Exec, kRareValu);
}

}  // namespace wavetank::execute::WAVETANK_HOST
