// SMEM: scalar loads, stores and atomics, the scalar cache and the clocks (CDNA3 ISA guide, "Scalar
// Memory Operations"). Opcodes as llvm-mc-19 encodes them.
#pragma once

#include "isa/define.hpp"
#include "isa/memory_shape.hpp"

namespace wavetank::isa {

/// A SMEM row: of an address, behind a buffer resource, without either.
constexpr auto scalar_row(std::string_view name, std::string_view summary, std::uint16_t opcode,
                          MemoryShape shape, std::uint8_t base_dwords = 2) {
  shape.base_dwords = base_dwords;
  return memory(name, summary, smem(opcode), Unit::kSmem, shape);
}
constexpr auto scalar_buffer_row(std::string_view name, std::string_view summary,
                                 std::uint16_t opcode, MemoryShape shape) {
  return scalar_row(name, summary, opcode, shape, 4);
}
constexpr auto scalar_cache_row(std::string_view name, std::string_view summary,
                                std::uint16_t opcode, MemoryShape shape) {
  return scalar_row(name, summary, opcode, shape, 0);
}

inline constexpr auto kScalarLoads =
    table(scalar_row("s_load_dword", "Loads a dword.", 0x00, shape::load(4)),
          scalar_row("s_load_dwordx2", "Loads two dwords.", 0x01, shape::load(8)),
          scalar_row("s_load_dwordx4", "Loads four dwords.", 0x02, shape::load(16)),
          scalar_row("s_load_dwordx8", "Loads eight dwords.", 0x03, shape::load(32)),
          scalar_row("s_load_dwordx16", "Loads 16 dwords.", 0x04, shape::load(64)),
          scalar_row("s_scratch_load_dword", "Loads a dword; an SGPR offset counts 64 bytes.", 0x05,
                     shape::special(Special::kScratchOffset, shape::load(4))),
          scalar_row("s_scratch_load_dwordx2", "Loads two dwords; an SGPR offset counts 64 bytes.",
                     0x06, shape::special(Special::kScratchOffset, shape::load(8))),
          scalar_row("s_scratch_load_dwordx4", "Loads four dwords; an SGPR offset counts 64 bytes.",
                     0x07, shape::special(Special::kScratchOffset, shape::load(16))),
          scalar_buffer_row("s_buffer_load_dword", "Loads a dword behind a buffer resource.", 0x08,
                            shape::load(4)),
          scalar_buffer_row("s_buffer_load_dwordx2", "Loads two dwords behind a buffer resource.",
                            0x09, shape::load(8)),
          scalar_buffer_row("s_buffer_load_dwordx4", "Loads four dwords behind a buffer resource.",
                            0x0a, shape::load(16)),
          scalar_buffer_row("s_buffer_load_dwordx8", "Loads eight dwords behind a buffer resource.",
                            0x0b, shape::load(32)),
          scalar_buffer_row("s_buffer_load_dwordx16", "Loads 16 dwords behind a buffer resource.",
                            0x0c, shape::load(64)));

inline constexpr auto kScalarStores = table(
    scalar_row("s_store_dword", "Stores a dword.", 0x10, shape::store(4)),
    scalar_row("s_store_dwordx2", "Stores two dwords.", 0x11, shape::store(8)),
    scalar_row("s_store_dwordx4", "Stores four dwords.", 0x12, shape::store(16)),
    scalar_row("s_scratch_store_dword", "Stores a dword; an SGPR offset counts 64 bytes.", 0x15,
               shape::special(Special::kScratchOffset, shape::store(4))),
    scalar_row("s_scratch_store_dwordx2", "Stores two dwords; an SGPR offset counts 64 bytes.",
               0x16, shape::special(Special::kScratchOffset, shape::store(8))),
    scalar_row("s_scratch_store_dwordx4", "Stores four dwords; an SGPR offset counts 64 bytes.",
               0x17, shape::special(Special::kScratchOffset, shape::store(16))),
    scalar_buffer_row("s_buffer_store_dword", "Stores a dword behind a buffer resource.", 0x18,
                      shape::store(4)),
    scalar_buffer_row("s_buffer_store_dwordx2", "Stores two dwords behind a buffer resource.", 0x19,
                      shape::store(8)),
    scalar_buffer_row("s_buffer_store_dwordx4", "Stores four dwords behind a buffer resource.",
                      0x1a, shape::store(16)));

inline constexpr auto kScalarCaches = table(
    scalar_cache_row("s_dcache_inv", "Invalidates the scalar cache.", 0x20, shape::cache_control()),
    scalar_cache_row("s_dcache_wb", "Writes back the scalar cache.", 0x21, shape::cache_control()),
    scalar_cache_row("s_dcache_inv_vol", "Invalidates volatile lines of the scalar cache.", 0x22,
                     shape::cache_control()),
    scalar_cache_row("s_dcache_wb_vol", "Writes back volatile lines of the scalar cache.", 0x23,
                     shape::cache_control()),
    scalar_row("s_dcache_discard", "Discards one dirty scalar cache line.", 0x28,
               shape::cache_control()),
    scalar_row("s_dcache_discard_x2", "Discards two dirty scalar cache lines.", 0x29,
               shape::cache_control()),
    scalar_cache_row("s_memtime", "Reads the cycle counter.", 0x24,
                     shape::special(Special::kCycles, shape::load(8))),
    scalar_cache_row("s_memrealtime", "Reads the 100 MHz counter.", 0x25,
                     shape::special(Special::kReferenceTime, shape::load(8))),
    scalar_row("s_atc_probe", "Prefetches an address translation.", 0x26,
               shape::special(Special::kProbe, shape::cache_control())),
    scalar_buffer_row("s_atc_probe_buffer", "Prefetches an address translation of a buffer.", 0x27,
                      shape::special(Special::kProbe, shape::cache_control())));

inline constexpr auto kSmemTables = tables(kScalarLoads, kScalarStores, kScalarCaches);

}  // namespace wavetank::isa
