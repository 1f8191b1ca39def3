// Gives values their numbers: one walk over the blocks of a kernel, in reverse postorder.
#pragma once

#include <bitset>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "code_object/kernel_descriptor.hpp"
#include "lint/blocks.hpp"
#include "lint/code.hpp"
#include "lint/values.hpp"

namespace wavetank::lint {

/// Contents that are remembered of a kernel at most: registers times blocks.
inline constexpr std::size_t kMostContents = std::size_t{1} << 24;
/// Registers of both files.
inline constexpr unsigned kMostRegisters = 640;

/// Calls visit(reg, word) for each register that an instruction writes, in the order of its
/// result's dwords.
template <class Visit>
void each_written(const machine::StepFacts& facts, const Visit& visit) {
  unsigned word = 0;
  for (const machine::RegisterRange& range : facts.scalar_writes) {
    for (unsigned i = 0; i < range.count; ++i) visit(unsigned{range.first} + i, word++);
  }
  for (const machine::RegisterRange& range : facts.vector_writes) {
    for (unsigned i = 0; i < range.count; ++i) visit(vector_register(range.first + i), word++);
  }
}

class Numbering {
 public:
  /// The values of a kernel; nullptr if registers are indexed at run time, jumps are unknown, or
  /// the kernel is larger than is worth looking at (kMostContents).
  static std::unique_ptr<Values> values_of(const Code& code, const Blocks& blocks,
                                           const code_object::KernelDescriptor& descriptor);

 private:
  Numbering(Values& values, const code_object::KernelDescriptor& descriptor);
  void run();

  using Registers = std::bitset<kMostRegisters>;
  using State = std::vector<Content>;

  // Which registers change where.
  void find_written();
  Registers written_in_rounds(std::uint32_t block) const;

  // The state before a block.
  void start();
  void join(std::uint32_t block);
  void join_register(std::uint32_t block, unsigned reg, bool in_rounds);

  // Instructions.
  void run_step(std::uint32_t step);
  ValueId lanes();
  void note_reads(std::uint32_t step);
  void write_results(std::uint32_t step);
  void write_moved(std::uint32_t step);
  std::uint32_t same_before(std::uint32_t step);
  bool is_pure(std::uint32_t step) const;
  bool is_same(std::uint32_t a, std::uint32_t b) const;
  std::uint64_t digest(std::uint32_t step) const;
  std::optional<ValueId> argument(std::uint32_t step, unsigned word);
  void note_constants(std::uint32_t step);
  void forget_all(std::uint32_t step);

  ValueId number(const Value& value);
  ValueId value_in(unsigned reg);
  void note_read(unsigned reg);
  void write(unsigned reg, Content content) { state_[reg] = content; }

  Values& values_;
  const Code& code_;
  const Blocks& blocks_;
  const code_object::KernelDescriptor& descriptor_;
  const code_object::ArgumentRegisters arguments_at_;
  State state_;
  std::vector<bool> done_;
  std::vector<Registers> written_;                                    ///< by block
  std::unordered_map<std::uint64_t, std::uint32_t> first_of_;         ///< by digest
  std::map<std::pair<std::uint32_t, std::uint32_t>, ValueId> mixed_;  ///< by writer, register
  std::map<std::pair<std::uint32_t, std::uint32_t>, ValueId> pure_results_;  ///< by step, dword
  std::unordered_map<std::uint32_t, ValueId> arguments_;
  std::uint32_t scc_writer_ = kNone;
  std::uint32_t step_ = 0;
};

}  // namespace wavetank::lint
