// Where a lane's memory access lands, one lane at a time: the definition of every address form, and
// the path that the vector handlers take where lanes follow no simple pattern.
//
// Device addresses are host addresses. An access is checked before it is made: inside the arena it
// works or faults in the host's page tables (which the engine reports), elsewhere it must be
// allowed, or the wave leaves with a memory fault.
#pragma once

#include <cstddef>
#include <cstdint>

#include "execute/op.hpp"
#include "machine/wave.hpp"

namespace wavetank::execute {

/// The address space of a vector memory instruction.
enum class Segment : std::uint8_t { kFlat, kGlobal, kScratch, kBuffer };

/// Bytes from the base of a scalar memory instruction: immediate plus SGPR; the two low bits of
/// each part are ignored (CDNA3 ISA guide, "Scalar Memory Operations"). The SGPR of a scratch form
/// counts 64 bytes, its immediate bytes (the same guide, S_SCRATCH_LOAD_DWORD).
inline std::uint64_t scalar_offset_bytes(const machine::Wave& wave, const MemoryOperands& memory,
                                         bool scratch) {
  std::uint64_t scalar =
      memory.scalar_offset < isa::operand::kScalarFile ? wave.sgpr[memory.scalar_offset] : 0;
  if (scratch) scalar *= 64;
  return static_cast<std::uint64_t>(std::int64_t{memory.offset} & ~std::int64_t{3}) +
         (scalar & ~std::uint64_t{3});
}

/// The byte of LDS that a load into LDS fills for lane 0; each lane has the next dword. Buffers
/// take M0[15:0], GLOBAL and SCRATCH M0[17:2] * 4 (CDNA3 ISA guide, "Buffer Load to LDS" and
/// "Addressing" of FLAT).
inline std::uint64_t lds_target(const machine::Wave& wave, const MemoryOperands& memory,
                                bool buffer) {
  return std::uint64_t{wave.m0() & (buffer ? 0xffffu : 0x3fffcu)} +
         static_cast<std::uint32_t>(memory.offset);
}

/// The fields of a buffer resource (CDNA3 ISA guide, "Buffer Resource Descriptor").
struct BufferResource {
  std::uint64_t base = 0;
  std::uint32_t num_records = 0;  ///< bytes of a raw buffer, records of a structured one
  std::uint32_t stride_bytes = 0;
  std::uint32_t index_stride = 0;  ///< lanes in a swizzle group: 8, 16, 32 or 64
  std::uint32_t data_format = 0;   ///< stride[17:14] where ADD_TID adds the lane
  bool swizzle = false;
  bool add_tid = false;
};

/// Bits of its words 1 and 3; an index stride of 64 lanes is both bits of its field.
inline constexpr std::uint32_t kSwizzleEnable = 1u << 31;
inline constexpr std::uint32_t kIndexStride64 = 3u << 21, kAddThreadId = 1u << 23;

/// Unpacks the resource in four SGPRs.
[[gnu::always_inline]] inline BufferResource buffer_resource(const std::uint32_t* sgpr) {
  BufferResource resource;
  resource.base = sgpr[0] | (std::uint64_t{sgpr[1] & 0xffff} << 32);
  resource.stride_bytes = (sgpr[1] >> 16) & 0x3fff;
  resource.swizzle = (sgpr[1] & kSwizzleEnable) != 0;
  resource.num_records = sgpr[2];
  resource.data_format = (sgpr[3] >> 15) & 15;
  resource.index_stride = 8u << ((sgpr[3] & kIndexStride64) >> 21);
  resource.add_tid = (sgpr[3] & kAddThreadId) != 0;
  return resource;
}

/// Where the lanes of a buffer instruction find their bytes (CDNA3 ISA guide, "Buffer Addressing",
/// "Range checking"; where the guide is terse, as AMD's emulator rocjitsu, which was compared with
/// gfx950, and Mesa for GFX9 have it; DEVIATIONS.md 31).
class BufferAccess {
 public:
  BufferAccess(const machine::Wave& wave, const Op* op);

  /// True if dwords of neighbouring lanes alternate: runs of bytes end with their dword.
  bool swizzled() const { return resource_.swizzle && resource_.add_tid; }
  /// Offset of byte `at` of a lane's access in its record.
  std::uint64_t offset(unsigned lane, unsigned at) const;
  /// Address of a byte whose offset in the record is `offset`.
  std::uint64_t address(unsigned lane, std::uint64_t offset) const;
  /// True if `bytes` at `offset` may be touched. A private buffer is not checked, a structured one
  /// by its index, others by their bytes.
  bool in_range(unsigned lane, std::uint64_t offset, unsigned bytes) const;

 private:
  std::uint32_t index(unsigned lane) const;

  const machine::Wave& wave_;
  const MemoryOperands& memory_;
  BufferResource resource_;
  std::uint32_t scalar_;
  bool adds_lane_;
  std::uint32_t stride_bytes_;
};

/// SOFFSET of MUBUF: an SGPR, M0 or an inline constant.
std::uint32_t scalar_offset(const machine::Wave& wave, std::uint8_t code);
/// The same of one that is no register.
std::uint32_t constant_offset(std::uint8_t code);

/// The byte of a lane's scratch that a SCRATCH instruction starts at.
std::uint32_t scratch_offset(const machine::Wave& wave, const MemoryOperands& memory,
                             unsigned lane);

/// Byte `a` of a lane's scratch lies at base + this (LLVM AMDGPUUsage, "Private Segment Buffer":
/// dwords of the 64 lanes are interleaved).
[[gnu::always_inline]] inline std::uint64_t scratch_swizzle(std::uint32_t a, unsigned lane) {
  return std::uint64_t{a / 4} * 256 + lane * 4 + a % 4;
}

/// True if the range lies in the arena.
[[gnu::always_inline]] inline bool in_arena(const machine::Environment& environment,
                                            std::uint64_t address, std::uint64_t bytes) {
  const std::uint64_t offset = address - environment.arena_begin;
  return offset < environment.arena_size_bytes && bytes <= environment.arena_size_bytes - offset;
}

/// Checks a range that one lane touches; leaves the executor with a memory fault if it may not.
void check_reach(machine::Wave& wave, std::uint64_t address, std::uint64_t bytes, unsigned lane,
                 bool write);
/// The same for `bytes` at each address of an active lane; inactive lanes' entries are not read.
void check_lanes(machine::Wave& wave, const std::uint64_t* addresses, std::uint64_t exec,
                 unsigned bytes, bool write);
/// Leaves the executor with a memory fault.
[[noreturn]] void memory_fault(machine::Wave& wave, std::uint64_t address, unsigned lane,
                               bool write);

/// Copies one lane's access from or to memory. What lies outside a buffer's range reads as zero and
/// is not written, each dword for itself.
void read_lane(machine::Wave& wave, const Op* op, Segment segment, unsigned lane, void* to,
               unsigned bytes);
void write_lane(machine::Wave& wave, const Op* op, Segment segment, unsigned lane, const void* from,
                unsigned bytes);

/// True if all `bytes` of a lane's buffer access lie in the resource's range.
bool buffer_in_range(machine::Wave& wave, const Op* op, unsigned lane, unsigned bytes);

/// An element that an atomic changes as a whole.
struct Element {
  std::byte* host = nullptr;  ///< nullptr: outside a buffer's range
  bool split = false;         ///< in swizzled memory, not contiguous; only this lane can see it
  bool in_lds = false;        ///< only this workgroup's host thread can touch it
};
Element element_of(machine::Wave& wave, const Op* op, Segment segment, unsigned lane,
                   unsigned bytes);

}  // namespace wavetank::execute
