#include "hip/runtime/timed/last_accesses.hpp"

#include <algorithm>

namespace wavetank::hip {
namespace {

/// Lanes side by side or apart, always alike: neither what all share nor what data decides.
bool is_by_rows(const profile::InstructionProfile& i) {
  return i.lowest_address != 0 && i.private_accesses == 0 && i.strided_accesses > 0 &&
         i.stride.least == i.stride.greatest && i.stride.least > 0;
}

auto access_of(const profile::InstructionProfile& i) {
  return std::tuple(i.lowest_address, i.stride.least, i.hits);
}

bool does(const profile::InstructionProfile& i, isa::MemoryAction action) {
  return i.row != nullptr && i.row->memory.action == action;
}

}  // namespace

LastAccesses::LastAccesses(const dispatch::Launch& launch, const profile::LaunchProfile& profile)
    : kernel_(launch.kernel), work_items_(launch.grid_work_items.count()) {
  for (const profile::InstructionProfile& i : profile.instructions) {
    if (!is_by_rows(i)) continue;
    accesses_.insert(access_of(i));
    if (does(i, isa::MemoryAction::kLoad)) loads_.insert(access_of(i));
    if (does(i, isa::MemoryAction::kStore)) stores_.insert(access_of(i));
  }
}

bool LastAccesses::repeats(const LastAccesses& next) const {
  const auto stored = [&](const Access& load) { return stores_.contains(load); };
  return next.kernel_ == kernel_ && next.accesses_ == accesses_ &&
         std::ranges::none_of(next.loads_, stored);
}

bool LastAccesses::knows(const profile::InstructionProfile& instruction) const {
  return is_by_rows(instruction) && accesses_.contains(access_of(instruction));
}

bool LastAccesses::needs_others(const profile::InstructionProfile& instruction) const {
  if (!does(instruction, isa::MemoryAction::kLoad) || knows(instruction)) return false;
  return std::ranges::any_of(stores_, [&](const Access& store) {
    const auto [begin, stride, hits] = store;
    const auto behind = static_cast<double>(instruction.lowest_address - begin);
    return instruction.lowest_address >= begin &&
           behind < stride * static_cast<double>(work_items_);
  });
}

void LastAccesses::mark(const LastAccesses& next, profile::LaunchProfile& profile) const {
  if (next.work_items_ != work_items_) return;
  const auto needs = [&](const auto& instruction) { return needs_others(instruction); };
  if (std::ranges::any_of(profile.instructions, needs)) return;
  if (repeats(next)) return;
  for (profile::InstructionProfile& i : profile.instructions) {
    if (knows(i)) i.known_before = i.hits;
  }
}

}  // namespace wavetank::hip
