// What the cycle model is told of the instructions of a launch, found by their addresses.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "encoding/decoder.hpp"
#include "execute/program.hpp"
#include "machine/step.hpp"

namespace wavetank::dispatch {

/// The facts of a launch's instructions, made when an instruction is first seen. Safe from several
/// threads.
class StepTable {
 public:
  explicit StepTable(const execute::ProgramSpec& own);
  ~StepTable();
  StepTable(const StepTable&) = delete;
  StepTable& operator=(const StepTable&) = delete;

  /// The instruction at an address of a program. Errors: an address that holds no instruction.
  Result<const machine::StepFacts*> at(const execute::Program& program, std::uint64_t address);
  /// Where the facts of an address of a program are, or nullptr as long as the instruction was not
  /// seen; those of the dwords behind it lie behind it. nullptr if the program was not seen.
  using Place = std::atomic<const machine::StepFacts*>;
  const Place* place(const execute::Program& program, std::uint64_t address) const;
  /// How many instructions from one on only concern their wave, one behind the other; 0 where none
  /// has been seen yet. They neither read nor change what others can change or see: no memory, no
  /// LDS, no clock, no message; nor do they choose where the wave goes on.
  unsigned straight_from(const execute::Program& program, const execute::Op* op) const;
  /// All instructions seen, by StepFacts::index.
  const std::vector<std::unique_ptr<machine::StepFacts>>& seen() const { return seen_; }
  std::uint64_t address_of(const machine::StepFacts& facts) const {
    return first_code_ + facts.offset_bytes;
  }

 private:
  struct Section;
  Section* find(const execute::Program& program, std::uint64_t address) const;
  Result<Section*> section_of(const execute::Program& program, std::uint64_t address);
  Result<const machine::StepFacts*> add(const execute::Program& program, std::uint64_t address);

  const std::uint64_t first_code_;  ///< address of the kernel's code
  encoding::Decoder decoder_;
  std::mutex adding_;
  std::atomic<Section*> newest_{nullptr};  ///< of a list that only grows
  std::vector<std::unique_ptr<Section>> sections_;
  std::vector<std::unique_ptr<machine::StepFacts>> seen_;
};

}  // namespace wavetank::dispatch
