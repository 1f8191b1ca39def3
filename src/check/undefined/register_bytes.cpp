#include "check/undefined/register_bytes.hpp"

#include <algorithm>

namespace wavetank::check {
namespace {

/// Rows that convert between the memory's format and the registers'.
bool converts(const isa::Row& row) {
  return row.memory.special == isa::MemorySpecial::kFormat ||
         row.encoding.format == isa::Format::kMimg;
}

std::uint32_t dword_of(std::span<const std::uint8_t> bytes) {
  std::uint32_t dword = 0;
  for (unsigned i = 0; i < 4 && i < bytes.size(); ++i) dword |= std::uint32_t{bytes[i]} << (8 * i);
  return dword;
}

}  // namespace

std::uint32_t kept_bits(const isa::Row& row) {
  if (row.memory.d16_high) return 0x0000'ffff;
  return row.memory.d16 ? 0xffff'0000 : 0;
}

void to_registers(const isa::Row& row, std::span<const std::uint8_t> bytes,
                  std::span<std::uint32_t> registers) {
  std::ranges::fill(registers, 0u);
  if (registers.empty() || bytes.empty()) return;
  const isa::MemoryShape& shape = row.memory;
  if (converts(row)) {
    // What a texel's part becomes is not looked into: undefined is what has no defined byte.
    if (std::ranges::all_of(bytes, [](std::uint8_t bits) { return bits == 0xff; })) {
      std::ranges::fill(registers, ~0u);
    }
    return;
  }
  if (shape.element_bytes != 0 && shape.element_bytes < 4 && bytes.size() < 4) {
    std::uint32_t bits = dword_of(bytes);
    if (shape.sign_extend && (bytes.back() & 0x80) != 0) bits |= ~0u << (8 * bytes.size() - 1);
    if (shape.d16_high) bits <<= 16;
    registers[0] = bits & ~kept_bits(row);
    return;
  }
  for (std::size_t i = 0; i < registers.size() && 4 * i < bytes.size(); ++i) {
    registers[i] = dword_of(bytes.subspan(4 * i));
  }
}

void to_bytes(const isa::Row& row, std::span<const std::uint32_t> registers,
              std::span<std::uint8_t> bytes) {
  std::ranges::fill(bytes, std::uint8_t{0});
  if (converts(row)) {
    if (std::ranges::all_of(registers, [](std::uint32_t bits) { return bits == ~0u; })) {
      std::ranges::fill(bytes, std::uint8_t{0xff});
    }
    return;
  }
  const unsigned shift = row.memory.d16_high ? 16 : 0;
  for (std::size_t i = 0; i < bytes.size() && i / 4 < registers.size(); ++i) {
    bytes[i] = static_cast<std::uint8_t>(registers[i / 4] >> shift >> (8 * (i % 4)));
  }
}

}  // namespace wavetank::check
