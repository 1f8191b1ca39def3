#include "encoding/operand.hpp"

namespace wavetank::encoding {

namespace {

/// Ranges of the scalar file (CDNA3 ISA guide, "SSRC0"): a tuple stays inside its range.
struct Range {
  std::uint16_t first, last;
};
constexpr Range kScalarRanges[] = {
    {0, 101}, {102, 103}, {104, 105}, {106, 107}, {108, 123}, {124, 124}, {126, 127}};

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

}  // namespace wavetank::encoding
