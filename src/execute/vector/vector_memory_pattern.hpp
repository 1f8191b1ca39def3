// Finds the pattern of 64 lane addresses: in almost all instructions lanes lie side by side.
#pragma once

#include "execute/vector/vector_memory_move.hpp"

namespace wavetank::execute::WAVETANK_HOST {

/// True if all 64 lanes hold start, start + kBytes, start + 2 kBytes ..., without wrap.
template <unsigned kBytes>
HWY_INLINE bool rises_by(const std::uint32_t* row) {
  const Words d;
  const std::uint32_t start = row[0];
  auto difference = hn::Zero(d);
  for (unsigned lane = 0; lane < 64; lane += kStrip) {
    const auto steps = hn::Mul(hn::Iota(d, lane), hn::Set(d, kBytes));
    const auto expected = hn::Add(hn::Set(d, start), steps);
    difference = hn::Or(difference, hn::Xor(hn::Load(d, row + lane), expected));
  }
  return hn::AllTrue(d, hn::Eq(difference, hn::Zero(d))) && start <= 0xffffffffu - 64 * kBytes;
}

/// Lane 0's value, extrapolated, if active lanes hold start + lane * kBytes without wrap. It may be
/// negative where lane 0 is inactive.
struct Rise {
  bool found = false;
  std::int64_t start = 0;
};
template <unsigned kBytes>
HWY_INLINE Rise rise_of(const std::uint32_t* row, std::uint64_t exec) {
  const Words d;
  const unsigned first = static_cast<unsigned>(__builtin_ctzll(exec));
  const unsigned last = 63 - static_cast<unsigned>(__builtin_clzll(exec));
  const std::int64_t start = std::int64_t{row[first]} - first * kBytes;
  if (start + last * kBytes != row[last]) return {};
  auto difference = hn::Zero(d);
  for (unsigned lane = 0; lane < 64; lane += kStrip) {
    const auto steps = hn::Mul(hn::Iota(d, lane), hn::Set(d, kBytes));
    const auto expected = hn::Add(hn::Set(d, static_cast<std::uint32_t>(start)), steps);
    const auto wrong = hn::Xor(hn::Load(d, row + lane), expected);
    const auto active = strip_mask(strip_bits(exec, lane));
    difference = hn::Or(difference, hn::IfThenElseZero(active, wrong));
  }
  return {hn::AllTrue(d, hn::Eq(difference, hn::Zero(d))), start};
}

/// True if the active lanes at lane0 + lane * bytes lie in the arena.
HWY_INLINE bool lanes_in_arena(const machine::Environment& environment, std::uint64_t lane0,
                               unsigned bytes, std::uint64_t exec) {
  const unsigned first = static_cast<unsigned>(__builtin_ctzll(exec));
  const unsigned count = 64 - static_cast<unsigned>(__builtin_clzll(exec)) - first;
  return in_arena(environment, lane0 + first * bytes, std::uint64_t{count} * bytes);
}

/// True if all active lanes hold `value`.
HWY_INLINE bool all_hold(const std::uint32_t* row, std::uint32_t value, std::uint64_t exec) {
  const Words d;
  const auto expected = hn::Set(d, value);
  auto difference = hn::Zero(d);
  for (unsigned lane = 0; lane < 64; lane += kStrip) {
    auto wrong = hn::Xor(hn::Load(d, row + lane), expected);
    if (exec != kAllLanes) wrong = hn::IfThenElseZero(strip_mask(strip_bits(exec, lane)), wrong);
    difference = hn::Or(difference, wrong);
  }
  return hn::AllTrue(d, hn::Eq(difference, hn::Zero(d)));
}

/// The first active lane.
HWY_INLINE unsigned first_active(std::uint64_t exec) {
  return static_cast<unsigned>(__builtin_ctzll(exec));
}

/// 64 addresses: base + zero-extended low, or (high not null) base + the 64-bit pair. True if each
/// active lane's `bytes` lie in the arena.
inline HWY_NOINLINE bool make_addresses(std::uint64_t base, const std::uint32_t* low,
                                        const std::uint32_t* high, unsigned bytes,
                                        std::uint64_t exec,
                                        const machine::Environment& environment,
                                        std::uint64_t* addresses) {
  const hn::ScalableTag<std::uint64_t> d64;
  const hn::Rebind<std::uint32_t, decltype(d64)> d32;
  constexpr unsigned kLanes64 = kStrip / 2;
  const std::uint64_t size = environment.arena_size_bytes;
  const auto begin = hn::Set(d64, environment.arena_begin);
  const auto limit = hn::Set(d64, size >= bytes ? size - bytes : 0);
  auto outside = hn::Zero(d64);
  for (unsigned lane = 0; lane < 64; lane += kLanes64) {
    auto address = hn::PromoteTo(d64, hn::LoadU(d32, low + lane));
    if (high != nullptr) {
      const auto upper = hn::PromoteTo(d64, hn::LoadU(d32, high + lane));
      address = hn::Or(address, hn::ShiftLeft<32>(upper));
    }
    address = hn::Add(address, hn::Set(d64, base));
    hn::Store(address, d64, addresses + lane);
    const std::uint64_t bits = (exec >> lane) & ((1u << kLanes64) - 1);
    const auto active = hn::LoadMaskBits(d64, reinterpret_cast<const std::uint8_t*>(&bits));
    const auto wrong = hn::VecFromMask(d64, hn::Gt(hn::Sub(address, begin), limit));
    outside = hn::Or(outside, hn::IfThenElseZero(active, wrong));
  }
  return hn::AllTrue(d64, hn::Eq(outside, hn::Zero(d64))) && size >= bytes;
}

/// 64 offsets: row + offset modulo 2^32; true if each active lane's `bytes` end within `limit`.
inline HWY_NOINLINE bool make_offsets(const std::uint32_t* row, std::uint32_t offset,
                                      unsigned bytes, std::uint64_t exec, std::uint32_t limit,
                                      std::uint32_t* offsets) {
  const Words d;
  auto largest = hn::Zero(d);
  for (unsigned lane = 0; lane < 64; lane += kStrip) {
    const auto at = hn::Add(hn::Load(d, row + lane), hn::Set(d, offset));
    hn::Store(at, d, offsets + lane);
    largest = hn::Max(largest, hn::IfThenElseZero(strip_mask(strip_bits(exec, lane)), at));
  }
  if (limit < bytes) return false;
  return hn::AllFalse(d, hn::Gt(largest, hn::Set(d, limit - bytes)));
}

/// Moves active lanes at `addresses`, which are allowed. Low words tell the pattern unless null.
template <class Move>
HWY_INLINE void move_addresses(const std::uint64_t* addresses, const std::uint32_t* low,
                               std::uint32_t* rows, std::uint64_t exec) {
  const unsigned first = first_active(exec);
  if (low != nullptr && all_hold(low, low[first], exec)) {
    return Move::broadcast(reinterpret_cast<std::byte*>(addresses[first]), rows, exec);
  }
  Move::strips(Scattered{addresses}, low, rows, exec);
}

/// Moves active lanes at offsets into LDS, all of them inside.
template <class Move>
HWY_INLINE void move_lds_offsets(std::byte* lds, const std::uint32_t* offsets,
                                 std::uint32_t* rows, std::uint64_t exec) {
  const std::uint32_t first = offsets[first_active(exec)];
  if (all_hold(offsets, first, exec)) return Move::broadcast(lds + first, rows, exec);
  Move::strips(LdsPlaces{lds, offsets}, offsets, rows, exec);
}

}  // namespace wavetank::execute::WAVETANK_HOST
