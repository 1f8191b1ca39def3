#include "encoding/operand.hpp"

namespace wavetank::encoding {

namespace {

/// Ranges of the scalar file (CDNA3 ISA guide, "SSRC0"): a tuple stays inside its range.
struct Range {
  std::uint16_t first, last;
};
constexpr Range kScalarRanges[] = {
    {0, 101}, {102, 103}, {104, 105}, {106, 107}, {108, 123}, {124, 124}, {126, 127}};

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
  if (is_inline_constant(code)) return true;
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
    const FloatConstant& constant = kFloatConstants[code - unsigned{operand::kFloatHalf}];
    if (wide) return constant.wide;
    return is_16_bit_float_constant(type) ? constant.half : constant.single;
  }
  const std::int64_t value = *inline_integer(code);
  return wide ? static_cast<std::uint64_t>(value) : static_cast<std::uint32_t>(value);
}

}  // namespace wavetank::encoding
