#include "execute/program_ops.hpp"

#include <algorithm>

namespace wavetank::execute {

std::optional<std::size_t> ProgramOps::index_of(std::size_t slot) const {
  const auto at = std::ranges::lower_bound(slots, slot);
  if (at == slots.end() || *at != slot) return std::nullopt;
  return static_cast<std::size_t>(at - slots.begin());
}

void SlotWalk::reach(std::size_t slot) {
  const auto index = program_.index_of(slot);
  leaves_program_ = leaves_program_ || !index;
  if (!index || seen_[*index]) return;
  seen_[*index] = true;
  pending_.push_back(slot);
}

std::optional<std::size_t> SlotWalk::next() {
  if (pending_.empty()) return std::nullopt;
  const std::size_t slot = pending_.back();
  pending_.pop_back();
  return slot;
}

bool leads(const ProgramOps& program, std::size_t from, std::size_t to) {
  SlotWalk walk(program);
  walk.reach_successors(from);
  while (const auto slot = walk.next()) {
    if (*slot == to) return true;
    walk.reach_successors(*slot);
  }
  return false;
}

}  // namespace wavetank::execute
