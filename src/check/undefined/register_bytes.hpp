// How the bytes of a lane's access to memory stand in registers, as the row of the instruction
// says: for what is undefined in them.
#pragma once

#include <cstdint>
#include <span>

#include "isa/row.hpp"

namespace wavetank::check {

/// Dwords of the longest access of a lane (s_load_dwordx16).
inline constexpr unsigned kMostAccessDwords = 16;

/// Which bits of its first result register a load leaves alone.
std::uint32_t kept_bits(const isa::Row& row);

/// The undefined bits of a load's result registers from those of the bytes that it loads.
void to_registers(const isa::Row& row, std::span<const std::uint8_t> bytes,
                  std::span<std::uint32_t> registers);

/// The undefined bits of the bytes that a store writes from those of its data registers.
void to_bytes(const isa::Row& row, std::span<const std::uint32_t> registers,
              std::span<std::uint8_t> bytes);

}  // namespace wavetank::check
