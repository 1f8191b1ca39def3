// Instructions to text, spelled as LLVM 19 (llvm-mc, llvm-objdump) spells them.
//
//   global_load_dword v1, v[2:3], off offset:16 sc0
#pragma once

#include <string>
#include <string_view>

#include "encoding/instruction.hpp"
#include "isa/row.hpp"
#include "isa/target.hpp"

namespace wavetank::encoding {

/// The text of an instruction that the decoder of `target` gave. Branch targets are the raw SIMM16,
/// as an unsigned number, unless `label` names the target.
std::string disassemble(const Instruction& instruction, const isa::Target& target,
                        std::string_view label = {});

}  // namespace wavetank::encoding
