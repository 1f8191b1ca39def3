// What is kept of a compiled run.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>
#include <vector>

#include "execute/op.hpp"

namespace wavetank::execute::jit {

class CarefulCode;

/// A compiled run of per-lane ops.
struct Block {
  Block() = default;
  ~Block();
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;

  std::uint32_t slots = 0;  ///< op slots from its start to the op after it
  /// Every op's slot and handler, for the interpreter.
  std::vector<std::pair<std::uint32_t, Handler>> ops;
  std::vector<unsigned> masks;           ///< SGPR pairs that the run writes lane masks to
  std::vector<unsigned> dead_registers;  ///< vector registers that nobody reads behind the run
  machine::AccessGuard guard;            ///< its ranges: of a run that loads or stores

  /// How often handlers finish the run before careful code is made for what is left of it: that
  /// takes as long as they do so often.
  static constexpr std::uint32_t kPatience = 128, kForever = ~0u;
  std::uint32_t patience = kPatience;
  std::atomic<CarefulCode*> careful{nullptr};

  /// Positions in code become addresses.
  void locate(const std::uint8_t* code) {
    const auto begin = reinterpret_cast<std::uint64_t>(code);
    for (machine::AccessGuard::Range& range : guard.ranges) {
      range = {range.begin + begin, range.end + begin, range.landing + begin};
    }
  }
};

}  // namespace wavetank::execute::jit
