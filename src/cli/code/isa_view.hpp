// The instructions of a kernel, with branch labels, for `wavetank inspect --isa`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "code_object/code_object.hpp"
#include "encoding/decoder.hpp"

namespace wavetank::cli {

/// One instruction, or one dword that is none.
struct IsaLine {
  std::uint64_t address = 0;  ///< virtual address inside the code object
  std::vector<std::uint32_t> words;
  std::string text;   ///< LLVM's spelling; ".long 0x..." for what is no instruction
  std::string label;  ///< set when a branch of this kernel goes here
  bool known = true;
};

/// The target of a processor's name. Errors: kUnsupportedInstruction for other processors.
Result<const isa::Target*> isa_target(const std::string& processor);

/// Every instruction from the kernel's entry to the next symbol or the end of the code, without the
/// padding after the last. Errors: kBadElf when the entry lies in no executable segment.
Result<std::vector<IsaLine>> disassemble_kernel(const code_object::CodeObject& object,
                                                const code_object::Kernel& kernel,
                                                const encoding::Decoder& decoder);

}  // namespace wavetank::cli
