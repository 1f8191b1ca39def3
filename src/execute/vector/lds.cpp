// Handlers of DS reads and writes. LDS is host memory of one thread; what lies
// beyond the workgroup's allocation reads as zero and is not written (CDNA3 ISA guide, "LDS").
#include "execute/registry.hpp"
#include "execute/vector/move_handler.hpp"
#include "execute/vector/vector_memory_pattern.hpp"

namespace wavetank::execute::WAVETANK_HOST {
namespace {

using isa::MemoryAction;
using isa::MemoryShape;
using isa::MemorySpecial;

/// Some lanes lie beyond the allocation: whole elements drop out.
template <class Move>
HWY_NOINLINE void move_clipped(const machine::Workgroup& group, const std::uint32_t* address,
                               std::uint32_t offset, std::uint32_t* rows, std::uint64_t exec) {
  alignas(64) std::uint32_t offsets[64];
  make_offsets(address, offset, Move::kElementBytes, exec, group.lds_bytes, offsets);
  std::uint64_t inside = 0;
  for (std::uint64_t left = exec; left != 0; left &= left - 1) {
    const unsigned lane = first_active(left);
    if (std::uint64_t{offsets[lane]} + Move::kElementBytes <= group.lds_bytes) {
      inside |= std::uint64_t{1} << lane;
    } else if constexpr (!Move::kWrite) {
      for (unsigned row = 0; row < Move::kRows; ++row) rows[64 * row + lane] = 0;
    }
  }
  if (inside != 0) Move::strips(LdsPlaces{group.lds, offsets}, nullptr, rows, inside);
}

/// Lanes in any order or under a partial EXEC; false, with nothing moved, if one lies beyond the
/// allocation.
template <class Move>
HWY_NOINLINE bool move_other(const machine::Workgroup& group, const std::uint32_t* address,
                             std::uint32_t offset, std::uint32_t* rows, std::uint64_t exec) {
  const Rise rise = rise_of<Move::kElementBytes>(address, exec);
  if (rise.found) {
    const unsigned last = 63 - static_cast<unsigned>(__builtin_clzll(exec));
    const std::int64_t lane0 = rise.start + std::int64_t{offset};
    if (lane0 + (last + 1) * Move::kElementBytes <= group.lds_bytes) {
      Move::side_by_side(group.lds + lane0, rows, exec);
      return true;
    }
  }
  alignas(64) std::uint32_t offsets[64];
  if (!make_offsets(address, offset, Move::kElementBytes, exec, group.lds_bytes, offsets)) {
    return false;
  }
  move_lds_offsets<Move>(group.lds, offsets, rows, exec);
  return true;
}

/// Reads or writes one element per lane at address + offset if all lie inside the allocation.
template <class Move>
HWY_INLINE bool move_inside(const machine::Workgroup& group, const std::uint32_t* address,
                            std::uint32_t offset, std::uint32_t* rows, std::uint64_t exec) {
  if (HWY_LIKELY(exec == kAllLanes && rises_by<Move::kElementBytes>(address))) {
    const std::uint64_t begin = std::uint64_t{address[0]} + offset;
    if (HWY_LIKELY(begin + 64 * Move::kElementBytes <= group.lds_bytes)) {
      Move::copy(group.lds + begin, rows);
      return true;
    }
  }
  return move_other<Move>(group, address, offset, rows, exec);
}

/// Reads or writes one element per lane at address + offset.
template <class Move>
HWY_INLINE void move_lds(Wave& wave, const std::uint32_t* address, std::uint32_t offset,
                         std::uint32_t* rows, std::uint64_t exec) {
  const machine::Workgroup& group = *wave.workgroup;
  if (HWY_UNLIKELY(!move_inside<Move>(group, address, offset, rows, exec))) {
    move_clipped<Move>(group, address, offset, rows, exec);
  }
}

template <class Move>
const Op* run_one(Wave& wave, const Op* op) {
  const std::uint64_t exec = wave.exec();
  const MemoryOperands& memory = op->memory;
  if (HWY_LIKELY(exec != 0)) {
    move_lds<Move>(wave, wave.vector(memory.address), static_cast<std::uint32_t>(memory.offset),
                   wave.vector(Move::first_register(memory)), exec);
  }
  return op + op->dwords;
}

/// Two elements at OFFSET0 and OFFSET1, which count elements (or 64 elements). The instruction
/// reads two addresses (CDNA3 ISA guide, DS_READ2_B32), so where only one lies beyond the
/// allocation the other is read: rocPRIM's block_run_length_decode takes a run's begin and the next
/// one's so.
template <class Move, unsigned kUnit>
const Op* run_pair(Wave& wave, const Op* op) {
  constexpr unsigned kBytes = Move::kElementBytes;
  const std::uint64_t exec = wave.exec();
  const MemoryOperands& memory = op->memory;
  if (exec == 0) return op + op->dwords;
  const std::uint32_t first = memory.offset & 0xff, second = (memory.offset >> 8) & 0xff;
  const std::uint32_t* address = wave.vector(memory.address);
  std::uint32_t* const rows = wave.vector(Move::first_register(memory));
  std::uint32_t* second_rows;
  alignas(64) std::uint32_t copy[64];
  if constexpr (Move::kWrite) {
    second_rows = wave.vector(memory.data2);
  } else {
    if (kUnit == 1 && second == first + 1 &&
        move_inside<Load<2 * kBytes>>(*wave.workgroup, address, first * kBytes, rows, exec)) {
      return op + op->dwords;
    }
    if (memory.address - memory.result < static_cast<int>(kBytes / 4) &&
        memory.address >= memory.result) {
      // The first result overwrites the addresses of the second.
      std::memcpy(copy, address, sizeof copy);
      address = copy;
    }
    second_rows = rows + 16 * kBytes;
  }
  move_lds<Move>(wave, address, first * kUnit * kBytes, rows, exec);
  move_lds<Move>(wave, address, second * kUnit * kBytes, second_rows, exec);
  return op + op->dwords;
}

/// ds_read_addtid_b32 and its store: M0 + OFFSET + 4 * lane.
template <class Move>
const Op* run_thread_address(Wave& wave, const Op* op) {
  const std::uint64_t exec = wave.exec();
  if (exec == 0) return op + op->dwords;
  const std::uint32_t start = (wave.m0() & 0xffffu) + static_cast<std::uint32_t>(op->memory.offset);
  alignas(64) std::uint32_t address[64];
  for (unsigned lane = 0; lane < 64; ++lane) address[lane] = start + 4 * lane;
  move_lds<Move>(wave, address, 0, wave.vector(Move::first_register(op->memory)), exec);
  return op + op->dwords;
}

template <unsigned kBytes>
Handler pair_handler(const MemoryShape& shape) {
  if (shape.action == MemoryAction::kLoad) {
    return shape.stride64 ? run_pair<Load<kBytes>, 64> : run_pair<Load<kBytes>, 1>;
  }
  return shape.stride64 ? run_pair<Store<kBytes>, 64> : run_pair<Store<kBytes>, 1>;
}

constexpr auto kRunOne = []<class Move>() -> Handler { return run_one<Move>; };

/// The handler of a read or write; nullptr for other rows.
Handler handler_of(const isa::Row& row) {
  const MemoryShape& shape = row.memory;
  if (row.encoding.format != isa::Format::kDs) return nullptr;
  const bool read = shape.action == MemoryAction::kLoad;
  if (!read && shape.action != MemoryAction::kStore) return nullptr;
  if (shape.special == MemorySpecial::kThreadAddress) {
    return read ? run_thread_address<Load<4>> : run_thread_address<Store<4>>;
  }
  if (shape.special != MemorySpecial::kNone) return nullptr;
  if (shape.element_count == 2) {
    return shape.element_bytes == 4 ? pair_handler<4>(shape) : pair_handler<8>(shape);
  }
  return read ? handler_of_load(shape, kRunOne) : handler_of_store(shape, kRunOne);
}

}  // namespace

void append_lane_exchange(Entries& entries);

void append_lds(Entries& entries) {
  append_lane_exchange(entries);
  append_rows(entries, handler_of);
}

}  // namespace wavetank::execute::WAVETANK_HOST
