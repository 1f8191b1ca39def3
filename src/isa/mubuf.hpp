// MUBUF and MTBUF: memory behind a buffer resource (CDNA3 ISA guide, "Vector Memory Buffer
// Instructions"). Opcodes as llvm-mc-19 encodes them.
#pragma once

#include "isa/define.hpp"
#include "isa/memory_shape.hpp"

namespace wavetank::isa {

/// A MUBUF row.
constexpr auto buffer_row(std::string_view name, std::string_view summary, std::uint16_t opcode,
                          MemoryShape shape) {
  return memory(name, summary, mubuf(opcode), Unit::kVectorMemory, shape);
}

inline constexpr auto kBufferLoads = table(
    buffer_row("buffer_load_ubyte", "Loads a byte, zero-extended.", 0x10, shape::load(1)),
    buffer_row("buffer_load_sbyte", "Loads a byte, sign-extended.", 0x11, shape::load_signed(1)),
    buffer_row("buffer_load_ushort", "Loads 16 bits, zero-extended.", 0x12, shape::load(2)),
    buffer_row("buffer_load_sshort", "Loads 16 bits, sign-extended.", 0x13, shape::load_signed(2)),
    buffer_row("buffer_load_dword", "Loads a dword.", 0x14, shape::load(4)),
    buffer_row("buffer_load_dwordx2", "Loads two dwords.", 0x15, shape::load(8)),
    buffer_row("buffer_load_dwordx3", "Loads three dwords.", 0x16, shape::load(12)),
    buffer_row("buffer_load_dwordx4", "Loads four dwords.", 0x17, shape::load(16)),
    buffer_row("buffer_load_ubyte_d16", "Loads a byte into bits 15:0.", 0x20,
               shape::d16(shape::load(1))),
    buffer_row("buffer_load_ubyte_d16_hi", "Loads a byte into bits 31:16.", 0x21,
               shape::d16_high(shape::load(1))),
    buffer_row("buffer_load_sbyte_d16", "Loads a sign-extended byte into bits 15:0.", 0x22,
               shape::d16(shape::load_signed(1))),
    buffer_row("buffer_load_sbyte_d16_hi", "Loads a sign-extended byte into bits 31:16.", 0x23,
               shape::d16_high(shape::load_signed(1))),
    buffer_row("buffer_load_short_d16", "Loads 16 bits into bits 15:0.", 0x24,
               shape::d16(shape::load(2))),
    buffer_row("buffer_load_short_d16_hi", "Loads 16 bits into bits 31:16.", 0x25,
               shape::d16_high(shape::load(2))));

inline constexpr auto kBufferStores =
    table(buffer_row("buffer_store_byte", "Stores bits 7:0.", 0x18, shape::store(1)),
          buffer_row("buffer_store_byte_d16_hi", "Stores bits 23:16.", 0x19,
                     shape::d16_high(shape::store(1))),
          buffer_row("buffer_store_short", "Stores bits 15:0.", 0x1a, shape::store(2)),
          buffer_row("buffer_store_short_d16_hi", "Stores bits 31:16.", 0x1b,
                     shape::d16_high(shape::store(2))),
          buffer_row("buffer_store_dword", "Stores a dword.", 0x1c, shape::store(4)),
          buffer_row("buffer_store_dwordx2", "Stores two dwords.", 0x1d, shape::store(8)),
          buffer_row("buffer_store_dwordx3", "Stores three dwords.", 0x1e, shape::store(12)),
          buffer_row("buffer_store_dwordx4", "Stores four dwords.", 0x1f, shape::store(16)),
          buffer_row("buffer_store_lds_dword", "Stores a dword from LDS.", 0x3d,
                     shape::special(Special::kFromLds, shape::store(4))));

inline constexpr auto kBufferCaches = table(
    buffer_row("buffer_wbl2", "Writes back L2.", 0x28, shape::with_scope(shape::write_back_l2())),
    buffer_row("buffer_invl2", "Invalidates L2.", 0x29, shape::cache_control())
        .until(Version::kGfx90a),
    buffer_row("buffer_inv", "Invalidates caches up to the scope of SC1 and SC0.", 0x29,
               shape::with_scope(shape::invalidate_l1()))
        .since(Version::kGfx942),
    buffer_row("buffer_wbinvl1", "Writes back and invalidates L1.", 0x3e, shape::invalidate_l1()),
    buffer_row("buffer_wbinvl1_vol", "Writes back and invalidates volatile lines of L1.", 0x3f,
               shape::of_volatile_lines(shape::invalidate_l1())));

inline constexpr auto kBufferFormats = table(
    buffer_row("buffer_load_format_x", "Loads one component, converted to 32 bits.", 0x00,
               shape::format_load(1)),
    buffer_row("buffer_store_format_x", "Stores one component, converted from 32 bits.", 0x04,
               shape::format_store(1)),
    buffer_row("buffer_load_format_d16_x", "Loads one component, converted to 16 bits.", 0x08,
               shape::format_d16(shape::format_load(1))),
    buffer_row("buffer_store_format_d16_x", "Stores one component, converted from 16 bits.", 0x0c,
               shape::format_d16(shape::format_store(1))),
    buffer_row("buffer_load_format_xy", "Loads two components, converted to 32 bits.", 0x01,
               shape::format_load(2)),
    buffer_row("buffer_store_format_xy", "Stores two components, converted from 32 bits.", 0x05,
               shape::format_store(2)),
    buffer_row("buffer_load_format_d16_xy", "Loads two components, converted to 16 bits.", 0x09,
               shape::format_d16(shape::format_load(2))),
    buffer_row("buffer_store_format_d16_xy", "Stores two components, converted from 16 bits.", 0x0d,
               shape::format_d16(shape::format_store(2))),
    buffer_row("buffer_load_format_xyz", "Loads three components, converted to 32 bits.", 0x02,
               shape::format_load(3)),
    buffer_row("buffer_store_format_xyz", "Stores three components, converted from 32 bits.", 0x06,
               shape::format_store(3)),
    buffer_row("buffer_load_format_d16_xyz", "Loads three components, converted to 16 bits.", 0x0a,
               shape::format_d16(shape::format_load(3))),
    buffer_row("buffer_store_format_d16_xyz", "Stores three components, converted from 16 bits.",
               0x0e, shape::format_d16(shape::format_store(3))),
    buffer_row("buffer_load_format_xyzw", "Loads four components, converted to 32 bits.", 0x03,
               shape::format_load(4)),
    buffer_row("buffer_store_format_xyzw", "Stores four components, converted from 32 bits.", 0x07,
               shape::format_store(4)),
    buffer_row("buffer_load_format_d16_xyzw", "Loads four components, converted to 16 bits.", 0x0b,
               shape::format_d16(shape::format_load(4))),
    buffer_row("buffer_store_format_d16_xyzw", "Stores four components, converted from 16 bits.",
               0x0f, shape::format_d16(shape::format_store(4))),
    buffer_row("buffer_load_format_d16_hi_x",
               "Loads one component, converted to 16 bits, into bits 31:16.", 0x26,
               shape::d16_high(shape::format_load(1))),
    buffer_row("buffer_store_format_d16_hi_x", "Stores one component, converted from bits 31:16.",
               0x27, shape::d16_high(shape::format_store(1))));

inline constexpr auto kTypedBufferFormats =
    table(memory("tbuffer_load_format_x", "Loads one component, converted to 32 bits.", mtbuf(0x00),
                 Unit::kVectorMemory, shape::format_load(1)),
          memory("tbuffer_store_format_x", "Stores one component, converted from 32 bits.",
                 mtbuf(0x04), Unit::kVectorMemory, shape::format_store(1)),
          memory("tbuffer_load_format_d16_x", "Loads one component, converted to 16 bits.",
                 mtbuf(0x08), Unit::kVectorMemory, shape::format_d16(shape::format_load(1))),
          memory("tbuffer_store_format_d16_x", "Stores one component, converted from 16 bits.",
                 mtbuf(0x0c), Unit::kVectorMemory, shape::format_d16(shape::format_store(1))),
          memory("tbuffer_load_format_xy", "Loads two components, converted to 32 bits.",
                 mtbuf(0x01), Unit::kVectorMemory, shape::format_load(2)),
          memory("tbuffer_store_format_xy", "Stores two components, converted from 32 bits.",
                 mtbuf(0x05), Unit::kVectorMemory, shape::format_store(2)),
          memory("tbuffer_load_format_d16_xy", "Loads two components, converted to 16 bits.",
                 mtbuf(0x09), Unit::kVectorMemory, shape::format_d16(shape::format_load(2))),
          memory("tbuffer_store_format_d16_xy", "Stores two components, converted from 16 bits.",
                 mtbuf(0x0d), Unit::kVectorMemory, shape::format_d16(shape::format_store(2))),
          memory("tbuffer_load_format_xyz", "Loads three components, converted to 32 bits.",
                 mtbuf(0x02), Unit::kVectorMemory, shape::format_load(3)),
          memory("tbuffer_store_format_xyz", "Stores three components, converted from 32 bits.",
                 mtbuf(0x06), Unit::kVectorMemory, shape::format_store(3)),
          memory("tbuffer_load_format_d16_xyz", "Loads three components, converted to 16 bits.",
                 mtbuf(0x0a), Unit::kVectorMemory, shape::format_d16(shape::format_load(3))),
          memory("tbuffer_store_format_d16_xyz", "Stores three components, converted from 16 bits.",
                 mtbuf(0x0e), Unit::kVectorMemory, shape::format_d16(shape::format_store(3))),
          memory("tbuffer_load_format_xyzw", "Loads four components, converted to 32 bits.",
                 mtbuf(0x03), Unit::kVectorMemory, shape::format_load(4)),
          memory("tbuffer_store_format_xyzw", "Stores four components, converted from 32 bits.",
                 mtbuf(0x07), Unit::kVectorMemory, shape::format_store(4)),
          memory("tbuffer_load_format_d16_xyzw", "Loads four components, converted to 16 bits.",
                 mtbuf(0x0b), Unit::kVectorMemory, shape::format_d16(shape::format_load(4))),
          memory("tbuffer_store_format_d16_xyzw", "Stores four components, converted from 16 bits.",
                 mtbuf(0x0f), Unit::kVectorMemory, shape::format_d16(shape::format_store(4))));

inline constexpr auto kMubufTables =
    tables(kBufferLoads, kBufferStores, kBufferCaches, kBufferFormats, kTypedBufferFormats);

}  // namespace wavetank::isa
