#include "execute/flow_paths.hpp"

#include <algorithm>
#include <vector>

#include "isa/catalogue.hpp"
#include "isa/flow.hpp"

namespace wavetank::execute {
namespace {

/// A walk over the slots of a program.
class Walk {
 public:
  explicit Walk(const ProgramOps& program) : program_(program), reached_(program.slots.size()) {}

  bool is_reached(std::size_t index) const { return reached_[index]; }
  void reach_slot(std::size_t slot) {
    const auto at = std::lower_bound(program_.slots.begin(), program_.slots.end(), slot);
    if (at == program_.slots.end() || *at != slot) return;
    reach(static_cast<std::size_t>(at - program_.slots.begin()));
  }
  void reach(std::size_t index) {
    if (reached_[index]) return;
    reached_[index] = true;
    pending_.push_back(index);
  }
  void reach_successors(std::size_t slot) {
    const Op& op = program_.ops[slot];
    const isa::Row& row = row_of(op);
    if (row.pause == isa::Pause::kEnd) return;
    const std::size_t next = slot + op.dwords;
    if (!row.ends_flow(op.immediate)) reach_slot(next);
    if (isa::branches(row)) {
      reach_slot(static_cast<std::size_t>(static_cast<std::int64_t>(next) + op.branch));
    }
  }
  void finish() {
    while (!pending_.empty()) {
      const std::size_t slot = program_.slots[pending_.back()];
      pending_.pop_back();
      reach_successors(slot);
    }
  }

 private:
  const ProgramOps& program_;
  std::vector<bool> reached_;
  std::vector<std::size_t> pending_;
};

}  // namespace

bool leads(const ProgramOps& program, std::size_t from, std::size_t to) {
  Walk walk(program);
  walk.reach_successors(from);
  walk.finish();
  const auto at = std::lower_bound(program.slots.begin(), program.slots.end(), to);
  return at != program.slots.end() && *at == to &&
         walk.is_reached(static_cast<std::size_t>(at - program.slots.begin()));
}

}  // namespace wavetank::execute
