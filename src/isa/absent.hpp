// Instructions that LLVM decodes and the catalogue does not have, each with its reason. The test
// `isa_mnemonics` holds rows and these together to LLVM's list; docs/isa/absent.md shows them.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "isa/row.hpp"
#include "isa/target.hpp"

namespace wavetank::isa {

/// What an absent instruction means for a program that contains it. Either way the launch is
/// refused by name (E0103) before anything is written.
enum class Absence : std::uint8_t {
  kImpossible,  ///< a compute program cannot execute it on the device either
  kNotEmitted,  ///< the device executes it, but no compiler emits it: hand-written assembly only
};

/// What it means, as a sentence.
std::string_view absence_text(Absence absence);

/// Why instructions have no row.
struct AbsentReason {
  Absence absence;
  std::string_view title;  ///< a few words
  std::string_view text;   ///< sentences, with the source
};

/// One mnemonic without a row.
struct AbsentInstruction {
  std::string_view mnemonic;
  Encoding encoding;
  Lifetime lifetime;
  const AbsentReason* reason;
};

/// All of them, those with one reason side by side.
std::span<const AbsentInstruction> absent_instructions();

/// The entry of a mnemonic on `target`, or nullptr.
const AbsentInstruction* find_absent(std::string_view mnemonic, const Target& target);

/// The entry whose code this is (VOP instructions have a VOP3 form, too), or nullptr.
const AbsentInstruction* find_absent(Format format, std::uint32_t opcode, const Target& target);

}  // namespace wavetank::isa
