// Registers of the host that the code of loads and stores uses beside a strip's (lane_moves.hpp).
#pragma once

#include <algorithm>
#include <cstdint>

#include "execute/jit/access.hpp"
#include "execute/jit/strip_code.hpp"

namespace wavetank::execute::jit {

inline constexpr unsigned kLanes = 16, kLineBytes = 64;
/// Predicates of comparisons.
inline constexpr std::uint8_t kDiffer = 4, kAbove = 6;

inline const Zmm kScratch(static_cast<int>(StripCode::kScratch));
inline const Opmask kFound(0), kChosen(1), kExec(static_cast<int>(StripCode::kExec));
inline Xbyak::Xmm xmm(Zmm value) { return Xbyak::Xmm(value.getIdx()); }
inline Xbyak::Ymm ymm(Zmm value) { return Xbyak::Ymm(value.getIdx()); }

/// Bytes that code touches of an element, beyond it too where it loads.
inline unsigned reach_of(const Move& move) {
  return move.stores ? move.bytes : move.words() == 3 ? 16 : std::max(move.bytes, 4u);
}

}  // namespace wavetank::execute::jit
