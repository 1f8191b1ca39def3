#include "encoding/text.hpp"

#include <string_view>

#include <fmt/format.h>

#include "encoding/operand.hpp"

namespace wavetank::encoding {

using isa::Type;

namespace {

/// Controls with one name, which may end with their low bits (CDNA3 ISA guide, "DPP_CTRL").
struct DppControl {
  std::uint16_t first, last;
  std::string_view name;
};
constexpr DppControl kDppControls[] = {
    {0x000, 0x0ff, "quad_perm:"},    {0x101, 0x10f, "row_shl:"},
    {0x111, 0x11f, "row_shr:"},      {0x121, 0x12f, "row_ror:"},
    {0x130, 0x130, "wave_shl:1"},    {0x134, 0x134, "wave_rol:1"},
    {0x138, 0x138, "wave_shr:1"},    {0x13c, 0x13c, "wave_ror:1"},
    {0x140, 0x140, "row_mirror"},    {0x141, 0x141, "row_half_mirror"},
    {0x142, 0x142, "row_bcast:15"},  {0x143, 0x143, "row_bcast:31"},
    {0x150, 0x15f, "row_newbcast:"},
};

/// The control's row; nullptr if it does not exist.
const DppControl* dpp_control(std::uint16_t control) {
  for (const DppControl& known : kDppControls) {
    if (control >= known.first && control <= known.last) return &known;
  }
  return nullptr;
}

bool is_integer_half(Type type) { return type == Type::kU16 || type == Type::kI16; }
bool is_wide(Type type) { return isa::dwords_of(type) == 2 && type != Type::kPkF32; }

std::string inline_float_text(std::uint16_t code, Type type) {
  const FloatConstant& constant = kFloatConstants[code - unsigned{operand::kFloatHalf}];
  // A 16-bit integer operand gets the f16 bits, and shows them (LLVM 19, printImmediateInt16).
  if (is_integer_half(type)) return hex_text(constant.half);
  if (code == operand::kInverseTwoPi && is_wide(type)) return "0.15915494309189532";
  return std::string(constant.name);
}

std::string tuple_text(std::string_view prefix, unsigned first, unsigned dwords) {
  if (dwords == 1) return fmt::format("{}{}", prefix, first);
  return fmt::format("{}[{}:{}]", prefix, first, first + dwords - 1);
}

/// Scalar registers with names of their own, low half first.
std::string special_pair_text(std::string_view name, unsigned half, unsigned dwords) {
  return fmt::format("{}{}", name, dwords > 1 ? "" : half == 0 ? "_lo" : "_hi");
}

std::string scalar_text(std::uint16_t code, unsigned dwords) {
  if (code < operand::kFlatScratch) return tuple_text("s", code, dwords);
  if (code < operand::kXnackMask) {
    return special_pair_text("flat_scratch", code - operand::kFlatScratch, dwords);
  }
  if (code < operand::kVcc) {
    return special_pair_text("xnack_mask", code - operand::kXnackMask, dwords);
  }
  if (code < operand::kTtmp0) return special_pair_text("vcc", code - operand::kVcc, dwords);
  if (code < operand::kM0) return tuple_text("ttmp", code - operand::kTtmp0, dwords);
  if (code == operand::kM0) return "m0";
  return special_pair_text("exec", code - operand::kExec, dwords);
}

std::string_view status_text(std::uint16_t code) {
  constexpr std::string_view kApertures[] = {"src_shared_base", "src_shared_limit",
                                             "src_private_base", "src_private_limit",
                                             "src_pops_exiting_wave_id"};
  constexpr std::string_view kFlags[] = {"src_vccz", "src_execz", "src_scc"};
  if (code >= operand::kVccz) return kFlags[code - operand::kVccz];
  return kApertures[code - operand::kSharedBase];
}

}  // namespace

std::string hex_text(std::int64_t value) { return fmt::format("{:#x}", value); }

std::string register_text(std::uint16_t code, unsigned dwords) {
  if (operand::is_agpr(code)) return tuple_text("a", code - operand::kAgpr0, dwords);
  if (operand::is_vgpr(code)) return tuple_text("v", code - operand::kVgpr0, dwords);
  return scalar_text(code, dwords);
}

std::string literal_text(std::uint32_t literal, Type type) {
  const bool half = is_integer_half(type) || type == Type::kF16;
  const bool wide_float = type == Type::kF64;
  // A wide float operand has the literal as its upper half, so only zero is a small integer there;
  // a wide integer operand is zero-extended, so no literal is negative there.
  const bool unsigned_value = is_wide(type) && !wide_float;
  const auto number = unsigned_value ? std::int64_t{literal}
                      : type == Type::kF16
                          ? std::int64_t{static_cast<std::int16_t>(literal & 0xffff)}
                          : std::int64_t{static_cast<std::int32_t>(literal)};
  if (wide_float ? literal == 0 : number >= -16 && number <= 64) return std::to_string(number);
  const std::uint32_t value = half ? literal & 0xffff : literal;
  if (is_integer_half(type) || unsigned_value) return hex_text(value);
  const bool half_names = half || type == Type::kPkF16;
  for (const FloatConstant& constant : kFloatConstants) {
    const bool same = wide_float   ? constant.wide == std::uint64_t{literal} << 32
                      : half_names ? constant.half == value
                                   : constant.single == value;
    if (same) return std::string(constant.name);
  }
  return hex_text(value);
}

std::string source_text(std::uint16_t code, Type type, std::uint32_t literal) {
  if (code >= operand::kVgpr0 || code < operand::kIntegerZero) {
    return register_text(code, isa::dwords_of(type));
  }
  if (const auto integer = inline_integer(code)) return std::to_string(*integer);
  if (is_inline_float(code)) return inline_float_text(code, type);
  if (code == operand::kLiteral) return literal_text(literal, type);
  return std::string(status_text(code));
}

bool is_dpp_control(std::uint16_t control) { return dpp_control(control) != nullptr; }

std::string dpp_control_text(std::uint16_t control) {
  const DppControl& known = *dpp_control(control);
  if (known.first == 0) {
    return fmt::format("{}[{},{},{},{}]", known.name, control & 3, control >> 2 & 3,
                       control >> 4 & 3, control >> 6 & 3);
  }
  const bool numbered = known.first != known.last;
  return fmt::format("{}{}", known.name, numbered ? std::to_string(control & 15) : "");
}

std::string_view select_text(std::uint8_t select) {
  constexpr std::string_view kSelects[] = {"BYTE_0", "BYTE_1", "BYTE_2", "BYTE_3",
                                           "WORD_0", "WORD_1", "DWORD"};
  return kSelects[select];
}

}  // namespace wavetank::encoding
