#include "encoding/operand.hpp"

namespace wavetank::encoding {

namespace {

/// Ranges of the scalar file (CDNA3 ISA guide, "SSRC0"): a tuple stays inside its range.
struct Range {
  std::uint16_t first, last;
};
constexpr Range kScalarRanges[] = {
    {0, 101}, {102, 103}, {104, 105}, {106, 107}, {108, 123}, {124, 124}, {126, 127}};

/// Bits of the inline float constants 0.5, -0.5, 1, -1, 2, -2, 4, -4, 1/(2 pi) (CDNA3 ISA guide,
/// "SSRC0" table) as f16, f32 and f64.
constexpr std::uint16_t kFloats16[] = {0x3800, 0xb800, 0x3c00, 0xbc00, 0x4000,
                                       0xc000, 0x4400, 0xc400, 0x3118};
constexpr std::uint32_t kFloats32[] = {0x3f000000, 0xbf000000, 0x3f800000, 0xbf800000, 0x40000000,
                                       0xc0000000, 0x40800000, 0xc0800000, 0x3e22f983};
constexpr std::uint64_t kFloats64[] = {0x3fe0000000000000, 0xbfe0000000000000, 0x3ff0000000000000,
                                       0xbff0000000000000, 0x4000000000000000, 0xc000000000000000,
                                       0x4010000000000000, 0xc010000000000000, 0x3fc45f306dc9c882};

bool is_16_bit_float_constant(isa::Type type) {
  return type == isa::Type::kF16 || type == isa::Type::kPkF16 || type == isa::Type::kU16 ||
         type == isa::Type::kI16;
}

}  // namespace

bool is_scalar_register(std::uint16_t code, unsigned dwords) {
  const unsigned alignment = dwords == 1 ? 1 : dwords == 2 ? 2 : 4;
  if (code % alignment != 0) return false;
  for (const Range& range : kScalarRanges) {
    if (code >= range.first && code <= range.last) return code + dwords - 1 <= range.last;
  }
  return false;
}

bool is_scalar_source(std::uint16_t code, unsigned dwords) {
  if (code < operand::kIntegerZero) return is_scalar_register(code, dwords);
  if (dwords > 2) return false;
  if (inline_integer(code) || is_inline_float(code)) return true;
  // 235 to 238 are the apertures, 239 the id of the exiting wave.
  if (code >= operand::kSharedBase && code <= operand::kPrivateLimit + 1) return true;
  return code >= operand::kVccz && code <= operand::kScc;
}

bool is_vector_register(std::uint16_t code, unsigned dwords) {
  if (dwords > 1 && code % 2 != 0) return false;
  if (operand::is_vgpr(code)) return code - operand::kVgpr0 + dwords <= 256;
  return operand::is_agpr(code) && code - operand::kAgpr0 + dwords <= 256;
}

std::uint64_t constant_bits(std::uint16_t code, isa::Type type, std::uint32_t literal) {
  const bool wide = isa::dwords_of(type) == 2 && type != isa::Type::kPkF32;
  if (code == operand::kLiteral) {
    if (type == isa::Type::kF64) return std::uint64_t{literal} << 32;
    if (type == isa::Type::kI64)
      return static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(literal)});
    return literal;
  }
  if (code >= operand::kFloatHalf) {
    const unsigned index = code - operand::kFloatHalf;
    if (wide) return kFloats64[index];
    return is_16_bit_float_constant(type) ? kFloats16[index] : kFloats32[index];
  }
  const std::int64_t value = *inline_integer(code);
  return wide ? static_cast<std::uint64_t>(value) : static_cast<std::uint32_t>(value);
}

}  // namespace wavetank::encoding
