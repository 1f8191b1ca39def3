// What becomes of strips that a run's code leaves: its handlers finish the run for their lanes. If
// that happens often, careful code takes their place: the same run, drawn with the NaNs that the
// GPU gives (Graph::set_spells_nans). It serves all EXEC masks and most operands, takes two to five
// times as long as the run's code, and leaves what is left to handlers, as it does ops whose
// function has no careful form.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>

#include "execute/jit/block.hpp"
#include "execute/jit/code_memory.hpp"
#include "machine/wave.hpp"

namespace wavetank::execute::jit {

class CarefulCode {
 public:
  /// Compiles the run of a block, whose ops lie from `first` on; nullptr if that cannot be.
  static std::unique_ptr<CarefulCode> compile(const Op* first, const Block& block);

  /// Runs it for the lanes of EXEC, unless it has served few waves so far: false then.
  bool run(machine::Wave& wave, const Op* first);
  /// How often handlers have finished what this code has left.
  std::uint64_t misses();

 private:
  explicit CarefulCode(std::size_t bytes) : memory_(bytes) {}

  CodeMemory memory_;
  std::deque<Block> pieces_;  ///< of the run, which may be too much for one
  std::uint32_t calls_ = 0;
};

/// Finishes a block's run for the lanes from `first_lane` on: its code has stored those before, and
/// made `mask0` to `mask2` of them, which are not in the wave yet.
void finish(machine::Wave& wave, const Op* first, unsigned first_lane, Block* block,
            std::uint64_t mask0, std::uint64_t mask1, std::uint64_t mask2);

}  // namespace wavetank::execute::jit
