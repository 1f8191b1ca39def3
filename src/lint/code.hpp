// A kernel's code, decoded without being run: every instruction that its entry leads to.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "code_object/code_object.hpp"
#include "encoding/decoder.hpp"
#include "machine/flow.hpp"

namespace wavetank::lint {

/// Instructions by their numbers, in the order of their addresses.
struct Code {
  machine::Flow flow;  ///< calls are taken to come back; what they call is not part of it
  std::vector<encoding::Instruction> instructions;
  std::vector<std::uint64_t> addresses;  ///< virtual, inside the code object
  std::uint32_t entry = 0;               ///< the number of the first instruction that runs
  bool calls = false;                    ///< other functions run in between
  /// Jumps to addresses in registers that are not known: code may be entered anywhere, and some of
  /// the kernel's may be missing.
  bool unknown_jumps = false;
  std::uint32_t accum_offset = 0;  ///< the first AccVGPR's number among the vector registers

  const isa::Row& row(std::uint32_t step) const { return *flow[step].facts.row; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(flow.size()); }
};

/// Decodes what the kernel's entry leads to. Errors: kBadElf when it leads out of the code,
/// kUnknownInstruction, kUnsupportedInstruction. Any object is safe to pass.
Result<Code> decode_kernel(const code_object::CodeObject& object, const code_object::Kernel& kernel,
                           const encoding::Decoder& decoder);

/// Decodes code that lies in memory, entered at its first dword, as decode_kernel() does; addresses
/// begin with 0.
Result<Code> decode_words(std::span<const std::uint32_t> words, std::uint32_t accum_offset,
                          const encoding::Decoder& decoder);

}  // namespace wavetank::lint
