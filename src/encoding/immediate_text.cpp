// SIMM16 in words: wait counters, messages, hardware registers, register-indexing modes; and the
// lane patterns of a DS swizzle. Names and bit positions: CDNA3 ISA guide, "S_WAITCNT",
// "S_SENDMSG", "S_GETREG_B32", "DS_SWIZZLE_B32"; spelling: LLVM 19.
#include <bit>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "encoding/text.hpp"

namespace wavetank::encoding {

using isa::ImmediateKind;

namespace {

constexpr std::string_view kMessages[16] = {
    "", "MSG_INTERRUPT", "MSG_GS", "MSG_GS_DONE", "MSG_SAVEWAVE", "MSG_STALL_WAVE_GEN",
    "MSG_HALT_WAVES", "MSG_ORDERED_PS_DONE", "MSG_EARLY_PRIM_DEALLOC", "MSG_GS_ALLOC_REQ",
    "MSG_GET_DOORBELL", "", "", "", "", "MSG_SYSMSG"};
constexpr std::string_view kStreamOperations[8] = {"GS_OP_NOP", "GS_OP_CUT", "GS_OP_EMIT",
                                                   "GS_OP_EMIT_CUT"};
constexpr std::string_view kSystemOperations[8] = {
    "", "SYSMSG_OP_ECC_ERR_INTERRUPT", "SYSMSG_OP_REG_RD", "", "SYSMSG_OP_TTRACE_PC"};
constexpr std::uint32_t kGs = 2, kGsDone = 3, kSystem = 15;

constexpr std::string_view kHardwareRegisters[] = {"",
                                                   "HW_REG_MODE",
                                                   "HW_REG_STATUS",
                                                   "HW_REG_TRAPSTS",
                                                   "HW_REG_HW_ID",
                                                   "HW_REG_GPR_ALLOC",
                                                   "HW_REG_LDS_ALLOC",
                                                   "HW_REG_IB_STS",
                                                   "",
                                                   "",
                                                   "",
                                                   "",
                                                   "",
                                                   "",
                                                   "",
                                                   "HW_REG_SH_MEM_BASES",
                                                   "HW_REG_TBA_LO",
                                                   "HW_REG_TBA_HI",
                                                   "HW_REG_TMA_LO",
                                                   "HW_REG_TMA_HI"};

std::string waitcnt_text(std::uint32_t imm) {
  const std::uint32_t vm = (imm & 15) | (imm >> 14 & 3) << 4;
  const std::uint32_t exp = imm >> 4 & 7;
  const std::uint32_t lgkm = imm >> 8 & 15;
  const bool all = vm == 63 && exp == 7 && lgkm == 15;
  std::vector<std::string> counters;
  if (vm != 63 || all) counters.push_back(fmt::format("vmcnt({})", vm));
  if (exp != 7 || all) counters.push_back(fmt::format("expcnt({})", exp));
  if (lgkm != 15 || all) counters.push_back(fmt::format("lgkmcnt({})", lgkm));
  return fmt::format("{}", fmt::join(counters, " "));
}

/// The operation's name, or empty if the message has no such operation.
std::string_view message_operation(std::uint32_t message, std::uint32_t operation) {
  if (message == kSystem) return kSystemOperations[operation];
  if (message == kGs && operation == 0) return {};
  return kStreamOperations[operation];
}

std::string message_text(std::uint32_t imm) {
  const std::uint32_t message = imm & 15;
  const std::uint32_t operation = imm >> 4 & 7;
  const std::uint32_t stream = imm >> 8 & 3;
  const bool stream_message = message == kGs || message == kGsDone;
  const bool takes_operation = stream_message || message == kSystem;
  const bool takes_stream = stream_message && operation != 0;
  const bool known = !kMessages[message].empty() && (takes_stream || stream == 0) &&
                     (takes_operation ? !message_operation(message, operation).empty()
                                      : operation == 0);
  if (known) {
    std::string text(kMessages[message]);
    if (takes_operation) text += fmt::format(", {}", message_operation(message, operation));
    if (takes_stream) text += fmt::format(", {}", stream);
    return fmt::format("sendmsg({})", text);
  }
  if ((message | operation << 4 | stream << 8) != imm) return std::to_string(imm);
  return fmt::format("sendmsg({}, {}, {})", message, operation, stream);
}

std::string hwreg_text(std::uint32_t imm, const isa::Target& target) {
  const std::uint32_t id = imm & 63;
  const std::uint32_t offset = imm >> 6 & 31;
  const std::uint32_t width = (imm >> 11 & 31) + 1;
  constexpr std::uint32_t kCommon = std::size(kHardwareRegisters);
  std::string_view name;
  if (id < kCommon) name = kHardwareRegisters[id];
  if (id >= kCommon && id - kCommon < target.late_hardware_registers.size()) {
    name = target.late_hardware_registers[id - kCommon];
  }
  const std::string shown = name.empty() ? std::to_string(id) : std::string(name);
  if (offset == 0 && width == 32) return fmt::format("hwreg({})", shown);
  return fmt::format("hwreg({}, {}, {})", shown, offset, width);
}

std::string gpr_index_text(std::uint32_t imm) {
  constexpr std::string_view kModes[] = {"SRC0", "SRC1", "SRC2", "DST"};
  if (imm > 15) return hex_text(imm);
  std::vector<std::string_view> modes;
  for (unsigned i = 0; i < 4; ++i) {
    if ((imm >> i & 1) != 0) modes.push_back(kModes[i]);
  }
  return fmt::format("gpr_idx({})", fmt::join(modes, ","));
}

/// One character per address bit: 0, 1, p (kept) or i (inverted).
std::string bit_pattern_text(std::uint32_t and_mask, std::uint32_t or_mask,
                             std::uint32_t xor_mask) {
  std::string text;
  for (unsigned bit = 5; bit-- > 0;) {
    const std::uint32_t low = (or_mask ^ xor_mask) >> bit & 1;
    const std::uint32_t high = ((and_mask | or_mask) ^ xor_mask) >> bit & 1;
    text += low == high ? (low == 0 ? '0' : '1') : (low == 0 ? 'p' : 'i');
  }
  return text;
}

std::string bit_swizzle_text(std::uint32_t offset) {
  const std::uint32_t and_mask = offset & 31;
  const std::uint32_t or_mask = offset >> 5 & 31;
  const std::uint32_t xor_mask = offset >> 10 & 31;
  if (and_mask == 31 && or_mask == 0 && std::popcount(xor_mask) == 1) {
    return fmt::format("swizzle(SWAP,{})", xor_mask);
  }
  if (and_mask == 31 && or_mask == 0 && xor_mask > 0 && std::has_single_bit(xor_mask + 1)) {
    return fmt::format("swizzle(REVERSE,{})", xor_mask + 1);
  }
  const std::uint32_t group = 32 - and_mask;
  if (group > 1 && std::has_single_bit(group) && or_mask < group && xor_mask == 0) {
    return fmt::format("swizzle(BROADCAST,{},{})", group, or_mask);
  }
  return fmt::format("swizzle(BITMASK_PERM,\"{}\")", bit_pattern_text(and_mask, or_mask, xor_mask));
}

}  // namespace

std::string immediate_text(std::uint32_t imm, ImmediateKind kind, const isa::Target& target) {
  switch (kind) {
    case ImmediateKind::kBranch: return std::to_string(imm);
    case ImmediateKind::kWaitcnt: return waitcnt_text(imm);
    case ImmediateKind::kMessage: return message_text(imm);
    case ImmediateKind::kHwreg: return hwreg_text(imm, target);
    case ImmediateKind::kGprIndexMode: return gpr_index_text(imm);
    default: return hex_text(imm);
  }
}

std::string swizzle_text(std::uint16_t offset) {
  if ((offset & 0xff00) == 0x8000) {
    return fmt::format("swizzle(QUAD_PERM,{},{},{},{})", offset & 3, offset >> 2 & 3,
                       offset >> 4 & 3, offset >> 6 & 3);
  }
  return (offset & 0x8000) == 0 ? bit_swizzle_text(offset) : std::to_string(offset);
}

}  // namespace wavetank::encoding
