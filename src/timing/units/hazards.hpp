// When an instruction may follow an earlier one of its wave whose result it needs. Memory results
// are the program's business (s_waitcnt); this is about the wait states of machine/wait_states.hpp,
// which the compiler fills with other instructions or s_nop.
#pragma once

#include <array>
#include <cstdint>

#include "machine/step.hpp"
#include "timing/spec.hpp"
#include "timing/units/known_waits.hpp"

namespace wavetank::timing {

/// The recent writers of one wave.
class Hazards {
 public:
  void start_wave() { *this = Hazards(); }

  /// Remembers what was issued at `time`.
  void issued(const machine::StepFacts& facts, std::uint64_t time, const TimingSpec& spec) {
    if (facts.waited_for != 0 || facts.is_matrix()) remember(facts, time, spec);
  }
  /// The first cycle in which `facts`, which will not issue before `now`, may, as far as vector
  /// results go; one that is not after `now` for any.
  std::uint64_t vector_ready(const machine::StepFacts& facts, std::uint64_t now,
                             const TimingSpec& spec, KnownWaits& known) const {
    const bool none = now >= vector_until_ || (facts.waits & waited_for_) == 0;
    return none ? 0 : vector_wait(facts, now, spec, known);
  }
  /// The same for matrix results and registers that matrix instructions still read.
  std::uint64_t matrix_ready(const machine::StepFacts& facts, std::uint64_t now,
                             const TimingSpec& spec, KnownWaits& known) const {
    return now >= matrix_until_ ? 0 : matrix_wait(facts, now, spec, known);
  }

 private:
  void remember(const machine::StepFacts& facts, std::uint64_t time, const TimingSpec& spec);
  std::uint64_t vector_wait(const machine::StepFacts& facts, std::uint64_t now,
                            const TimingSpec& spec, KnownWaits& known) const;
  std::uint64_t matrix_wait(const machine::StepFacts& facts, std::uint64_t now,
                            const TimingSpec& spec, KnownWaits& known) const;

  struct Writer {
    const machine::StepFacts* facts = nullptr;
    std::uint64_t time = 0;
  };
  static constexpr unsigned kVectorWriters = 6;  ///< no rule reaches farther than 5 wait states
  static constexpr unsigned kMatrixWriters = 8;
  /// From then on no vector, or matrix, instruction keeps others from issuing.
  std::uint64_t vector_until_ = 0, matrix_until_ = 0;
  std::uint32_t waited_for_ = 0;  ///< rules of writers that may still matter
  unsigned next_vector_ = 0, next_matrix_ = 0;
  std::array<Writer, kVectorWriters> vector_ = {};
  std::array<Writer, kMatrixWriters> matrix_ = {};
};

}  // namespace wavetank::timing
