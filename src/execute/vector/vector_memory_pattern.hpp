// Finds the pattern of 64 lane addresses: almost all instructions have a constant stride.
#pragma once

#include "execute/vector/vector_memory_move.hpp"

namespace wavetank::execute::WAVETANK_HOST {

/// First and last active lane.
struct ActiveLanes {
  unsigned first, last;
  HWY_INLINE explicit ActiveLanes(std::uint64_t exec)
      : first(static_cast<unsigned>(__builtin_ctzll(exec))),
        last(63 - static_cast<unsigned>(__builtin_clzll(exec))) {}
};

/// True if active lanes hold start + lane * stride (modulo 2^32).
HWY_INLINE bool is_arithmetic(const std::uint32_t* row, std::uint32_t start, std::uint32_t stride,
                              std::uint64_t exec) {
  const Words d;
  auto expected = hn::Add(hn::Set(d, start), hn::Mul(hn::Iota(d, 0), hn::Set(d, stride)));
  const auto step = hn::Set(d, stride * kStrip);
  auto difference = hn::Zero(d);
  if (HWY_LIKELY(exec == kAllLanes)) {
    for (unsigned lane = 0; lane < 64; lane += kStrip) {
      difference = hn::Or(difference, hn::Xor(hn::Load(d, row + lane), expected));
      expected = hn::Add(expected, step);
    }
  } else {
    for (unsigned lane = 0; lane < 64; lane += kStrip) {
      const auto wrong = hn::Xor(hn::Load(d, row + lane), expected);
      difference = hn::Or(difference, hn::IfThenElseZero(strip_mask(exec >> lane), wrong));
      expected = hn::Add(expected, step);
    }
  }
  return hn::AllTrue(d, hn::Eq(difference, hn::Zero(d)));
}

/// Constant stride of a register's active lanes, in unsigned 32-bit arithmetic without wrap.
struct RowPattern {
  bool affine = false;
  std::int64_t stride = 0;
};

/// Looks for a constant stride. Under a partial EXEC only `bytes` and 0 count, which are what the
/// movers know how to use.
HWY_INLINE RowPattern row_pattern(const std::uint32_t* row, std::uint64_t exec, ActiveLanes lanes,
                                  unsigned bytes) {
  std::int64_t stride;
  const std::int64_t begin = row[lanes.first], end = row[lanes.last];
  if (HWY_LIKELY(exec == kAllLanes)) {
    stride = static_cast<std::int64_t>(row[1]) - begin;
  } else {
    stride = begin == end ? 0 : std::int64_t{bytes};
  }
  if (begin + stride * (lanes.last - lanes.first) != end) return {};
  const auto step = static_cast<std::uint32_t>(stride);
  const std::uint32_t start = row[lanes.first] - lanes.first * step;
  return {is_arithmetic(row, start, step, exec), stride};
}

/// The range that affine lanes touch.
struct Range {
  std::uint64_t begin, bytes;
  HWY_INLINE Range(const Affine& place, ActiveLanes lanes, unsigned element_bytes) {
    const auto first = reinterpret_cast<std::uint64_t>(place.at(lanes.first));
    const auto last = reinterpret_cast<std::uint64_t>(place.at(lanes.last));
    begin = first < last ? first : last;
    bytes = (first < last ? last - first : first - last) + element_bytes;
  }
};

/// Checks affine lanes; leaves the executor at the first lane that may not touch its address.
template <class Move>
HWY_INLINE void check_affine(Wave& wave, const Affine& place, std::uint64_t exec,
                             ActiveLanes lanes) {
  const Range range(place, lanes, Move::kElementBytes);
  if (HWY_LIKELY(in_arena(*wave.environment, range.begin, range.bytes))) return;
  check_affine_lanes(wave, place.base, place.stride, exec, Move::kElementBytes, Move::kWrite);
}

/// 64 addresses: base + zero-extended low, or (high not null) base + the 64-bit pair. True if all
/// of them, active or not, lie in the arena with `bytes` behind each.
inline HWY_NOINLINE bool make_addresses(std::uint64_t base, const std::uint32_t* low,
                               const std::uint32_t* high, unsigned bytes,
                               const machine::Environment& environment,
                               std::uint64_t* addresses) {
  const hn::ScalableTag<std::uint64_t> d64;
  const hn::Rebind<std::uint32_t, decltype(d64)> d32;
  constexpr unsigned kLanes64 = kStrip / 2;
  const auto begin = hn::Set(d64, environment.arena_begin);
  const std::uint64_t size = environment.arena_size_bytes;
  const auto limit = hn::Set(d64, size >= bytes ? size - bytes : 0);
  auto outside = hn::FirstN(d64, 0);
  for (unsigned lane = 0; lane < 64; lane += kLanes64) {
    auto address = hn::PromoteTo(d64, hn::LoadU(d32, low + lane));
    if (high != nullptr) {
      const auto upper = hn::PromoteTo(d64, hn::LoadU(d32, high + lane));
      address = hn::Or(address, hn::ShiftLeft<32>(upper));
    }
    address = hn::Add(address, hn::Set(d64, base));
    hn::Store(address, d64, addresses + lane);
    outside = hn::Or(outside, hn::Gt(hn::Sub(address, begin), limit));
  }
  return hn::AllFalse(d64, outside) && size >= bytes;
}

}  // namespace wavetank::execute::WAVETANK_HOST
