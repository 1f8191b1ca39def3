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

inline constexpr auto kFlatAtomics = table(
    flat_row("atomic_swap", "Exchanges with memory.", 0x40, shape::atomic(Atomic::kSwap, 4)),
    flat_row("atomic_cmpswap", "Stores data if memory equals the comparand.", 0x41,
             shape::atomic(Atomic::kCompareSwap, 4)),
    flat_row("atomic_add", "Adds to memory.", 0x42, shape::atomic(Atomic::kAdd, 4)),
    flat_row("atomic_sub", "Subtracts from memory.", 0x43, shape::atomic(Atomic::kSub, 4)),
    flat_row("atomic_smin", "Keeps the signed minimum.", 0x44,
             shape::atomic(Atomic::kSignedMin, 4)),
    flat_row("atomic_umin", "Keeps the unsigned minimum.", 0x45,
             shape::atomic(Atomic::kUnsignedMin, 4)),
    flat_row("atomic_smax", "Keeps the signed maximum.", 0x46,
             shape::atomic(Atomic::kSignedMax, 4)),
    flat_row("atomic_umax", "Keeps the unsigned maximum.", 0x47,
             shape::atomic(Atomic::kUnsignedMax, 4)),
    flat_row("atomic_and", "Bitwise and with memory.", 0x48, shape::atomic(Atomic::kAnd, 4)),
    flat_row("atomic_or", "Bitwise or with memory.", 0x49, shape::atomic(Atomic::kOr, 4)),
    flat_row("atomic_xor", "Bitwise exclusive or with memory.", 0x4a,
             shape::atomic(Atomic::kXor, 4)),
    flat_row("atomic_inc", "Increments; wraps to 0 from data upwards.", 0x4b,
             shape::atomic(Atomic::kInc, 4)),
    flat_row("atomic_dec", "Decrements; wraps to data from 0 or above data.", 0x4c,
             shape::atomic(Atomic::kDec, 4)),
    flat_row("atomic_swap_x2", "Exchanges with memory, 64 bits.", 0x60,
             shape::atomic(Atomic::kSwap, 8)),
    flat_row("atomic_cmpswap_x2", "Stores data if memory equals the comparand, 64 bits.", 0x61,
             shape::atomic(Atomic::kCompareSwap, 8)),
    flat_row("atomic_add_x2", "Adds to memory, 64 bits.", 0x62, shape::atomic(Atomic::kAdd, 8)),
    flat_row("atomic_sub_x2", "Subtracts from memory, 64 bits.", 0x63,
             shape::atomic(Atomic::kSub, 8)),
    flat_row("atomic_smin_x2", "Keeps the signed minimum, 64 bits.", 0x64,
             shape::atomic(Atomic::kSignedMin, 8)),
    flat_row("atomic_umin_x2", "Keeps the unsigned minimum, 64 bits.", 0x65,
             shape::atomic(Atomic::kUnsignedMin, 8)),
    flat_row("atomic_smax_x2", "Keeps the signed maximum, 64 bits.", 0x66,
             shape::atomic(Atomic::kSignedMax, 8)),
    flat_row("atomic_umax_x2", "Keeps the unsigned maximum, 64 bits.", 0x67,
             shape::atomic(Atomic::kUnsignedMax, 8)),
    flat_row("atomic_and_x2", "Bitwise and with memory, 64 bits.", 0x68,
             shape::atomic(Atomic::kAnd, 8)),
    flat_row("atomic_or_x2", "Bitwise or with memory, 64 bits.", 0x69,
             shape::atomic(Atomic::kOr, 8)),
    flat_row("atomic_xor_x2", "Bitwise exclusive or with memory, 64 bits.", 0x6a,
             shape::atomic(Atomic::kXor, 8)),
    flat_row("atomic_inc_x2", "Increments; wraps to 0 from data upwards, 64 bits.", 0x6b,
             shape::atomic(Atomic::kInc, 8)),
    flat_row("atomic_dec_x2", "Decrements; wraps to data from 0 or above data, 64 bits.", 0x6c,
             shape::atomic(Atomic::kDec, 8)));

/// gfx90a has f32 and packed adds for global memory only, and its L2 flushes f32 denormals (LLVM
/// feature MemoryAtomicFAddF32DenormalSupport, which gfx942 has).
inline constexpr auto kFlatFloatAtomics = table(
    memory("atomic_add_f32",
           "Adds f32 to global memory; denormals count as zero.", global(0x4d), Unit::kFlat,
           shape::atomic(Atomic::kFloatAddFlush, 4)).on(Targets::kGfx90a),
    flat_row("atomic_add_f32", "Adds f32.", 0x4d,
             shape::atomic(Atomic::kFloatAdd, 4)).on(Targets::kGfx942),
    memory("atomic_pk_add_f16", "Adds two f16 to global memory.", global(0x4e), Unit::kFlat,
           shape::atomic(Atomic::kPackedAddF16, 4)).on(Targets::kGfx90a),
    flat_row("atomic_pk_add_f16", "Adds two f16.", 0x4e,
             shape::atomic(Atomic::kPackedAddF16, 4)).on(Targets::kGfx942),
    flat_row("atomic_add_f64", "Adds f64.", 0x4f, shape::atomic(Atomic::kFloatAdd, 8)),
    flat_row("atomic_min_f64", "Keeps the f64 minimum.", 0x50, shape::atomic(Atomic::kFloatMin, 8)),
    flat_row("atomic_max_f64", "Keeps the f64 maximum.", 0x51, shape::atomic(Atomic::kFloatMax, 8)),
    flat_row("atomic_pk_add_bf16", "Adds two bf16.", 0x52,
             shape::atomic(Atomic::kPackedAddBf16, 4)).on(Targets::kGfx942));

inline constexpr auto kLoadsToLds = table(
    memory("load_lds_ubyte", "Copies a byte, zero-extended, to LDS.", global(0x26), Unit::kFlat,
           shape::load_to_lds(shape::load(1))).on(Targets::kGfx942),
    memory("load_lds_sbyte", "Copies a byte, sign-extended, to LDS.", global(0x27), Unit::kFlat,
           shape::load_to_lds(shape::load_signed(1))).on(Targets::kGfx942),
    memory("load_lds_ushort", "Copies 16 bits, zero-extended, to LDS.", global(0x28), Unit::kFlat,
           shape::load_to_lds(shape::load(2))).on(Targets::kGfx942),
    memory("load_lds_sshort", "Copies 16 bits, sign-extended, to LDS.", global(0x29), Unit::kFlat,
           shape::load_to_lds(shape::load_signed(2))).on(Targets::kGfx942),
    memory("load_lds_dword", "Copies a dword to LDS.", global(0x2a), Unit::kFlat,
           shape::load_to_lds(shape::load(4))).on(Targets::kGfx942),
    memory("load_lds_ubyte", "Copies a byte, zero-extended, to LDS.", scratch(0x26), Unit::kFlat,
           shape::load_to_lds(shape::load(1))).on(Targets::kGfx942),
    memory("load_lds_sbyte", "Copies a byte, sign-extended, to LDS.", scratch(0x27), Unit::kFlat,
           shape::load_to_lds(shape::load_signed(1))).on(Targets::kGfx942),
    memory("load_lds_ushort",
           "Copies 16 bits, zero-extended, to LDS.", scratch(0x28), Unit::kFlat,
           shape::load_to_lds(shape::load(2))).on(Targets::kGfx942),
    memory("load_lds_sshort",
           "Copies 16 bits, sign-extended, to LDS.", scratch(0x29), Unit::kFlat,
           shape::load_to_lds(shape::load_signed(2))).on(Targets::kGfx942),
    memory("load_lds_dword", "Copies a dword to LDS.", scratch(0x2a), Unit::kFlat,
           shape::load_to_lds(shape::load(4))).on(Targets::kGfx942));

}  // namespace wavetank::isa
