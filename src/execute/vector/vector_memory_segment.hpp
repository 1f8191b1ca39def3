// The address forms of FLAT, GLOBAL, SCRATCH and MUBUF: each finds the lanes' places, checks them
// and hands them to a mover (Load or Store). execute/memory/address.hpp defines the same forms one
// lane at a time; what is uncommon here goes there.
#pragma once

#include "execute/vector/vector_memory_pattern.hpp"

namespace wavetank::execute::WAVETANK_HOST {

inline constexpr std::uint8_t kNoScalarBase = 0x7f;

/// All lanes' pieces of swizzled memory at one offset: each dword is a row of 256 contiguous bytes.
template <class Move>
HWY_INLINE void move_swizzled(std::uint64_t row_base, std::uint32_t offset, std::uint32_t* rows,
                              std::uint64_t exec) {
  const std::uint64_t base = row_base + scratch_swizzle(offset, 0);
  if constexpr (Move::kElementBytes < 4) {
    Move::move(Affine{base, 4}, rows, exec);
  } else {
    for (unsigned row = 0; row < Move::kRows; ++row) {
      Move::Dword::move(Affine{base + 256u * row, 4}, rows + 64 * row, exec);
    }
  }
}

/// True if an access of `bytes` at `offset` splits into whole dwords, or lies inside one.
HWY_INLINE bool keeps_dwords(std::uint32_t offset, unsigned bytes) {
  return bytes < 4 ? offset % 4 + bytes <= 4 : offset % 4 == 0;
}

/// Scratch at one offset for all lanes; false if it must go lane by lane.
template <class Move>
HWY_NOINLINE bool scratch_uniform(Wave& wave, std::uint32_t offset, std::uint32_t* rows,
                                std::uint64_t exec) {
  const std::uint64_t base = wave.scalar64(102);
  if (!keeps_dwords(offset, Move::kElementBytes) ||
      std::uint64_t{offset} + Move::kElementBytes > wave.scratch_bytes / 64 ||
      !in_arena(*wave.environment, base, wave.scratch_bytes)) {
    return false;
  }
  move_swizzled<Move>(base, offset, rows, exec);
  return true;
}

struct GlobalSegment {
  static constexpr Segment kSegment = Segment::kGlobal;

  template <class Move>
  static HWY_INLINE bool run(Wave& wave, const Op* op, std::uint32_t* rows, std::uint64_t exec) {
    const MemoryOperands& memory = op->memory;
    const std::uint32_t* const low = wave.vector(memory.address);
    const ActiveLanes lanes(exec);
    auto base = static_cast<std::uint64_t>(std::int64_t{memory.offset});
    const std::uint32_t* high = nullptr;
    bool same_high = true;
    if (memory.scalar_base != kNoScalarBase) {
      base += wave.scalar64(memory.scalar_base);
    } else {
      high = low + 64;
      same_high = is_arithmetic(high, high[lanes.first], 0, exec);
    }
    const RowPattern pattern = row_pattern(low, exec, lanes, Move::kElementBytes);
    if (HWY_LIKELY(pattern.affine && same_high)) {
      std::uint64_t start = base + low[lanes.first];
      if (high != nullptr) start += std::uint64_t{high[lanes.first]} << 32;
      const Affine place{start - static_cast<std::uint64_t>(pattern.stride) * lanes.first,
                         pattern.stride};
      check_affine<Move>(wave, place, exec, lanes);
      Move::move(place, rows, exec);
      return true;
    }
    return scattered<Move>(wave, base, low, high, rows, exec);
  }

  template <class Move>
  static HWY_NOINLINE bool scattered(Wave& wave, std::uint64_t base, const std::uint32_t* low,
                                     const std::uint32_t* high, std::uint32_t* rows,
                                     std::uint64_t exec) {
    alignas(64) std::uint64_t addresses[64];
    if (!make_addresses(base, low, high, Move::kElementBytes, *wave.environment, addresses)) {
      check_lanes(wave, addresses, exec, Move::kElementBytes, Move::kWrite);
    }
    Move::move(Scattered{addresses}, rows, exec);
    return true;
  }
};

struct FlatSegment {
  static constexpr Segment kSegment = Segment::kFlat;

  template <class Move>
  static HWY_INLINE bool run(Wave& wave, const Op* op, std::uint32_t* rows, std::uint64_t exec) {
    const machine::Environment& environment = *wave.environment;
    const std::uint32_t* const low = wave.vector(op->memory.address);
    const std::uint32_t* const high = low + 64;
    const ActiveLanes lanes(exec);
    const auto offset = static_cast<std::uint64_t>(std::int64_t{op->memory.offset});
    const RowPattern pattern = row_pattern(low, exec, lanes, Move::kElementBytes);
    if (HWY_LIKELY(pattern.affine && is_arithmetic(high, high[lanes.first], 0, exec))) {
      const std::uint64_t first =
          (low[lanes.first] | std::uint64_t{high[lanes.first]} << 32) + offset;
      Affine place{first - static_cast<std::uint64_t>(pattern.stride) * lanes.first,
                   pattern.stride};
      const std::uint64_t upper = first >> 32;
      if (upper == environment.private_aperture >> 32) {
        return pattern.stride == 0 &&
               scratch_uniform<Move>(wave, static_cast<std::uint32_t>(first), rows, exec);
      }
      if (upper == environment.shared_aperture >> 32) {
        return lds<Move>(wave, place, lanes, rows, exec);
      }
      check_affine<Move>(wave, place, exec, lanes);
      Move::move(place, rows, exec);
      return true;
    }
    return scattered<Move>(wave, offset, low, rows, exec);
  }

 private:
  template <class Move>
  static HWY_NOINLINE bool scattered(Wave& wave, std::uint64_t offset, const std::uint32_t* low,
                                     std::uint32_t* rows, std::uint64_t exec) {
    alignas(64) std::uint64_t addresses[64];
    // The apertures lie outside the arena, so addresses inside it are plain memory.
    if (!make_addresses(offset, low, low + 64, Move::kElementBytes, *wave.environment,
                        addresses)) {
      return false;
    }
    Move::move(Scattered{addresses}, rows, exec);
    return true;
  }
  template <class Move>
  static HWY_NOINLINE bool lds(Wave& wave, Affine place, ActiveLanes lanes, std::uint32_t* rows,
                               std::uint64_t exec) {
    const machine::Workgroup& group = *wave.workgroup;
    const std::uint64_t aperture = wave.environment->shared_aperture >> 32 << 32;
    const Range range(place, lanes, Move::kElementBytes);
    if (range.begin - aperture + range.bytes > group.lds_bytes) return false;
    place.base += reinterpret_cast<std::uint64_t>(group.lds) - aperture;
    Move::move(place, rows, exec);
    return true;
  }
};

struct ScratchSegment {
  static constexpr Segment kSegment = Segment::kScratch;

  template <class Move>
  static HWY_INLINE bool run(Wave& wave, const Op* op, std::uint32_t* rows, std::uint64_t exec) {
    const MemoryOperands& memory = op->memory;
    auto offset = static_cast<std::uint32_t>(memory.offset);
    if (memory.scalar_base != kNoScalarBase) offset += wave.sgpr[memory.scalar_base];
    if (!memory.use_address) return scratch_uniform<Move>(wave, offset, rows, exec);
    const std::uint32_t* const address = wave.vector(memory.address);
    const std::uint32_t first = address[ActiveLanes(exec).first];
    if (HWY_LIKELY(is_arithmetic(address, first, 0, exec))) {
      return scratch_uniform<Move>(wave, offset + first, rows, exec);
    }
    return indexed<Move>(wave, address, offset, rows, exec);
  }

 private:
  /// Each lane at its own offset: arrays of a lane under a variable index.
  template <class Move>
  static HWY_NOINLINE bool indexed(Wave& wave, const std::uint32_t* address, std::uint32_t offset,
                      std::uint32_t* rows, std::uint64_t exec) {
    const std::uint64_t base = wave.scalar64(102);
    if (!in_arena(*wave.environment, base, wave.scratch_bytes)) return false;
    alignas(64) std::uint64_t addresses[64];
    bool simple = true;
    for_each_lane(exec, [&](unsigned lane) {
      const std::uint32_t a = address[lane] + offset;
      simple = simple && keeps_dwords(a, Move::kElementBytes) &&
               std::uint64_t{a} + Move::kElementBytes <= wave.scratch_bytes / 64;
      addresses[lane] = base + scratch_swizzle(a, lane);
    });
    if (!simple) return false;
    if constexpr (Move::kElementBytes < 4) {
      Move::move(Scattered{addresses}, rows, exec);
    } else {
      for (unsigned row = 0; row < Move::kRows; ++row) {
        Move::Dword::move(Scattered{addresses}, rows + 64 * row, exec);
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
    const std::uint32_t scalar = code < 128 ? wave.sgpr[code] : scalar_offset(wave, code);
    if (resource.stride_bytes != 0 && (resource.swizzle || resource.add_tid)) return false;
    // Raw: out of range is what lies beyond NUM_RECORDS - SOFFSET.
    const std::uint64_t limit = resource.num_records > scalar ? resource.num_records - scalar : 0;
    const std::uint64_t base = resource.base + scalar;
    if (resource.swizzle) {
      return resource.add_tid && resource.index_stride == 64 &&
             scratch<Move>(wave, memory, base, limit, rows, exec);
    }
    return linear<Move>(wave, memory, base, limit, rows, exec);
  }

 private:
  /// Scratch behind a swizzled resource: lane 64-interleaved dwords, the lane from ADD_TID.
  template <class Move>
  static HWY_INLINE bool scratch(Wave& wave, const MemoryOperands& memory, std::uint64_t base,
                                 std::uint64_t limit, std::uint32_t* rows, std::uint64_t exec) {
    std::uint64_t offset = static_cast<std::uint32_t>(memory.offset);
    if (memory.offen) {
      const std::uint32_t* const address = wave.vector(memory.address);
      const std::uint32_t first = address[ActiveLanes(exec).first];
      if (!is_arithmetic(address, first, 0, exec)) return false;
      offset += first;
    }
    if (offset >= limit || !keeps_dwords(static_cast<std::uint32_t>(offset), Move::kElementBytes)) {
      return false;
    }
    const std::uint64_t begin = offset / 4 * 256, bytes = 256 * Move::kRows;
    if (begin + bytes > limit || !in_arena(*wave.environment, base + begin, bytes)) return false;
    move_swizzled<Move>(base, static_cast<std::uint32_t>(offset), rows, exec);
    return true;
  }

  template <class Move>
  static HWY_INLINE bool linear(Wave& wave, const MemoryOperands& memory, std::uint64_t base,
                                std::uint64_t limit, std::uint32_t* rows, std::uint64_t exec) {
    const std::uint64_t offset = static_cast<std::uint32_t>(memory.offset);
    const ActiveLanes lanes(exec);
    Affine place{base + offset, 0};
    if (memory.offen) {
      const std::uint32_t* const address = wave.vector(memory.address);
      const RowPattern pattern = row_pattern(address, exec, lanes, Move::kElementBytes);
      if (!pattern.affine) return scattered<Move>(wave, address, base, offset, limit, rows, exec);
      place.stride = pattern.stride;
      place.base += address[lanes.first] - static_cast<std::uint64_t>(pattern.stride) * lanes.first;
    }
    const Range range(place, lanes, Move::kElementBytes);
    if (range.begin - base + range.bytes > limit) return false;
    check_affine<Move>(wave, place, exec, lanes);
    Move::move(place, rows, exec);
    return true;
  }

  /// Lanes wholly beyond the range drop out; a lane across its end goes the one-lane way.
  template <class Move>
  static HWY_NOINLINE bool scattered(Wave& wave, const std::uint32_t* address, std::uint64_t base,
                                   std::uint64_t offset, std::uint64_t limit, std::uint32_t* rows,
                                   std::uint64_t exec) {
    if (limit < Move::kElementBytes) return false;
    const std::uint64_t last = limit - Move::kElementBytes;
    bool inside = true;
    for_each_lane(exec, [&](unsigned lane) { inside = inside && address[lane] + offset <= last; });
    if (!inside) return false;
    alignas(64) std::uint64_t addresses[64];
    if (!make_addresses(base + offset, address, nullptr, Move::kElementBytes, *wave.environment,
                        addresses)) {
      check_lanes(wave, addresses, exec, Move::kElementBytes, Move::kWrite);
    }
    Move::move(Scattered{addresses}, rows, exec);
    return true;
  }
};

}  // namespace wavetank::execute::WAVETANK_HOST
