// DS: local memory, exchange between lanes, global wave sync (CDNA3 ISA guide, "Data Share
// Operations"). Opcodes as llvm-mc-19 encodes them.
#pragma once

#include "isa/define.hpp"
#include "isa/memory_shape.hpp"

namespace wavetank::isa {

/// A DS row.
constexpr auto lds_row(std::string_view name, std::string_view summary, std::uint16_t opcode,
                       MemoryShape shape) {
  return memory(name, summary, ds(opcode), Unit::kLds, shape);
}

inline constexpr auto kLdsReads = table(
    lds_row("ds_read_b32", "Reads a dword.", 0x36, shape::load(4)),
    lds_row("ds_read_b64", "Reads two dwords.", 0x76, shape::load(8)),
    lds_row("ds_read_b96", "Reads three dwords.", 0xfe, shape::load(12)),
    lds_row("ds_read_b128", "Reads four dwords.", 0xff, shape::load(16)),
    lds_row("ds_read2_b32", "Reads two dwords at two offsets.", 0x37, shape::pair(shape::load(4))),
    lds_row("ds_read2st64_b32", "Reads two dwords at offsets that count 64 dwords.", 0x38,
            shape::stride64(shape::pair(shape::load(4)))),
    lds_row("ds_read2_b64", "Reads two 64-bit values at two offsets.", 0x77,
            shape::pair(shape::load(8))),
    lds_row("ds_read2st64_b64", "Reads two 64-bit values at offsets that count 64.", 0x78,
            shape::stride64(shape::pair(shape::load(8)))),
    lds_row("ds_read_i8", "Reads a byte, sign-extended.", 0x39, shape::load_signed(1)),
    lds_row("ds_read_u8", "Reads a byte, zero-extended.", 0x3a, shape::load(1)),
    lds_row("ds_read_i16", "Reads 16 bits, sign-extended.", 0x3b, shape::load_signed(2)),
    lds_row("ds_read_u16", "Reads 16 bits, zero-extended.", 0x3c, shape::load(2)),
    lds_row("ds_read_u8_d16", "Reads a byte into bits 15:0.", 0x56, shape::d16(shape::load(1))),
    lds_row("ds_read_u8_d16_hi", "Reads a byte into bits 31:16.", 0x57,
            shape::d16_high(shape::load(1))),
    lds_row("ds_read_i8_d16", "Reads a sign-extended byte into bits 15:0.", 0x58,
            shape::d16(shape::load_signed(1))),
    lds_row("ds_read_i8_d16_hi", "Reads a sign-extended byte into bits 31:16.", 0x59,
            shape::d16_high(shape::load_signed(1))),
    lds_row("ds_read_u16_d16", "Reads 16 bits into bits 15:0.", 0x5a, shape::d16(shape::load(2))),
    lds_row("ds_read_u16_d16_hi", "Reads 16 bits into bits 31:16.", 0x5b,
            shape::d16_high(shape::load(2))),
    lds_row("ds_read_addtid_b32", "Reads a dword at M0 + offset + 4 * lane.", 0xb6,
            shape::special(Special::kThreadAddress, shape::load(4))));

inline constexpr auto kLdsWrites = table(
    lds_row("ds_write_b32", "Writes a dword.", 0x0d, shape::store(4)),
    lds_row("ds_write_b64", "Writes two dwords.", 0x4d, shape::store(8)),
    lds_row("ds_write_b96", "Writes three dwords.", 0xde, shape::store(12)),
    lds_row("ds_write_b128", "Writes four dwords.", 0xdf, shape::store(16)),
    lds_row("ds_write2_b32", "Writes two dwords at two offsets.", 0x0e,
            shape::pair(shape::store(4))),
    lds_row("ds_write2st64_b32", "Writes two dwords at offsets that count 64 dwords.", 0x0f,
            shape::stride64(shape::pair(shape::store(4)))),
    lds_row("ds_write2_b64", "Writes two 64-bit values at two offsets.", 0x4e,
            shape::pair(shape::store(8))),
    lds_row("ds_write2st64_b64", "Writes two 64-bit values at offsets that count 64.", 0x4f,
            shape::stride64(shape::pair(shape::store(8)))),
    lds_row("ds_write_b8", "Writes bits 7:0.", 0x1e, shape::store(1)),
    lds_row("ds_write_b16", "Writes bits 15:0.", 0x1f, shape::store(2)),
    lds_row("ds_write_b8_d16_hi", "Writes bits 23:16.", 0x54, shape::d16_high(shape::store(1))),
    lds_row("ds_write_b16_d16_hi", "Writes bits 31:16.", 0x55, shape::d16_high(shape::store(2))),
    lds_row("ds_write_addtid_b32", "Writes a dword at M0 + offset + 4 * lane.", 0x1d,
            shape::special(Special::kThreadAddress, shape::store(4))));

/// Atomics beyond those of atomics.hpp: two at once, and counts of lanes.
inline constexpr auto kLdsPairsAndCounters = table(
    lds_row("ds_wrxchg2_rtn_b32", "Exchanges two values at two offsets.", 0x2e,
            shape::pair(shape::ds_atomic_returning(Atomic::kSwap, 4, false))),
    lds_row("ds_wrxchg2st64_rtn_b32", "Exchanges two values at offsets that count 64.", 0x2f,
            shape::stride64(shape::pair(shape::ds_atomic_returning(Atomic::kSwap, 4, false)))),
    lds_row("ds_wrxchg2_rtn_b64", "Exchanges two values at two offsets.", 0x6e,
            shape::pair(shape::ds_atomic_returning(Atomic::kSwap, 8, false))),
    lds_row("ds_wrxchg2st64_rtn_b64", "Exchanges two values at offsets that count 64.", 0x6f,
            shape::stride64(shape::pair(shape::ds_atomic_returning(Atomic::kSwap, 8, false)))),
    lds_row("ds_append", "Adds the number of active lanes to LDS at M0; returns the old value.",
            0xbe, shape::wave_counter(Atomic::kAppend)),
    lds_row("ds_consume", "Subtracts the number of active lanes; returns the old value.", 0xbd,
            shape::wave_counter(Atomic::kConsume)));

inline constexpr auto kLdsExchange =
    table(lds_row("ds_swizzle_b32", "Exchanges lanes in a fixed pattern.", 0x3d,
                  shape::special(Special::kSwizzle, shape::load(4))),
          lds_row("ds_permute_b32", "Sends a dword to the lane of address / 4.", 0x3e,
                  shape::exchange(Special::kPermute)),
          lds_row("ds_bpermute_b32", "Reads a dword of the lane of address / 4.", 0x3f,
                  shape::exchange(Special::kBackwardPermute)),
          lds_row("ds_nop", "Does nothing.", 0x14, shape::cache_control()),
          lds_row("ds_gws_sema_release_all", "Releases all waves at a global semaphore.", 0x98,
                  shape::wave_sync(Special::kGwsSemaphore, 0)),
          lds_row("ds_gws_init", "Sets a global barrier's or semaphore's count.", 0x99,
                  shape::wave_sync(Special::kGwsInit, 1)),
          lds_row("ds_gws_sema_v", "Raises a global semaphore.", 0x9a,
                  shape::wave_sync(Special::kGwsSemaphore, 0)),
          lds_row("ds_gws_sema_br", "Raises a global semaphore by a count.", 0x9b,
                  shape::wave_sync(Special::kGwsSemaphore, 1)),
          lds_row("ds_gws_sema_p", "Waits at a global semaphore.", 0x9c,
                  shape::wave_sync(Special::kGwsSemaphore, 0)),
          lds_row("ds_gws_barrier", "Waits for all waves of the grid.", 0x9d,
                  shape::wave_sync(Special::kGwsBarrier, 1)));

inline constexpr auto kDsTables = tables(kLdsReads, kLdsWrites, kLdsPairsAndCounters, kLdsExchange);

}  // namespace wavetank::isa
