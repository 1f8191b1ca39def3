// Loads that only guess for a compare-and-swap, as the waves of a launch use what they give: what
// execute/swap_seeds.hpp finds in optimised code, for code whose values go through memory and
// calls.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "check/guess.hpp"
#include "machine/flow.hpp"

namespace wavetank::check {

/// True for code through which a guess may come by way of private memory, or into a function.
bool may_move_guesses(const machine::Flow& flow);

/// Values of a wave that are followed.
using Guesses = std::vector<Guess>;

/// What the loads of a launch were for. Its waves run one after the other.
class GuessSites {
 public:
  /// A wave is about to execute an instruction. `loads`: it is a plain load of memory that others
  /// see; `is_private`: it touches private memory only.
  void on_instruction(Guesses& guesses, const machine::Wave& wave, const machine::StepFacts& facts,
                      const machine::Step& step, bool loads, bool is_private);
  /// True if what the load gave was never used but for compare-and-swaps, and for one at least.
  bool only_seeds(std::uint32_t site) const {
    const auto known = sites_.find(site);
    return known != sites_.end() && known->second.seeds && !known->second.decides;
  }

 private:
  static constexpr std::size_t kMostFollowed = 16;  ///< by a wave at once; more decide
  struct Site {
    bool seeds = false, decides = false;
  };
  std::unordered_map<std::uint32_t, Site> sites_;  ///< by StepFacts::index
};

}  // namespace wavetank::check
