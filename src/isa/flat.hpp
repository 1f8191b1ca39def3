// FLAT, GLOBAL and SCRATCH (CDNA3 ISA guide, "Flat, Global and Scratch"). One row serves the three
// segments; names are without their prefix. Opcodes as llvm-mc-19 encodes them.
#pragma once

#include "isa/define.hpp"
#include "isa/memory_shape.hpp"

namespace wavetank::isa {

/// A row that exists as flat_, global_ and (atomics excepted) scratch_.
constexpr auto flat_row(std::string_view name, std::string_view summary, std::uint16_t opcode,
                        MemoryShape shape) {
  return memory(name, summary, flat(opcode), Unit::kFlat, shape);
}

inline constexpr auto kFlatLoads = table(
    flat_row("load_ubyte", "Loads a byte, zero-extended.", 0x10, shape::load(1)),
    flat_row("load_sbyte", "Loads a byte, sign-extended.", 0x11, shape::load_signed(1)),
    flat_row("load_ushort", "Loads 16 bits, zero-extended.", 0x12, shape::load(2)),
    flat_row("load_sshort", "Loads 16 bits, sign-extended.", 0x13, shape::load_signed(2)),
    flat_row("load_dword", "Loads a dword.", 0x14, shape::load(4)),
    flat_row("load_dwordx2", "Loads two dwords.", 0x15, shape::load(8)),
    flat_row("load_dwordx3", "Loads three dwords.", 0x16, shape::load(12)),
    flat_row("load_dwordx4", "Loads four dwords.", 0x17, shape::load(16)),
    flat_row("load_ubyte_d16", "Loads a byte into bits 15:0.", 0x20, shape::d16(shape::load(1))),
    flat_row("load_ubyte_d16_hi", "Loads a byte into bits 31:16.", 0x21,
             shape::d16_high(shape::load(1))),
    flat_row("load_sbyte_d16", "Loads a sign-extended byte into bits 15:0.", 0x22,
             shape::d16(shape::load_signed(1))),
    flat_row("load_sbyte_d16_hi", "Loads a sign-extended byte into bits 31:16.", 0x23,
             shape::d16_high(shape::load_signed(1))),
    flat_row("load_short_d16", "Loads 16 bits into bits 15:0.", 0x24, shape::d16(shape::load(2))),
    flat_row("load_short_d16_hi", "Loads 16 bits into bits 31:16.", 0x25,
             shape::d16_high(shape::load(2))));

inline constexpr auto kFlatStores = table(
    flat_row("store_byte", "Stores bits 7:0.", 0x18, shape::store(1)),
    flat_row("store_byte_d16_hi", "Stores bits 23:16.", 0x19, shape::d16_high(shape::store(1))),
    flat_row("store_short", "Stores bits 15:0.", 0x1a, shape::store(2)),
    flat_row("store_short_d16_hi", "Stores bits 31:16.", 0x1b, shape::d16_high(shape::store(2))),
    flat_row("store_dword", "Stores a dword.", 0x1c, shape::store(4)),
    flat_row("store_dwordx2", "Stores two dwords.", 0x1d, shape::store(8)),
    flat_row("store_dwordx3", "Stores three dwords.", 0x1e, shape::store(12)),
    flat_row("store_dwordx4", "Stores four dwords.", 0x1f, shape::store(16)));

inline constexpr auto kLoadsToLds =
    table(memory("load_lds_ubyte", "Copies a byte, zero-extended, to LDS.", global(0x26),
                 Unit::kFlat, shape::load_to_lds(shape::load(1)))
              .since(Version::kGfx942),
          memory("load_lds_sbyte", "Copies a byte, sign-extended, to LDS.", global(0x27),
                 Unit::kFlat, shape::load_to_lds(shape::load_signed(1)))
              .since(Version::kGfx942),
          memory("load_lds_ushort", "Copies 16 bits, zero-extended, to LDS.", global(0x28),
                 Unit::kFlat, shape::load_to_lds(shape::load(2)))
              .since(Version::kGfx942),
          memory("load_lds_sshort", "Copies 16 bits, sign-extended, to LDS.", global(0x29),
                 Unit::kFlat, shape::load_to_lds(shape::load_signed(2)))
              .since(Version::kGfx942),
          memory("load_lds_dword", "Copies a dword to LDS.", global(0x2a), Unit::kFlat,
                 shape::load_to_lds(shape::load(4)))
              .since(Version::kGfx942),
          memory("load_lds_ubyte", "Copies a byte, zero-extended, to LDS.", scratch(0x26),
                 Unit::kFlat, shape::load_to_lds(shape::load(1)))
              .since(Version::kGfx942),
          memory("load_lds_sbyte", "Copies a byte, sign-extended, to LDS.", scratch(0x27),
                 Unit::kFlat, shape::load_to_lds(shape::load_signed(1)))
              .since(Version::kGfx942),
          memory("load_lds_ushort", "Copies 16 bits, zero-extended, to LDS.", scratch(0x28),
                 Unit::kFlat, shape::load_to_lds(shape::load(2)))
              .since(Version::kGfx942),
          memory("load_lds_sshort", "Copies 16 bits, sign-extended, to LDS.", scratch(0x29),
                 Unit::kFlat, shape::load_to_lds(shape::load_signed(2)))
              .since(Version::kGfx942),
          memory("load_lds_dword", "Copies a dword to LDS.", scratch(0x2a), Unit::kFlat,
                 shape::load_to_lds(shape::load(4)))
              .since(Version::kGfx942));

inline constexpr auto kFlatTables = tables(kFlatLoads, kFlatStores, kLoadsToLds);

}  // namespace wavetank::isa
