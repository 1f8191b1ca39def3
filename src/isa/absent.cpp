#include "isa/absent.hpp"

namespace wavetank::isa {
namespace {

constexpr AbsentReason kTrapHandler{
    Absence::kImpossible, "return from the trap handler",
    "Legal only while STATUS.PRIV is set, which it is in the driver's trap handler and nowhere "
    "else (AMD \"Vega\" ISA guide, S_RFE_B64). No trap handler runs here: traps go to the host."};

constexpr AbsentReason kImages{
    Absence::kMissing, "image instructions",
    "gfx90a has them, gfx942 does not (clang defines __HIP_NO_IMAGE_SUPPORT for gfx942 only). "
    "HIP's texture and surface functions compile to them. hipCreateTextureObject and its kin give "
    "hipErrorNotSupported here: a program that checks its calls does not launch such a kernel."};

constexpr AbsentReason kForks{
    Absence::kNotEmitted, "branch stack",
    "GCN's stack of divergent branches in SGPRs, addressed by MODE.CSP (AMD \"Vega\" ISA guide, "
    "S_CBRANCH_G_FORK). LLVM has no pattern for it: it diverges by masks in EXEC."};

constexpr AbsentReason kVectorSkip{
    Absence::kNotEmitted, "vector skip mode",
    "Turns vector instructions into nothing until it is set back (AMD \"Vega\" ISA guide, "
    "S_SETVSKIP). LLVM has no pattern for it: it branches on EXECZ."};

constexpr AbsentReason kScreen{
    Absence::kNotEmitted, "screen partition",
    "Looks up which of four shader engines a screen tile belongs to, for graphics (AMD \"Vega\" "
    "ISA guide, V_SCREEN_PARTITION_4SE_B32). LLVM has neither a pattern nor a builtin for it."};

constexpr AbsentInstruction image(std::string_view mnemonic) {
  return {mnemonic, Targets::kGfx90a, &kImages};
}
constexpr AbsentInstruction both(std::string_view mnemonic, const AbsentReason& reason) {
  return {mnemonic, Targets::kBoth, &reason};
}

constexpr AbsentInstruction kAbsent[] = {
    both("s_rfe_b64", kTrapHandler),
    both("s_rfe_restore_b64", kTrapHandler),
    both("s_cbranch_g_fork", kForks),
    both("s_cbranch_i_fork", kForks),
    both("s_cbranch_join", kForks),
    both("s_setvskip", kVectorSkip),
    both("v_screen_partition_4se_b32", kScreen),
    image("image_atomic_add"),
    image("image_atomic_and"),
    image("image_atomic_cmpswap"),
    image("image_atomic_dec"),
    image("image_atomic_inc"),
    image("image_atomic_or"),
    image("image_atomic_smax"),
    image("image_atomic_smin"),
    image("image_atomic_sub"),
    image("image_atomic_swap"),
    image("image_atomic_umax"),
    image("image_atomic_umin"),
    image("image_atomic_xor"),
    image("image_get_resinfo"),
    image("image_load"),
    image("image_load_mip"),
    image("image_load_mip_pck"),
    image("image_load_mip_pck_sgn"),
    image("image_load_pck"),
    image("image_load_pck_sgn"),
    image("image_sample"),
    image("image_store"),
    image("image_store_mip"),
    image("image_store_mip_pck"),
    image("image_store_pck"),
};

}  // namespace

std::string_view absence_text(Absence absence) {
  switch (absence) {
    case Absence::kImpossible: return "A compute program cannot execute it on the device either.";
    case Absence::kNotEmitted: return "No compiler emits it: hand-written assembly only.";
    case Absence::kMissing: break;
  }
  return "Compilers emit it and the device executes it; it is missing here.";
}

std::span<const AbsentInstruction> absent_instructions() { return kAbsent; }

const AbsentInstruction* find_absent(std::string_view mnemonic, Targets target) {
  for (const AbsentInstruction& absent : kAbsent) {
    if (absent.mnemonic == mnemonic && has_target(absent.targets, target)) return &absent;
  }
  return nullptr;
}

}  // namespace wavetank::isa
