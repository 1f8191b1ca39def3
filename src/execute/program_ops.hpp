// A translated program as those see it who look at its code before it runs, and where the code
// leads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "execute/op.hpp"
#include "isa/flow.hpp"
#include "machine/step.hpp"

namespace wavetank::execute {

/// A translated program.
struct ProgramOps {
  std::span<Op> ops;
  std::span<const std::size_t> slots;    ///< where there is an op, ascending
  std::span<const std::size_t> entries;  ///< functions, which no branch tells of
  bool barrier_elsewhere = false;        ///< the ops are a function of a kernel with barriers

  /// The index of a slot in `slots`, if there is an op.
  std::optional<std::size_t> index_of(std::size_t slot) const;
};

/// Gives what is known of the instruction in a slot.
using FactsOf = std::function<machine::StepFacts(std::size_t slot)>;

/// The slot to which the op in `slot` branches, which has one dword.
inline std::size_t branch_target(const Op& op, std::size_t slot) {
  return static_cast<std::size_t>(static_cast<std::int64_t>(slot + 1) + op.branch);
}

/// Calls visit(slot) for where the wave goes on behind the op in `slot`. Calls are taken to come
/// back; jumps through registers to leave.
template <class Visit>
void for_successors(const ProgramOps& program, std::size_t slot, Visit visit) {
  const Op& op = program.ops[slot];
  const isa::Row& row = row_of(op);
  if (row.pause == isa::Pause::kEnd) return;
  if (!row.ends_flow(op.immediate)) visit(slot + op.dwords);
  if (isa::branches(row)) visit(branch_target(op, slot));
}

/// A walk over the slots of a program that some lead to.
class SlotWalk {
 public:
  explicit SlotWalk(const ProgramOps& program) : program_(program), seen_(program.slots.size()) {}
  /// Adds a slot to what is to be visited, if it was not before.
  void reach(std::size_t slot);
  void reach_successors(std::size_t slot) {
    for_successors(program_, slot, [this](std::size_t next) { reach(next); });
  }
  /// A slot that was reached and not yet given, if there is one.
  std::optional<std::size_t> next();
  /// True if a slot was reached that holds no op.
  bool leaves_program() const { return leaves_program_; }

 private:
  const ProgramOps& program_;
  std::vector<bool> seen_;  ///< by index
  std::vector<std::size_t> pending_;
  bool leaves_program_ = false;
};

/// True if code leads from behind the op in slot `from` to that in slot `to` of the same function.
/// Visits the function: for reports.
bool leads(const ProgramOps& program, std::size_t from, std::size_t to);

}  // namespace wavetank::execute
