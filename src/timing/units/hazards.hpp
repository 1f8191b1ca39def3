// When an instruction may follow an earlier one of its wave whose result it needs. Memory results
// are the program's business (s_waitcnt); this is about the wait states of machine/wait_states.hpp,
// which the compiler fills with other instructions or s_nop.
#pragma once

#include <array>
#include <cstdint>

#include "machine/step.hpp"
#include "timing/spec.hpp"

namespace wavetank::timing {

/// The recent writers of one wave.
class Hazards {
 public:
  void start_wave() { *this = Hazards(); }

  /// Remembers what was issued at `time`.
  void issued(const machine::StepFacts& facts, std::uint64_t time);
  /// The first cycle in which `facts` may issue, as far as vector results go.
  std::uint64_t vector_ready(const machine::StepFacts& facts, const TimingSpec& spec) const;
  /// The same for matrix results and registers that matrix instructions still read.
  std::uint64_t matrix_ready(const machine::StepFacts& facts, const TimingSpec& spec) const;

 private:
  struct Writer {
    const machine::StepFacts* facts = nullptr;
    std::uint64_t time = 0;
  };
  static constexpr unsigned kVectorWriters = 6;  ///< no rule reaches farther than 5 wait states
  static constexpr unsigned kMatrixWriters = 8;
  std::array<Writer, kVectorWriters> vector_ = {};
  std::array<Writer, kMatrixWriters> matrix_ = {};
  bool any_matrix_ = false;
  unsigned next_vector_ = 0, next_matrix_ = 0;
};

}  // namespace wavetank::timing
