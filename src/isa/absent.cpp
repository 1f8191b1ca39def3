#include "isa/absent.hpp"

namespace wavetank::isa {
namespace {

constexpr AbsentReason kTrapHandler{
    Absence::kImpossible, "return from the trap handler",
    "Returns from the trap handler (CLRX GCN ISA documentation, S_RFE_B64), which is the driver's: "
    "a program has nothing to return from. No trap handler runs here: traps go to the host."};

constexpr AbsentReason kForks{
    Absence::kNotEmitted, "branch stack",
    "GCN's stack of divergent branches in SGPRs, addressed by MODE.CSP (CLRX GCN ISA "
    "documentation, S_CBRANCH_G_FORK). LLVM has no pattern for it: it diverges by masks in EXEC."};

constexpr AbsentReason kScreen{
    Absence::kNotEmitted, "screen partition",
    "For graphics, by its name; what it computes was not found. LLVM has neither a pattern nor a "
    "builtin for it."};

/// Opcodes as llvm-mc-19 encodes them.
constexpr AbsentInstruction absent(std::string_view mnemonic, Encoding encoding,
                                   const AbsentReason& reason) {
  return {mnemonic, encoding, Lifetime{}, &reason};
}

constexpr AbsentInstruction kAbsent[] = {
    absent("s_rfe_b64", {Format::kSop1, 31}, kTrapHandler),
    absent("s_rfe_restore_b64", {Format::kSop2, 43}, kTrapHandler),
    absent("s_cbranch_g_fork", {Format::kSop2, 41}, kForks),
    absent("s_cbranch_i_fork", {Format::kSopk, 16}, kForks),
    absent("s_cbranch_join", {Format::kSop1, 46}, kForks),
    absent("v_screen_partition_4se_b32", {Format::kVop1, 55}, kScreen),
};

}  // namespace

std::string_view absence_text(Absence absence) {
  return absence == Absence::kImpossible
             ? "A compute program cannot execute it on the device either."
             : "No compiler emits it: hand-written assembly only.";
}

std::span<const AbsentInstruction> absent_instructions() { return kAbsent; }

const AbsentInstruction* find_absent(std::string_view mnemonic, const Target& target) {
  for (const AbsentInstruction& absent : kAbsent) {
    if (absent.mnemonic == mnemonic && target.has(absent.lifetime)) return &absent;
  }
  return nullptr;
}

const AbsentInstruction* find_absent(Format format, std::uint32_t opcode, const Target& target) {
  for (const AbsentInstruction& absent : kAbsent) {
    const Encoding& encoding = absent.encoding;
    const bool own = encoding.format == format && encoding.opcode == opcode;
    const bool as_vop3 = encoding.format == Format::kVop1 && format == Format::kVop3 &&
                         vop3_opcode(encoding) == opcode;
    if ((own || as_vop3) && target.has(absent.lifetime)) return &absent;
  }
  return nullptr;
}

}  // namespace wavetank::isa
