// The last instructions of one wave, as far as wait states reach.
#pragma once

#include <array>
#include <cstdint>

#include "machine/wait_states.hpp"

namespace wavetank::check {

/// An instruction that follows another one too closely.
struct TooClose {
  const machine::StepFacts* first = nullptr;  ///< nullptr: none does
  std::int32_t wanted = 0, found = 0;         ///< wait states between the two
};

/// Wait states that an instruction is itself: s_nop as many as it says, all others one (LLVM
/// SIInstrInfo::getNumWaitStates).
inline std::uint32_t own_wait_states(const machine::StepFacts& facts) {
  constexpr std::uint32_t kNopField = 15;
  return facts.is_nop ? 1 + (static_cast<std::uint32_t>(facts.immediate) & kNopField) : 1;
}

/// The wait states that must lie between two instructions, by all rules.
inline std::int32_t wait_states(const machine::StepFacts& first, const machine::StepFacts& second,
                                const machine::WaitStates& states) {
  return std::max(machine::vector_wait_states(first, second, states),
                  machine::matrix_wait_states(first, second, states));
}

/// True if an instruction may make later ones wait.
inline bool makes_wait(const machine::StepFacts& facts) {
  return facts.waited_for != 0 || facts.row->unit == isa::Unit::kMatrix;
}

/// True if an instruction tells that a vector memory instruction before it is done.
inline bool ends_wait_of(const machine::StepFacts& facts, const machine::StepFacts& first) {
  return facts.is_waitcnt && facts.vmcnt_limit == 0 && first.port == machine::Port::kVectorMemory;
}

class RecentSteps {
 public:
  /// The recent instruction that this one follows too closely, by the largest lack.
  TooClose find(const machine::StepFacts& facts, const machine::WaitStates& states) const {
    TooClose worst;
    const std::uint64_t now = start_of(facts);
    for (const Recent& recent : recent_) {
      if (recent.facts == nullptr) continue;
      const auto found = static_cast<std::int32_t>(
          std::min<std::uint64_t>(now - recent.end, machine::kFarthestWaitStates));
      const std::int32_t wanted = wait_states(*recent.facts, facts, states);
      if (wanted - found > worst.wanted - worst.found) worst = {recent.facts, wanted, found};
    }
    return worst;
  }
  /// The wave issues an instruction.
  void issue(const machine::StepFacts& facts) {
    now_ = start_of(facts) + own_wait_states(facts);
    matrix_free_ = std::max(matrix_free_, now_ + facts.row->matrix.passes);
    if (facts.is_waitcnt) {
      for (Recent& recent : recent_) {
        if (recent.facts != nullptr && ends_wait_of(facts, *recent.facts)) recent = {};
      }
    }
    if (makes_wait(facts)) recent_[next_++ % recent_.size()] = {&facts, now_};
  }

 private:
  struct Recent {
    const machine::StepFacts* facts = nullptr;
    std::uint64_t end = 0;  ///< wait states up to its own
  };
  /// A matrix instruction waits until the one before it has left the matrix core.
  std::uint64_t start_of(const machine::StepFacts& facts) const {
    return facts.row->unit == isa::Unit::kMatrix ? std::max(now_, matrix_free_) : now_;
  }

  std::array<Recent, machine::kFarthestWaitStates> recent_ = {};
  unsigned next_ = 0;
  std::uint64_t now_ = 0, matrix_free_ = 0;
};

}  // namespace wavetank::check
