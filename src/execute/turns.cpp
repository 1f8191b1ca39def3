#include "execute/turns.hpp"

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "execute/handlers.hpp"

namespace wavetank::execute {
namespace {

using isa::Format;
using isa::MemoryAction;
using isa::Pause;

/// Accesses that other waves of the workgroup may notice, as a set.
enum Access : std::uint8_t {
  kReadsLds = 1,
  kWritesLds = 2,
  kReadsMemory = 4,
  kWritesMemory = 8,
  kLds = kReadsLds | kWritesLds,
  kMemory = kReadsMemory | kWritesMemory,
};

bool reads(MemoryAction action) {
  return action == MemoryAction::kLoad || action == MemoryAction::kAtomic ||
         action == MemoryAction::kLoadToLds;
}
bool writes(MemoryAction action) {
  return action == MemoryAction::kStore || action == MemoryAction::kAtomic;
}

/// The kinds of memory that an op may touch. Scalar loads are left out: their cache is not
/// coherent, so compilers use them for what nobody writes. Scratch belongs to the wave.
std::uint8_t places_of(const Op& op, const isa::Row& row) {
  switch (row.encoding.format) {
    case Format::kDs: return isa::exchanges_registers(row.memory.special) ? 0 : kLds;
    case Format::kFlat:
      if (op.memory.segment == Format::kScratch) return 0;
      return op.memory.segment == Format::kGlobal ? kMemory : kLds | kMemory;
    case Format::kGlobal:
    case Format::kMubuf:
    case Format::kMtbuf:
    case Format::kMimg: return kMemory;
    default: return 0;
  }
}

std::uint8_t accesses_of(const Op& op) {
  const isa::Row& row = row_of(op);
  const MemoryAction action = row.memory.action;
  std::uint8_t kinds = 0;
  if (reads(action)) kinds |= kReadsLds | kReadsMemory;
  if (writes(action)) kinds |= kWritesLds | kWritesMemory;
  kinds &= places_of(op, row);
  if (action == MemoryAction::kLoadToLds) kinds |= kWritesLds;
  return kinds;
}

/// Kinds of memory that are read and written among `accesses`.
std::uint8_t mixed(std::uint8_t accesses) {
  std::uint8_t kinds = 0;
  if ((accesses & kLds) == kLds) kinds |= kLds;
  if ((accesses & kMemory) == kMemory) kinds |= kMemory;
  return kinds;
}

/// True for an op that loads from LDS alone.
bool loads_lds(const Op& op) {
  const isa::Row& row = row_of(op);
  return row.encoding.format == Format::kDs && row.memory.action == MemoryAction::kLoad &&
         (places_of(op, row) & kLds) != 0;
}

bool is_wait(const isa::Row& row) {
  return row.sources[0].immediate == isa::ImmediateKind::kWaitcnt;
}

bool is_backward_branch(const Op& op, const isa::Row& row) {
  return isa::branches(row) && op.branch < 0;
}

/// True for ops by which a wave learns what others did in the meantime.
bool asks_others(const Op& op) {
  const isa::Row& row = row_of(op);
  if (row.pause == Pause::kSleep) return true;
  if (isa::reads_clock(row.memory.special)) return true;
  if (row.memory.action == MemoryAction::kAtomic) return op.memory.returns;
  return row.memory.action == MemoryAction::kLoad && op.memory.asks_others;
}

/// A phase: what can be reached from an op without passing a barrier. Ops are named by their index
/// among the program's slots, of which a kernel has few beside the code object's.
class Phase {
 public:
  explicit Phase(const ProgramOps& program) : program_(program), state_(program.slots.size()) {}

  /// Marks the waits and loads of the phase that begins at the slot `start`.
  void mark(std::size_t start) {
    explore(start);
    mixed_ = jumps_away_ ? kLds | kMemory : mixed(accesses_);
    if (mixed_ != 0) {
      std::sort(visited_.begin(), visited_.end(), std::greater<>());
      spread_backwards(kFollowed, [&](std::size_t index) { return is_followed(index); });
      mark_waits();
    }
    if ((accesses_ & kLds) == kLds) {
      spread_backwards(kStoreNext, [&](std::size_t index) { return stores_next(index); });
      mark_loads();
    }
    for (const std::size_t index : visited_) state_[index] = 0;
    visited_.clear();
  }

 private:
  /// What is known of an op.
  enum : std::uint8_t {
    kReachedIdle = 1,      ///< reached with no read since the last wait
    kReachedUnderWay = 2,  ///< reached with one
    kWaitUnderWay = 4,     ///< a wait for one
    kFollowed = 8,         ///< an access of a mixed kind follows
    kStoreNext = 16,       ///< a store to LDS follows before a load from it and before a wait
  };

  Op& op(std::size_t index) const { return program_.ops[program_.slots[index]]; }

  /// Calls visit(index) for the op at `slot`, if there is one; mostly it is that after `index`.
  template <class Visit>
  void at_slot(std::size_t slot, std::size_t index, Visit visit) const {
    const auto& slots = program_.slots;
    if (index + 1 < slots.size() && slots[index + 1] == slot) return visit(index + 1);
    if (const auto found = program_.index_of(slot)) visit(*found);
  }

  template <class Visit>
  void for_next(std::size_t index, Visit visit) const {
    if (row_of(op(index)).pause == Pause::kBarrier) return;
    for_successors(program_, program_.slots[index],
                   [&](std::size_t slot) { at_slot(slot, index, visit); });
  }

  void reach(std::size_t index, std::uint8_t how) {
    if ((state_[index] & how) != 0) return;
    if (state_[index] == 0) visited_.push_back(index);
    state_[index] |= how;
    pending_.emplace_back(index, how);
  }

  /// Visits the phase. An access before the barrier may still be under way at its start.
  void explore(std::size_t start) {
    accesses_ = 0;
    jumps_away_ = false;
    at_slot(start, program_.slots.size(),
            [&](std::size_t index) { reach(index, kReachedUnderWay); });
    while (!pending_.empty()) {
      auto [index, how] = pending_.back();
      pending_.pop_back();
      const isa::Row& row = row_of(op(index));
      accesses_ |= accesses_of(op(index));
      jumps_away_ = jumps_away_ || row.indirect_flow;
      if (reads(row.memory.action) || row.indirect_flow) how = kReachedUnderWay;
      if (is_wait(row) && how == kReachedUnderWay) {
        state_[index] |= kWaitUnderWay;
        how = kReachedIdle;
      }
      for_next(index, [&](std::size_t next) { reach(next, how); });
    }
  }

  bool is_followed(std::size_t index) const {
    bool followed = row_of(op(index)).indirect_flow;
    for_next(index, [&](std::size_t next) {
      if (state_[next] == 0) return;
      followed =
          followed || (accesses_of(op(next)) & mixed_) != 0 || (state_[next] & kFollowed) != 0;
    });
    return followed;
  }

  bool stores_next(std::size_t index) const {
    bool found = false;
    for_next(index, [&](std::size_t next) {
      const Op& following = op(next);
      const bool stores = (accesses_of(following) & kWritesLds) != 0;
      const bool ends = loads_lds(following) || is_wait(row_of(following));
      found = found || (!ends && (stores || (state_[next] & kStoreNext) != 0));
    });
    return found;
  }

  /// Gives the ops before which `holds` is true a mark, from the phase's end to its start until
  /// nothing changes: once more for each loop in another.
  template <class Holds>
  void spread_backwards(std::uint8_t mark, Holds holds) {
    for (bool changed = true; changed;) {
      changed = false;
      for (const std::size_t index : visited_) {
        if ((state_[index] & mark) != 0 || !holds(index)) continue;
        state_[index] |= mark;
        changed = true;
      }
    }
  }

  void mark_waits() {
    for (const std::size_t index : visited_) {
      if ((state_[index] & (kWaitUnderWay | kFollowed)) == (kWaitUnderWay | kFollowed)) {
        op(index).gives_turn = true;
      }
    }
  }

  void mark_loads() {
    for (const std::size_t index : visited_) {
      Op& load = op(index);
      if ((state_[index] & kStoreNext) == 0 || !loads_lds(load)) continue;
      if (load.run != handlers()[load.row].usual) continue;  // it gives the turn already
      load.gives_turn = true;
      load.run = run_and_give_turn;
    }
  }

  const ProgramOps& program_;
  std::vector<std::uint8_t> state_;
  std::vector<std::size_t> visited_;
  std::vector<std::pair<std::size_t, std::uint8_t>> pending_;
  std::uint8_t accesses_ = 0, mixed_ = 0;
  bool jumps_away_ = false;
};

}  // namespace

const Op* run_and_give_turn(machine::Wave& wave, const Op* op) {
  const Op* const next = handlers()[op->row].usual(wave, op);
  return next == nullptr ? nullptr : give_turn(wave, next);
}

void mark_turns(const ProgramOps& program) {
  std::vector<std::size_t> after_barriers, after_calls;
  for (const std::size_t slot : program.slots) {
    const Op& op = program.ops[slot];
    const isa::Row& row = row_of(op);
    if (row.pause == Pause::kBarrier) after_barriers.push_back(slot + op.dwords);
    if (row.indirect_flow && !row.goes_on.never()) after_calls.push_back(slot + op.dwords);
  }
  if (after_barriers.empty() && !program.barrier_elsewhere) return;
  Phase phase(program);
  for (const std::size_t start : after_barriers) phase.mark(start);
  // Any of them may run after a barrier elsewhere.
  for (const std::size_t start : after_calls) phase.mark(start);
  for (const std::size_t start : program.entries) phase.mark(start);
}

bool mark_polls(const ProgramOps& program) {
  std::vector<std::size_t> asking;
  for (const std::size_t slot : program.slots) {
    if (asks_others(program.ops[slot])) asking.push_back(slot);
  }
  bool found = false;
  for (const std::size_t slot : program.slots) {
    Op& op = program.ops[slot];
    if (asking.empty() || !is_backward_branch(op, row_of(op))) continue;
    const auto first = std::ranges::lower_bound(asking, branch_target(op, slot));
    op.polls = first != asking.end() && *first <= slot;
    found = found || op.polls;
  }
  return found;
}

}  // namespace wavetank::execute
