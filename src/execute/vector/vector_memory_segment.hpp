// The address forms of FLAT, GLOBAL, SCRATCH and MUBUF: each finds the lanes' places, checks them
// and hands them to a mover (Load or Store). execute/memory/address.hpp defines the same forms one
// lane at a time; a form that returns false leaves the access to that definition.
#pragma once

#include "execute/vector/vector_memory_pattern.hpp"

namespace wavetank::execute::WAVETANK_HOST {

/// All lanes' pieces of swizzled memory at one offset: each dword is a row of 256 contiguous bytes.
template <class Move>
HWY_INLINE void move_swizzled(std::uint64_t row_base, std::uint32_t offset, std::uint32_t* rows,
                              std::uint64_t exec) {
  const std::uint64_t base = row_base + scratch_swizzle(offset, 0);
  if constexpr (Move::kElementBytes < 4) {
    Move::strips(Affine{base, 4}, nullptr, rows, exec);
  } else {
    for (unsigned row = 0; row < Move::kRows; ++row) {
      Move::Dword::side_by_side(reinterpret_cast<std::byte*>(base + 256u * row), rows + 64 * row,
                                exec);
    }
  }
}

/// True if an access of `bytes` at `offset` splits into whole dwords, or lies inside one.
HWY_INLINE bool keeps_dwords(std::uint32_t offset, unsigned bytes) {
  return bytes < 4 ? offset % 4 + bytes <= 4 : offset % 4 == 0;
}

/// Scratch at one offset for all lanes.
template <class Move>
HWY_INLINE bool scratch_uniform(Wave& wave, std::uint32_t offset, std::uint32_t* rows,
                                std::uint64_t exec) {
  const std::uint64_t base = wave.flat_scratch();
  if (!keeps_dwords(offset, Move::kElementBytes) ||
      std::uint64_t{offset} + Move::kElementBytes > wave.scratch_bytes / 64 ||
      !in_arena(*wave.environment, base, wave.scratch_bytes)) {
    return false;
  }
  move_swizzled<Move>(base, offset, rows, exec);
  return true;
}

/// A wave that moves neighbouring memory is mostly followed by one that moves what lies behind it:
/// brings the place of the fourth next one into the cache.
template <unsigned kWaveBytes>
HWY_INLINE void prefetch_following(std::uint64_t address) {
  for (unsigned line = 0; line < kWaveBytes; line += 64) {
    __builtin_prefetch(reinterpret_cast<const void*>(address + 4 * kWaveBytes + line));
  }
}

struct GlobalSegment {
  static constexpr Segment kSegment = Segment::kGlobal;

  template <class Move>
  static HWY_INLINE bool run(Wave& wave, const Op* op, std::uint32_t* rows, std::uint64_t exec) {
    const MemoryOperands& memory = op->memory;
    const std::uint32_t* const low = wave.vector(memory.address);
    auto base = static_cast<std::uint64_t>(std::int64_t{memory.offset});
    const std::uint32_t* high = nullptr;
    if (memory.has_scalar_base())
      base += wave.scalar64(memory.scalar_base);
    else
      high = low + 64;
    if (HWY_LIKELY(exec == kAllLanes && rises_by<Move::kElementBytes>(low))) {
      std::uint64_t address = base + low[0];
      if (high != nullptr) address += std::uint64_t{high[0]} << 32;
      constexpr std::uint64_t kWaveBytes = 64 * Move::kElementBytes;
      const bool same_high = high == nullptr || all_hold(high, high[0], kAllLanes);
      if (HWY_LIKELY(same_high && in_arena(*wave.environment, address, kWaveBytes))) {
        if constexpr (Move::kWrite && Move::kElementBytes >= 4) {
          if (memory.ends_wave && wave.environment->writes_past_cache && address % 64 == 0) {
            Move::stream(reinterpret_cast<std::byte*>(address), rows);
            return true;
          }
        }
        Move::copy(reinterpret_cast<std::byte*>(address), rows);
        prefetch_following<kWaveBytes>(address);
        return true;
      }
    }
    other<Move>(wave, base, low, high, rows, exec);
    return true;
  }

 private:
  template <class Move>
  static HWY_NOINLINE void other(Wave& wave, std::uint64_t base, const std::uint32_t* low,
                                 const std::uint32_t* high, std::uint32_t* rows,
                                 std::uint64_t exec) {
    const std::uint32_t upper = high != nullptr ? high[first_active(exec)] : 0;
    const bool low_tells = high == nullptr || all_hold(high, upper, exec);
    const std::uint32_t first_low = low[first_active(exec)];
    if (low_tells && all_hold(low, first_low, exec)) {
      const std::uint64_t address = base + (std::uint64_t{upper} << 32) + first_low;
      check_reach(wave, address, Move::kElementBytes, first_active(exec), Move::kWrite);
      return Move::broadcast(reinterpret_cast<std::byte*>(address), rows, exec);
    }
    const Rise rise = rise_of<Move::kElementBytes>(low, exec);
    if (low_tells && rise.found) {
      const std::uint64_t lane0 =
          base + (std::uint64_t{upper} << 32) + static_cast<std::uint64_t>(rise.start);
      if (lanes_in_arena(*wave.environment, lane0, Move::kElementBytes, exec)) {
        return Move::side_by_side(reinterpret_cast<std::byte*>(lane0), rows, exec);
      }
    }
    alignas(64) std::uint64_t addresses[64];
    if (!make_addresses(base, low, high, Move::kElementBytes, exec, *wave.environment, addresses)) {
      check_lanes(wave, addresses, exec, Move::kElementBytes, Move::kWrite);
    }
    Move::strips(Scattered{addresses}, low_tells ? low : nullptr, rows, exec);
  }
};

struct FlatSegment {
  static constexpr Segment kSegment = Segment::kFlat;

  template <class Move>
  static HWY_INLINE bool run(Wave& wave, const Op* op, std::uint32_t* rows, std::uint64_t exec) {
    const std::uint32_t* const low = wave.vector(op->memory.address);
    const std::uint32_t* const high = low + 64;
    const auto offset = static_cast<std::uint64_t>(std::int64_t{op->memory.offset});
    if (HWY_LIKELY(exec == kAllLanes && rises_by<Move::kElementBytes>(low) &&
                   all_hold(high, high[0], kAllLanes))) {
      const std::uint64_t address = offset + (low[0] | std::uint64_t{high[0]} << 32);
      // The apertures lie outside the arena, so addresses inside it are plain memory.
      if (HWY_LIKELY(in_arena(*wave.environment, address, 64 * Move::kElementBytes))) {
        Move::copy(reinterpret_cast<std::byte*>(address), rows);
        return true;
      }
    }
    return other<Move>(wave, offset, low, rows, exec);
  }

 private:
  template <class Move>
  static HWY_NOINLINE bool other(Wave& wave, std::uint64_t offset, const std::uint32_t* low,
                                 std::uint32_t* rows, std::uint64_t exec) {
    const machine::Environment& environment = *wave.environment;
    const std::uint32_t* const high = low + 64;
    const unsigned first = first_active(exec);
    const bool same_high = all_hold(high, high[first], exec);
    alignas(64) std::uint64_t addresses[64];
    if (make_addresses(offset, low, high, Move::kElementBytes, exec, environment, addresses)) {
      move_addresses<Move>(addresses, same_high ? low : nullptr, rows, exec);
      return true;
    }
    if (!same_high) return in_both<Move>(wave, addresses, rows, exec);
    const std::uint64_t upper = addresses[first] >> 32;
    if (upper == environment.shared_aperture >> 32) {
      alignas(64) std::uint32_t offsets[64];
      const machine::Workgroup& group = *wave.workgroup;
      if (!make_offsets(low, static_cast<std::uint32_t>(offset), Move::kElementBytes, exec,
                        group.lds_bytes, offsets)) {
        return false;
      }
      move_lds_offsets<Move>(group.lds, offsets, rows, exec);
      return true;
    }
    return upper == environment.private_aperture >> 32 && all_hold(low, low[first], exec) &&
           scratch_uniform<Move>(wave, static_cast<std::uint32_t>(addresses[first]), rows, exec);
  }

  /// Some lanes in LDS, the others in the arena. `addresses` become the host's.
  template <class Move>
  static HWY_NOINLINE bool in_both(const Wave& wave, std::uint64_t* addresses, std::uint32_t* rows,
                                   std::uint64_t exec) {
    const machine::Environment& environment = *wave.environment;
    const machine::Workgroup& group = *wave.workgroup;
    for (std::uint64_t left = exec; left != 0; left &= left - 1) {
      std::uint64_t& address = addresses[first_active(left)];
      if (in_arena(environment, address, Move::kElementBytes)) continue;
      const std::uint64_t offset = address - environment.shared_aperture;
      if (offset >> 32 != 0 || offset + Move::kElementBytes > group.lds_bytes) return false;
      address = reinterpret_cast<std::uint64_t>(group.lds) + offset;
    }
    Move::strips(Scattered{addresses}, nullptr, rows, exec);
    return true;
  }
};

struct ScratchSegment {
  static constexpr Segment kSegment = Segment::kScratch;

  template <class Move>
  static HWY_INLINE bool run(Wave& wave, const Op* op, std::uint32_t* rows, std::uint64_t exec) {
    const MemoryOperands& memory = op->memory;
    auto offset = static_cast<std::uint32_t>(memory.offset);
    if (memory.has_scalar_base()) offset += wave.sgpr[memory.scalar_base];
    if (memory.use_address) {
      const std::uint32_t* const address = wave.vector(memory.address);
      const std::uint32_t first = address[first_active(exec)];
      if (!all_hold(address, first, exec)) {
        return indexed<Move>(wave, address, offset, rows, exec);
      }
      offset += first;
    }
    return scratch_uniform<Move>(wave, offset, rows, exec);
  }

 private:
  /// Each lane at its own offset: arrays of a lane under a variable index.
  template <class Move>
  static HWY_NOINLINE bool indexed(Wave& wave, const std::uint32_t* address, std::uint32_t offset,
                                   std::uint32_t* rows, std::uint64_t exec) {
    const std::uint64_t base = wave.flat_scratch();
    if (!in_arena(*wave.environment, base, wave.scratch_bytes)) return false;
    alignas(64) std::uint64_t addresses[64];
    bool simple = true;
    for (std::uint64_t left = exec; left != 0; left &= left - 1) {
      const unsigned lane = first_active(left);
      const std::uint32_t a = address[lane] + offset;
      simple = simple && keeps_dwords(a, Move::kElementBytes) &&
               std::uint64_t{a} + Move::kElementBytes <= wave.scratch_bytes / 64;
      addresses[lane] = base + scratch_swizzle(a, lane);
    }
    if (!simple) return false;
    if constexpr (Move::kElementBytes < 4) {
      Move::strips(Scattered{addresses}, nullptr, rows, exec);
    } else {
      for (unsigned row = 0; row < Move::kRows; ++row) {
        Move::Dword::strips(Scattered{addresses}, nullptr, rows + 64 * row, exec);
        for (std::uint64_t& lane_address : addresses) lane_address += 256;
      }
    }
    return true;
  }
};

struct BufferSegment {
  static constexpr Segment kSegment = Segment::kBuffer;

  template <class Move>
  static HWY_INLINE bool run(Wave& wave, const Op* op, std::uint32_t* rows, std::uint64_t exec) {
    const MemoryOperands& memory = op->memory;
    if (memory.idxen) return false;
    const BufferResource resource = buffer_resource(&wave.sgpr[memory.scalar_base]);
    const std::uint8_t code = memory.scalar_offset;
    const bool is_register = code < isa::operand::kScalarFile;
    const std::uint32_t scalar = is_register ? wave.sgpr[code] : scalar_offset(wave, code);
    const std::uint64_t base = resource.base + scalar;
    if (resource.add_tid) {
      return resource.swizzle && resource.index_stride == 64 &&
             scratch<Move>(wave, memory, base, rows, exec);
    }
    // Raw: out of range is what lies beyond NUM_RECORDS - SOFFSET.
    const std::uint64_t limit = resource.num_records > scalar ? resource.num_records - scalar : 0;
    const std::uint64_t offset = static_cast<std::uint32_t>(memory.offset);
    if (!memory.offen) return uniform<Move>(wave, base, offset, limit, rows, exec);
    const std::uint32_t* const address = wave.vector(memory.address);
    if (HWY_LIKELY(exec == kAllLanes && rises_by<Move::kElementBytes>(address))) {
      constexpr std::uint64_t kWaveBytes = 64 * Move::kElementBytes;
      const std::uint64_t start = offset + address[0];
      if (HWY_LIKELY(start + kWaveBytes <= limit &&
                     in_arena(*wave.environment, base + start, kWaveBytes))) {
        Move::copy(reinterpret_cast<std::byte*>(base + start), rows);
        return true;
      }
    }
    return other<Move>(wave, address, base, offset, limit, rows, exec);
  }

 private:
  /// Scratch behind a swizzled resource: 64 lanes' dwords alternate, the lane is ADD_TID's, and
  /// there is no range.
  template <class Move>
  static HWY_INLINE bool scratch(Wave& wave, const MemoryOperands& memory, std::uint64_t base,
                                 std::uint32_t* rows, std::uint64_t exec) {
    std::uint64_t offset = static_cast<std::uint32_t>(memory.offset);
    if (memory.offen) {
      const std::uint32_t* const address = wave.vector(memory.address);
      const std::uint32_t first = address[first_active(exec)];
      if (!all_hold(address, first, exec)) return false;
      offset += first;
    }
    if (offset >> 32 != 0 ||
        !keeps_dwords(static_cast<std::uint32_t>(offset), Move::kElementBytes)) {
      return false;
    }
    const std::uint64_t begin = offset / 4 * 256, bytes = 256 * Move::kRows;
    if (!in_arena(*wave.environment, base + begin, bytes)) return false;
    move_swizzled<Move>(base, static_cast<std::uint32_t>(offset), rows, exec);
    return true;
  }

  template <class Move>
  static HWY_NOINLINE bool uniform(Wave& wave, std::uint64_t base, std::uint64_t offset,
                                   std::uint64_t limit, std::uint32_t* rows, std::uint64_t exec) {
    if (offset + Move::kElementBytes > limit) return false;
    check_reach(wave, base + offset, Move::kElementBytes, first_active(exec), Move::kWrite);
    Move::broadcast(reinterpret_cast<std::byte*>(base + offset), rows, exec);
    return true;
  }

  /// Lanes in any order, all of them in range.
  template <class Move>
  static HWY_NOINLINE bool other(Wave& wave, const std::uint32_t* address, std::uint64_t base,
                                 std::uint64_t offset, std::uint64_t limit, std::uint32_t* rows,
                                 std::uint64_t exec) {
    const Rise rise = rise_of<Move::kElementBytes>(address, exec);
    if (rise.found) {
      const std::uint64_t lane0 = offset + static_cast<std::uint64_t>(rise.start);
      const unsigned lanes = 64 - static_cast<unsigned>(__builtin_clzll(exec));
      if (lane0 + lanes * Move::kElementBytes <= limit &&
          lanes_in_arena(*wave.environment, base + lane0, Move::kElementBytes, exec)) {
        Move::side_by_side(reinterpret_cast<std::byte*>(base + lane0), rows, exec);
        return true;
      }
    }
    alignas(64) std::uint32_t offsets[64];
    const auto range = static_cast<std::uint32_t>(limit > 0xffffffffu ? 0xffffffffu : limit);
    const std::uint32_t left = offset < range ? range - static_cast<std::uint32_t>(offset) : 0;
    if (!make_offsets(address, 0, Move::kElementBytes, exec, left, offsets)) return false;
    alignas(64) std::uint64_t addresses[64];
    if (!make_addresses(base + offset, address, nullptr, Move::kElementBytes, exec,
                        *wave.environment, addresses)) {
      check_lanes(wave, addresses, exec, Move::kElementBytes, Move::kWrite);
    }
    move_addresses<Move>(addresses, address, rows, exec);
    return true;
  }
};

}  // namespace wavetank::execute::WAVETANK_HOST
