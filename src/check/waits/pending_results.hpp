// Registers of one wave that a memory instruction has still to write.
#pragma once

#include <cstdint>
#include <vector>

#include "check/waits/memory_order.hpp"

namespace wavetank::check {

class PendingResults {
 public:
  /// The memory instruction whose result this one reads or overwrites before a wait has told that
  /// it is there, or nullptr. It is told once.
  const machine::StepFacts* find(const machine::StepFacts& facts);
  /// The wave issues an instruction. `in_lds`: a FLAT instruction's lanes address LDS.
  void issue(const machine::StepFacts& facts, bool in_lds);

 private:
  struct Pending {
    const machine::StepFacts* facts;
    Counter counter;
    std::uint64_t number;  ///< of its counter's instructions
  };
  /// The instructions that a counter counted, and those known to be done, in order.
  struct Issued {
    std::uint64_t count = 0, done = 0, last_out_of_order = 0;
  };
  void wait(Issued& issued, Counter counter, unsigned limit);

  std::vector<Pending> pending_;
  Issued vector_memory_, scalar_and_lds_;
};

/// True if the second instruction reads or writes a register that the first one's result goes to.
/// Instructions that finish in order may overwrite each other's.
bool needs_result(const machine::StepFacts& first, const machine::StepFacts& second);

}  // namespace wavetank::check
