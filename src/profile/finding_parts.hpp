// What the rules of findings are made of: shares, places, and the instruction that is worst.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

#include "base/percent.hpp"
#include "profile/finding.hpp"
#include "profile/hot_lines.hpp"
#include "profile/instruction_kind.hpp"
#include "profile/stall_stack.hpp"

namespace wavetank::profile {

/// Cycles that waves spent before an instruction and in it, and in s_waitcnt for its sake.
inline double cycles_for(const InstructionProfile& i) {
  return static_cast<double>(total_cycles(i.cycles)) + i.awaited_cycles;
}

/// Where the kernel begins: its first instruction that has a line.
inline std::string place_of_kernel(const LaunchProfile& launch) {
  for (const InstructionProfile& i : launch.instructions) {
    if (static_cast<std::int64_t>(i.offset) >= 0 && i.line != 0) return place_of(i);
  }
  return {};
}

/// The place of an instruction, or of the one before it that has a line: what the compiler adds by
/// itself, spills above all, has none.
inline std::string place_near(const LaunchProfile& launch, const InstructionProfile& instruction) {
  const InstructionProfile* near = &instruction;
  while (near->line == 0 && near != launch.instructions.data()) --near;
  return place_of(near->line != 0 ? *near : instruction);
}

/// Percent of the cycles of resident waves that passed for a reason.
inline double share_of_resident(const FindingInput& in, Reason reason) {
  return percent(static_cast<double>(in.launch.cycles_by_reason[static_cast<std::size_t>(reason)]),
                 static_cast<double>(resident_cycles(in.launch.cycles_by_reason)));
}

/// The instruction for which `amount` is largest; none if it is 0 for all.
template <class Amount>
const InstructionProfile* most(const LaunchProfile& launch, Amount amount) {
  const InstructionProfile* best = nullptr;
  for (const InstructionProfile& i : launch.instructions) {
    if (amount(i) > (best != nullptr ? amount(*best) : 0)) best = &i;
  }
  return best;
}

/// The place where waves spend the most cycles on a reason.
inline std::string place_of_reason(const LaunchProfile& launch, Reason reason) {
  const InstructionProfile* worst = worst_instruction(launch, reason);
  return worst != nullptr ? place_of(*worst) : std::string();
}

/// A finding whose gain is estimated: no change of the device removes its cause.
inline Finding estimated(Finding finding, double gain_percent) {
  finding.gain_percent = gain_percent;
  finding.is_estimated = true;
  return finding;
}

/// Workgroups of a launch.
inline std::uint64_t workgroups(const LaunchProfile& l) {
  const auto groups = [](std::uint64_t items, std::uint64_t size) {
    return (items + size - 1) / std::max<std::uint64_t>(size, 1);
  };
  return groups(l.grid_work_items.x, l.workgroup_work_items.x) *
         groups(l.grid_work_items.y, l.workgroup_work_items.y) *
         groups(l.grid_work_items.z, l.workgroup_work_items.z);
}

/// The part of the lanes of all waves that have a work-item.
inline double lanes_with_items(const LaunchProfile& l) {
  const auto items = static_cast<double>(l.workgroup_work_items.count());
  const double waves = std::ceil(items / 64);
  return waves > 0 ? items / (64 * waves) : 0;
}

}  // namespace wavetank::profile
