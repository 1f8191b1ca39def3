// A value that a plain load gave, followed to where its wave uses it: whether it only guesses for a
// compare-and-swap, which fails where the guess is old.
#pragma once

#include <array>
#include <cstdint>

#include "check/held_value.hpp"
#include "machine/wave.hpp"

namespace wavetank::check {

class Guess {
 public:
  /// What a plain load is about to give.
  Guess(const machine::StepFacts& load, const machine::Step& step);

  enum class Use : std::uint8_t {
    kNone,     ///< it is moved, or computed with, or forgotten
    kSeeds,    ///< a compare-and-swap of the word that was loaded compares with it
    kDecides,  ///< it goes anywhere else: to memory, or decides what others see
  };
  /// What the load's wave is about to do with it; each of its instructions is to be told.
  /// `is_private`: it touches private memory only.
  Use follow(const machine::Wave& wave, const machine::StepFacts& facts, const machine::Step& step,
             bool is_private);
  /// True if nothing holds it any more.
  bool is_over() const { return guess_.is_gone() && !is_tried(); }
  /// The number of the instruction that loaded it.
  std::uint32_t site() const { return site_; }

 private:
  bool is_tried() const { return branched_ && open_ != 0; }
  Use swap(const machine::Wave& wave, const machine::StepFacts& facts, const machine::Step& step);
  void take_answer(const machine::Wave& wave);
  Use access(const machine::StepFacts& facts, const machine::Step& step, std::uint64_t exec,
             bool is_private);
  Use compute(const machine::StepFacts& facts, std::uint64_t exec);

  std::uint32_t site_;
  std::array<std::uint64_t, 64> from_;  ///< addresses, of the lanes that loaded
  HeldValue guess_;
  std::uint64_t open_;  ///< lanes that loaded and have not asked a compare-and-swap since
  /// A branch or a lane mask depends on it: what is done until the lanes have asked is on trial, as
  /// the choice of a new value is.
  bool branched_ = false;
  HeldValue swapped_;  ///< what a compare-and-swap gave instead
  /// A compare-and-swap that has been executed by the next instruction.
  struct Asked {
    std::uint64_t lanes = 0;  ///< that compared with the guess
    machine::RegisterRange result;
    std::array<std::array<std::uint32_t, 64>, 2> compared;
  };
  Asked asked_;
};

/// True for a vector instruction that compares and swaps.
bool is_compare_and_swap(const isa::Row& row);

}  // namespace wavetank::check
