// llvm-mc as an independent assembler and disassembler of AMDGPU code, in batches: one process for
// thousands of instructions.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "isa/row.hpp"
#include "isa/target.hpp"

namespace wavetank::test {

using Dwords = std::vector<std::uint32_t>;

/// "7e000281 00000001 ": eight digits each.
std::string hex(const Dwords& dwords);

/// Stands for the text of bytes on which llvm-mc dies.
inline constexpr std::string_view kCrash = "(llvm-mc crashes)";

/// "gfx90a" or "gfx942".
std::string target_name(const isa::Target& target);

/// For each item, LLVM's text of the instruction at its start; empty if LLVM decodes none. If it
/// takes fewer dwords than the item has, the texts of what follows come after " / ". kCrash where
/// llvm-mc dies.
std::vector<std::string> llvm_disassemble(std::span<const Dwords> items, const isa::Target& target);

/// For each line, the bytes LLVM assembles; empty if it rejects the line.
std::vector<Dwords> llvm_assemble(const std::vector<std::string>& lines, const isa::Target& target);

}  // namespace wavetank::test
