// A kernel's code, translated: one Op slot for each dword of the code object's text, filled for all
// that is reachable; functions that nobody names, and those of other code objects, when they are
// first called (docs/decisions/0019). Slots are virtual memory that costs nothing until used.
#pragma once

#include <atomic>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "base/error.hpp"
#include "encoding/decoder.hpp"
#include "execute/heard.hpp"
#include "execute/instruction_numbers.hpp"
#include "execute/op.hpp"
#include "execute/program_spec.hpp"
#include "execute/word_use.hpp"
#include "isa/catalogue.hpp"

namespace wavetank::execute {

namespace jit {
class Blocks;
}

class Program;

/// A kernel's translations: its own code and that of the functions of other code objects which it
/// called, each for some MODEs, compiled and not. All are made for the kernel's registers. A wave
/// goes from one to another as MODE and its jumps ask. Safe from any thread.
class ProgramFamily {
 public:
  /// Takes in the kernel's own program, which owns the family.
  explicit ProgramFamily(Program& own);
  ~ProgramFamily();
  ProgramFamily(const ProgramFamily&) = delete;
  ProgramFamily& operator=(const ProgramFamily&) = delete;

  /// The program of that code in that form, translated the first time. Errors: what translation
  /// finds.
  Result<Program*> member(const ProgramSpec& spec);
  const Program& own() const { return own_; }
  /// True if a member has loops that wait for what other waves or workgroups do.
  std::atomic<bool> polls = false;
  /// Of the instructions of all listened members.
  InstructionNumbers numbers;

 private:
  struct Form {
    const std::byte* code;
    FloatModes floats;
    bool skips_vectors, all_heard;
    Compiled compiled;
    Listening listening;
    auto operator<=>(const Form&) const = default;
  };
  static Form form_of(const ProgramSpec& spec);

  const Program& own_;
  std::mutex mutex_;
  std::map<Form, Program*> members_;
  std::vector<std::unique_ptr<Program>> made_;
};

/// Translated code. Safe to run from several threads.
class Program final : public ListenedCode {
 public:
  /// Translates everything reachable from the entry, and the functions if it jumps to an address in
  /// registers. Errors: kUnknownInstruction, kUnsupportedInstruction, kBadElf (registers beyond the
  /// allocation, jumps out of the code).
  static Result<std::shared_ptr<Program>> translate(const ProgramSpec& spec);
  /// The same for a member of a family (nullptr: it becomes the first of its own).
  static Result<std::unique_ptr<Program>> make(const ProgramSpec& spec, ProgramFamily* family);
  ~Program() override;
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  const Op* entry() const { return at_offset(spec_.entry - base()); }
  /// The op at an address that a wave jumps to, translated (and compiled, as the rest) the first
  /// time, and the program that it belongs to; nullptr if it is no code (error_text says why).
  const Op* at(std::uint64_t address, Program*& program);
  /// True if the first instruction ends the wave: nothing that runs here can be seen.
  bool does_nothing() const;
  std::uint64_t address_of(const Op* op) const {
    return base() + 4 * static_cast<std::uint64_t>(op - ops_);
  }
  std::uint64_t base() const { return reinterpret_cast<std::uint64_t>(spec_.code); }
  const ProgramSpec& spec() const { return spec_; }
  bool holds(std::uint64_t address) const { return address - base() < spec_.code_bytes; }
  /// The same code with the handlers that are right in a MODE, at the same slot as `op`.
  Result<const Op*> in_mode(const Op* op, machine::Mode mode, Program*& program);
  /// The same code compiled, at the same slot as `op`: for whoever runs many ops at a time. Gives
  /// `op` itself where there is nothing to compile.
  const Op* with_blocks(const Op* op, Compiled compiled, Program*& program);
  /// The same code with calls to the launch's listener, of every instruction or of those that
  /// is_heard() names, with these edges (the first time that it is asked for), and with compiled
  /// chains between them. Errors: kOutOfMemory.
  Result<const Op*> listened(const Op* op, bool all_heard, const std::vector<PlacedEdge>& edges,
                             Program*& program);
  Result<const Op*> watched(const Op* op, bool watched, machine::Code*& code) override;
  /// What is known of the instructions of this program and its family.
  ProgramFamily& family() const { return *family_; }
  /// Bytes of the narrowest access of a lane that may be to LDS: 1, 2 or 4.
  unsigned narrowest_lds_access_bytes() const { return has_indirect_flow_ ? 1 : narrowest_lds_; }
  /// Dwords of the code at which a translated instruction begins, in order.
  std::vector<std::size_t> slots() const;
  /// The instruction that begins at a dword of the code. Errors: it is none.
  Result<encoding::Instruction> decoded(std::size_t slot) const;
  /// What is known of it; without a row if it is none.
  machine::StepFacts facts_of_slot(std::size_t slot) const;
  /// True if waves may learn in the middle of a launch of what other workgroups did.
  bool learns_of_others() const { return learns_of_others_ || has_indirect_flow_; }
  /// True if what a workgroup does may depend on what others did before it.
  bool asks_other_groups() const { return asks_other_groups_ || learns_of_others() || polls(); }
  /// How waves of a workgroup may wait for each other, of the kernel's own code.
  WordUse word_use() const;
  /// The bits of the first bytes of its arguments that the kernel takes in (argument_use.hpp),
  /// whose address is in a pair of SGPRs when it starts.
  std::vector<std::uint8_t> used_argument_bits(unsigned pointer, std::size_t bytes) const;
  /// True if the code leads from one instruction to another, by their numbers in the family.
  bool leads(std::uint32_t from, std::uint32_t to) const;
  /// Why the last at() failed, or a wave could not go on.
  std::string error_text() const;
  /// Keeps that for error_text(). Gives nullptr.
  const Op* refuse(std::string reason);
  /// True if the kernel has loops that wait for what other waves or workgroups do.
  bool polls() const { return family_->polls; }
  /// No other program of the process ever has this number.
  std::uint64_t number() const { return number_; }
  /// Instructions translated so far.
  std::size_t instruction_count() const { return instruction_count_; }

 private:
  explicit Program(const ProgramSpec& spec);
  const Op* known_at(std::uint64_t address);
  const Op* first_at(std::uint64_t address);
  Result<ProgramSpec> spec_elsewhere(std::uint64_t address) const;
  Result<Program*> program_of(std::uint64_t address);
  Result<void> translate_all();
  Result<void> reserve();
  Result<void> translate_from(std::uint64_t address, bool strict);
  Result<std::vector<std::uint64_t>> translate_one(std::uint64_t offset);
  const Op* at_offset(std::uint64_t offset) const { return ops_ + offset / 4; }
  void find_only_store();
  void prepare_function(std::size_t first_slot, std::size_t entry);
  Result<const Op*> same_place(const Op* op, const ProgramSpec& spec, Program*& program);
  /// Those of these slots, for who looks at the code.
  ProgramOps program_ops(std::span<const std::size_t> slots,
                         std::span<const std::size_t> entries = {}) const {
    return {{ops_, spec_.code_bytes / 4}, slots, entries};
  }
  FactsOf facts() const {
    return [this](std::size_t slot) { return facts_of_slot(slot); };
  }
  void mark_turns();
  void mark_turns(const ProgramOps& program);
  void mark_indexing(std::size_t first_slot);
  void compile_blocks(std::size_t first_slot);
  void add_listening(std::size_t first_slot);
  Heard* add_heard(std::size_t slot);
  void add_edges();

  const std::uint64_t number_;
  ProgramSpec spec_;
  const encoding::Decoder& decoder_;
  std::size_t reserved_bytes_ = 0;
  /// For each slot 1 if all that is reachable from it is translated: who finds that needs no lock.
  std::uint8_t* entered_ = nullptr;
  std::size_t instruction_count_ = 0;
  std::vector<std::unique_ptr<Heard>> heard_ops_;
  bool learns_of_others_ = false;
  bool asks_other_groups_ = false;
  unsigned narrowest_lds_ = 4;
  bool has_indirect_flow_ = false;
  std::atomic<bool> has_barrier_ = false;
  std::vector<std::size_t> slots_;    ///< slots that hold an op
  std::vector<std::size_t> leaders_;  ///< slots that are jumped to
  std::vector<std::unique_ptr<jit::Blocks>> blocks_;
  mutable std::mutex mutex_;
  mutable std::optional<WordUse> word_use_;
  std::string error_text_;
  std::unique_ptr<ProgramFamily> own_family_;  ///< of the kernel's first program
  ProgramFamily* family_ = nullptr;
  std::atomic<Program*> neighbour_ = nullptr;   ///< where the last jump out of the code went
  std::atomic<Program*> other_mode_ = nullptr;  ///< where the last change of MODE went
};

/// The code that a wave runs.
inline Program& program_of(const machine::Wave& wave) {
  return static_cast<Program&>(*wave.program);
}

}  // namespace wavetank::execute
