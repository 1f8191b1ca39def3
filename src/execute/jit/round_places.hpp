// Addresses that are known before a loop's rounds: those of lanes that lie side by side, or all at
// one place, and that each round moves by the same for all lanes.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "execute/jit/access.hpp"
#include "execute/jit/line.hpp"
#include "execute/jit/sketch.hpp"

namespace wavetank::execute::jit {

/// A word that is the same for all lanes.
struct SharedWord {
  enum class Where : std::uint8_t { kConstant, kWave, kRegister };
  Where where = Where::kConstant;
  std::uint32_t bits = 0;  ///< the constant, or bytes from the wave's begin, or a vector register
                           ///< that the loop does not change
};

/// A vector register, or a pair, that makes addresses and nothing else: what its lanes hold
/// follows from the first lane's value.
struct FollowedRegister {
  unsigned name = 0;
  bool pair = false;
  unsigned rise = 0;     ///< from lane to lane, where they do not all hold the same
  SharedWord low, high;  ///< what a round adds; `high` to a pair's upper word
  bool holds(unsigned other) const { return other == name || (pair && other == name + 1); }
};

/// A load of the loop whose address follows from such a register.
struct FollowedPlace {
  Id place = kNoValue;
  std::size_t by = 0;  ///< the register's number
  Line line;
};

/// What a loop's round reads from followed registers.
struct FollowedPlaces {
  std::vector<FollowedRegister> registers;
  std::vector<FollowedPlace> places;

  const FollowedPlace* at(Id place) const;
  bool holds(unsigned name) const;
  /// Vector registers that must be the same in all lanes, and that the loop does not change.
  std::vector<unsigned> shared_registers() const;
};

/// Finds them in the drawing of a round. Registers in `others` are needed as they are.
FollowedPlaces find_followed(const Sketch& sketch, const Run& run,
                             std::span<const unsigned> others);

}  // namespace wavetank::execute::jit
