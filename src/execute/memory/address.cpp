#include "execute/memory/address.hpp"

#include <algorithm>
#include <cstring>

#include "encoding/operand.hpp"
#include "execute/memory/whole.hpp"

namespace wavetank::execute {
namespace {

using machine::Environment;
using machine::Wave;

/// As copy_element<bytes>, for a number that is known at run time only.
void copy_piece(std::byte* to, const std::byte* from, unsigned bytes) {
  switch (bytes) {
    case 1: return copy_element<1>(to, from);
    case 2: return copy_element<2>(to, from);
    case 4: return copy_element<4>(to, from);
    case 8: return copy_element<8>(to, from);
    case 16: return copy_element<16>(to, from);
    default: std::memcpy(to, from, bytes);
  }
}

bool reachable(const Environment& environment, std::uint64_t address, std::uint64_t bytes) {
  if (in_arena(environment, address, bytes)) return true;
  const machine::DeviceMemory* memory = environment.memory;
  return memory != nullptr && memory->outside_access_allowed(address, bytes);
}

/// A run of bytes of one lane's access that is contiguous in host memory; null: out of range.
struct Piece {
  std::byte* host = nullptr;
  unsigned bytes = 0;
  bool in_lds = false;
};

Piece linear_piece(Wave& wave, std::uint64_t address, unsigned bytes, unsigned lane, bool write) {
  check_reach(wave, address, bytes, lane, write);
  return {reinterpret_cast<std::byte*>(address), bytes};
}

Piece scratch_piece(Wave& wave, std::uint64_t base, std::uint32_t offset, unsigned bytes,
                    unsigned lane, bool write) {
  const unsigned run = std::min(bytes, 4 - offset % 4);
  const std::uint64_t address = base + scratch_swizzle(offset, lane);
  if (std::uint64_t{offset} + run > wave.scratch_bytes / 64) {
    memory_fault(wave, address, lane, write);
  }
  return linear_piece(wave, address, run, lane, write);
}

Piece global_piece(Wave& wave, const Op* op, unsigned lane, unsigned at, unsigned bytes,
                   bool write) {
  const MemoryOperands& memory = op->memory;
  std::uint64_t address = wave.vector(memory.address)[lane];
  if (memory.has_scalar_base()) {
    address += wave.scalar64(memory.scalar_base);
  } else {
    address |= std::uint64_t{wave.vector(memory.address + 1u)[lane]} << 32;
  }
  address += static_cast<std::uint64_t>(std::int64_t{memory.offset}) + at;
  return linear_piece(wave, address, bytes, lane, write);
}

Piece flat_piece(Wave& wave, const Op* op, unsigned lane, unsigned at, unsigned bytes, bool write) {
  const std::uint64_t address = (wave.vector(op->memory.address)[lane] |
                                 std::uint64_t{wave.vector(op->memory.address + 1u)[lane]} << 32) +
                                static_cast<std::uint64_t>(std::int64_t{op->memory.offset}) + at;
  const Environment& environment = *wave.environment;
  const auto low = static_cast<std::uint32_t>(address);
  if (address >> 32 == environment.shared_aperture >> 32) {
    const machine::Workgroup& group = *wave.workgroup;
    if (std::uint64_t{low} + bytes > group.lds_bytes) memory_fault(wave, address, lane, write);
    return {group.lds + low, bytes, true};
  }
  if (address >> 32 == environment.private_aperture >> 32) {
    return scratch_piece(wave, wave.flat_scratch(), low, bytes, lane, write);
  }
  return linear_piece(wave, address, bytes, lane, write);
}

Piece buffer_piece(Wave& wave, const Op* op, unsigned lane, unsigned at, unsigned bytes,
                   bool write) {
  const BufferAccess access(wave, op);
  const std::uint64_t offset = access.offset(lane, at);
  const unsigned run =
      access.swizzled() ? std::min<unsigned>(bytes, 4 - static_cast<unsigned>(offset % 4)) : bytes;
  if (!access.in_range(lane, offset, run)) return {nullptr, run};
  return linear_piece(wave, access.address(lane, offset), run, lane, write);
}

Piece piece_at(Wave& wave, const Op* op, Segment segment, unsigned lane, unsigned at,
               unsigned bytes, bool write) {
  switch (segment) {
    case Segment::kFlat: return flat_piece(wave, op, lane, at, bytes, write);
    case Segment::kGlobal: return global_piece(wave, op, lane, at, bytes, write);
    case Segment::kScratch:
      return scratch_piece(wave, wave.flat_scratch(), scratch_offset(wave, op->memory, lane) + at,
                           bytes, lane, write);
    case Segment::kBuffer: return buffer_piece(wave, op, lane, at, bytes, write);
  }
  return {};
}

/// Visits the pieces of an access, each as long as it can be. What a buffer leaves out is a dword
/// at a time.
template <class Visit>
void for_each_piece(Wave& wave, const Op* op, Segment segment, unsigned lane, unsigned bytes,
                    bool write, Visit visit) {
  for (unsigned at = 0; at < bytes;) {
    Piece piece = piece_at(wave, op, segment, lane, at, bytes - at, write);
    const unsigned dword_left = std::min(bytes - at, 4 - at % 4);
    if (piece.host == nullptr && piece.bytes > dword_left) {
      piece = piece_at(wave, op, segment, lane, at, dword_left, write);
    }
    visit(at, piece);
    at += piece.bytes;
  }
}

}  // namespace

BufferAccess::BufferAccess(const Wave& wave, const Op* op)
    : wave_(wave),
      memory_(op->memory),
      resource_(buffer_resource(&wave.sgpr[op->memory.scalar_base])),
      scalar_(scalar_offset(wave, op->memory.scalar_offset)),
      adds_lane_(resource_.add_tid && (resource_.swizzle || !op->memory.idxen)),
      stride_bytes_(resource_.stride_bytes) {
  const bool formatted = row_of(*op).memory.special == isa::MemorySpecial::kFormat;
  if (adds_lane_ && !formatted) stride_bytes_ |= resource_.data_format << 14;
}

std::uint32_t BufferAccess::index(unsigned lane) const {
  return memory_.idxen ? wave_.vector(memory_.address)[lane] : 0;
}

std::uint64_t BufferAccess::offset(unsigned lane, unsigned at) const {
  std::uint32_t offset = static_cast<std::uint32_t>(memory_.offset);
  if (memory_.offen) {
    offset += wave_.vector(memory_.address + (memory_.idxen ? 1u : 0u))[lane];
  }
  return std::uint64_t{offset} + at;
}

std::uint64_t BufferAccess::address(unsigned lane, std::uint64_t offset) const {
  const std::uint32_t index = this->index(lane) + (adds_lane_ ? lane : 0);
  const std::uint64_t start = resource_.base + scalar_;
  if (!swizzled()) return start + std::uint64_t{index} * stride_bytes_ + offset;
  const std::uint32_t group = resource_.index_stride;
  return start + (std::uint64_t{index / group} * stride_bytes_ + offset / 4 * 4) * group +
         index % group * 4 + offset % 4;
}

bool BufferAccess::in_range(unsigned lane, std::uint64_t offset, unsigned bytes) const {
  if (resource_.add_tid && !memory_.idxen) return true;
  if (memory_.idxen && resource_.stride_bytes != 0) return index(lane) < resource_.num_records;
  return offset + scalar_ + bytes <= resource_.num_records;
}

std::uint32_t scratch_offset(const Wave& wave, const MemoryOperands& memory, unsigned lane) {
  std::uint32_t offset = static_cast<std::uint32_t>(memory.offset);
  if (memory.use_address) offset += wave.vector(memory.address)[lane];
  if (memory.has_scalar_base()) offset += wave.sgpr[memory.scalar_base];
  return offset;
}

std::uint32_t scalar_offset(const Wave& wave, std::uint8_t code) {
  return code < isa::operand::kScalarFile ? wave.sgpr[code] : constant_offset(code);
}

std::uint32_t constant_offset(std::uint8_t code) {
  if (!encoding::is_inline_constant(code)) return 0;
  return static_cast<std::uint32_t>(encoding::constant_bits(code, isa::Type::kU32, 0));
}

void memory_fault(Wave& wave, std::uint64_t address, unsigned lane, bool write) {
  wave.raise_fault(address, lane, write);
}

void check_reach(Wave& wave, std::uint64_t address, std::uint64_t bytes, unsigned lane,
                 bool write) {
  if (!reachable(*wave.environment, address, bytes)) memory_fault(wave, address, lane, write);
}

void check_lanes(Wave& wave, const std::uint64_t* addresses, std::uint64_t exec, unsigned bytes,
                 bool write) {
  machine::for_each_lane(
      exec, [&](unsigned lane) { check_reach(wave, addresses[lane], bytes, lane, write); });
}

void read_lane(Wave& wave, const Op* op, Segment segment, unsigned lane, void* to, unsigned bytes) {
  for_each_piece(wave, op, segment, lane, bytes, false, [&](unsigned at, const Piece& piece) {
    std::byte* target = static_cast<std::byte*>(to) + at;
    if (piece.host == nullptr)
      std::memset(target, 0, piece.bytes);
    else
      copy_piece(target, piece.host, piece.bytes);
  });
}

void write_lane(Wave& wave, const Op* op, Segment segment, unsigned lane, const void* from,
                unsigned bytes) {
  for_each_piece(wave, op, segment, lane, bytes, true, [&](unsigned at, const Piece& piece) {
    if (piece.host == nullptr) return;
    copy_piece(piece.host, static_cast<const std::byte*>(from) + at, piece.bytes);
  });
}

bool buffer_in_range(Wave& wave, const Op* op, unsigned lane, unsigned bytes) {
  bool inside = true;
  for_each_piece(wave, op, Segment::kBuffer, lane, bytes, false,
                 [&](unsigned, const Piece& piece) { inside = inside && piece.host != nullptr; });
  return inside;
}

Element element_of(Wave& wave, const Op* op, Segment segment, unsigned lane, unsigned bytes) {
  const Piece piece = piece_at(wave, op, segment, lane, 0, bytes, true);
  if (piece.host == nullptr) return {};
  return {piece.host, piece.bytes < bytes, piece.in_lds};
}

}  // namespace wavetank::execute
