// Shorthands with which the memory tables say what a row moves.
#pragma once

#include "isa/row.hpp"

namespace wavetank::isa {

/// Short names for the tables.
using Atomic = AtomicOperation;
using Special = MemorySpecial;

}  // namespace wavetank::isa

namespace wavetank::isa::shape {

/// Registers that `bytes` of one lane take.
constexpr std::uint8_t dwords(unsigned bytes) { return static_cast<std::uint8_t>((bytes + 3) / 4); }

/// A load of `bytes` per lane, zero-extended to a register if shorter.
constexpr MemoryShape load(unsigned bytes) {
  MemoryShape shape;
  shape.action = MemoryAction::kLoad;
  shape.element_bytes = static_cast<std::uint8_t>(bytes);
  shape.result_dwords = dwords(bytes);
  shape.always_returns = true;
  return shape;
}
/// A sign-extended load.
constexpr MemoryShape load_signed(unsigned bytes) {
  MemoryShape shape = load(bytes);
  shape.sign_extend = true;
  return shape;
}
/// The same into the lower or upper 16 bits of the register. The other half becomes zero: gfx90a
/// and gfx942 always run with SRAM ECC, where a register is written whole (LLVM GCNSubtarget,
/// d16PreservesUnusedBits).
constexpr MemoryShape d16(MemoryShape shape) {
  shape.d16 = true;
  return shape;
}
constexpr MemoryShape d16_high(MemoryShape shape) {
  shape.d16 = true;
  shape.d16_high = true;
  return shape;
}

/// A store of `bytes` per lane.
constexpr MemoryShape store(unsigned bytes) {
  MemoryShape shape;
  shape.action = MemoryAction::kStore;
  shape.element_bytes = static_cast<std::uint8_t>(bytes);
  shape.data_dwords = dwords(bytes);
  return shape;
}

/// Two elements at two offsets (DS): both results in one tuple, data in DATA0 and DATA1.
constexpr MemoryShape pair(MemoryShape shape) {
  shape.element_count = 2;
  shape.data2_dwords = shape.data_dwords;
  shape.result_dwords = static_cast<std::uint8_t>(2 * shape.result_dwords);
  return shape;
}
/// Offsets that count 64 elements.
constexpr MemoryShape stride64(MemoryShape shape) {
  shape.stride64 = true;
  return shape;
}

/// An atomic on `bytes`. FLAT, MUBUF and SMEM return the old value if GLC is set and keep a second
/// value, the comparand, behind the data in one tuple.
constexpr MemoryShape atomic(AtomicOperation operation, unsigned bytes, bool two_values) {
  MemoryShape shape;
  shape.action = MemoryAction::kAtomic;
  shape.element_bytes = static_cast<std::uint8_t>(bytes);
  shape.data_dwords = static_cast<std::uint8_t>((two_values ? 2 : 1) * dwords(bytes));
  shape.result_dwords = dwords(bytes);
  shape.atomic = operation;
  return shape;
}

/// A DS atomic, without and with a result. Two values are in DATA0 and DATA1.
constexpr MemoryShape ds_atomic(AtomicOperation operation, unsigned bytes, bool two_values) {
  MemoryShape shape = atomic(operation, bytes, false);
  shape.data2_dwords = two_values ? dwords(bytes) : std::uint8_t{0};
  shape.result_dwords = 0;
  return shape;
}
constexpr MemoryShape ds_atomic_returning(AtomicOperation operation, unsigned bytes,
                                          bool two_values) {
  MemoryShape shape = ds_atomic(operation, bytes, two_values);
  shape.result_dwords = dwords(bytes);
  shape.always_returns = true;
  return shape;
}

/// Writes back or discards cache lines: nothing to do where memory is coherent.
constexpr MemoryShape cache_control() {
  MemoryShape shape;
  shape.action = MemoryAction::kCacheControl;
  return shape;
}
constexpr MemoryShape write_back_l2() {
  MemoryShape shape = cache_control();
  shape.writes_back_l2 = true;
  return shape;
}
/// Cache control of a scope (LLVM BUFInstructions.td: buffer_wbl2, and gfx942's buffer_inv).
constexpr MemoryShape with_scope(MemoryShape shape) {
  shape.has_scope = true;
  return shape;
}
constexpr MemoryShape invalidate_l1() {
  MemoryShape shape = cache_control();
  shape.invalidates_l1 = true;
  return shape;
}
constexpr MemoryShape of_volatile_lines(MemoryShape shape) {
  shape.volatile_lines = true;
  return shape;
}
/// A load whose target is LDS.
constexpr MemoryShape load_to_lds(MemoryShape shape) {
  shape.action = MemoryAction::kLoadToLds;
  shape.result_dwords = 0;
  shape.always_returns = false;
  return shape;
}
/// A shape with a peculiarity.
constexpr MemoryShape special(MemorySpecial kind, MemoryShape shape) {
  shape.special = kind;
  return shape;
}

/// Loads and stores that convert `components` values between registers and the buffer's format; the
/// format says how many bytes move.
constexpr MemoryShape format_load(unsigned components) {
  MemoryShape shape = special(MemorySpecial::kFormat, load(4 * components));
  shape.element_bytes = 0;
  shape.components = static_cast<std::uint8_t>(components);
  return shape;
}
constexpr MemoryShape format_store(unsigned components) {
  MemoryShape shape = special(MemorySpecial::kFormat, store(4 * components));
  shape.element_bytes = 0;
  shape.components = static_cast<std::uint8_t>(components);
  return shape;
}
/// 16-bit components, two in a register.
constexpr MemoryShape format_d16(MemoryShape shape) {
  shape.d16 = true;
  shape.result_dwords = static_cast<std::uint8_t>((shape.result_dwords + 1) / 2);
  shape.data_dwords = static_cast<std::uint8_t>((shape.data_dwords + 1) / 2);
  return shape;
}

/// Counts active lanes into LDS at M0: one value for the wave.
constexpr MemoryShape wave_counter(AtomicOperation operation) {
  MemoryShape shape = ds_atomic_returning(operation, 4, false);
  shape.data_dwords = 0;
  return shape;
}
/// Lanes exchange registers by address; no memory is touched.
constexpr MemoryShape exchange(MemorySpecial kind) {
  MemoryShape shape = special(kind, load(4));
  shape.data_dwords = 1;
  return shape;
}
/// Global wave sync, with a count in a register where `data_dwords` is 1.
constexpr MemoryShape wave_sync(MemorySpecial kind, unsigned data_dwords) {
  MemoryShape shape = special(kind, cache_control());
  shape.data_dwords = static_cast<std::uint8_t>(data_dwords);
  return shape;
}

}  // namespace wavetank::isa::shape
