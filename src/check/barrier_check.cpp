#include "check/barrier_check.hpp"

#include <bit>

namespace wavetank::check {

using machine::StepFacts;
using machine::Stop;
using machine::Wave;

void BarrierCheck::begin(std::uint64_t group, std::span<const Wave> waves) {
  group_ = group;
  waves_.fill({});
  for (const Wave& wave : waves) waves_[wave.id_in_group].work_items = wave.exec();
}

/// A barrier that some lanes missed; `beyond` is where they are seen afterwards, 0 for nowhere.
Finding BarrierCheck::finding(const Wave& wave, std::uint64_t lanes, std::uint32_t barrier,
                              std::uint32_t beyond) const {
  Finding finding;
  finding.kind = Kind::kMissedBarrier;
  finding.level = beyond != 0 ? Level::kError : Level::kNote;
  finding.first = {barrier, AccessKind::kRead, group_, wave.id_in_group, 0};
  finding.second = {beyond, AccessKind::kRead, group_, wave.id_in_group,
                    static_cast<unsigned>(std::countr_zero(lanes))};
  return finding;
}

void BarrierCheck::on_instruction(const Wave& wave, const StepFacts& facts, Findings& findings) {
  WaveState& state = waves_[wave.id_in_group];
  const std::uint64_t back = state.missing & wave.exec();
  if (back != 0 && facts.row->pause != isa::Pause::kEnd) {
    findings.add(finding(wave, back, state.barrier_site, facts.index));
    state.missing &= ~back;
  }
  switch (facts.row->pause) {
    case isa::Pause::kBarrier:
      state.missing |= state.work_items & ~wave.exec();
      state.barrier_site = facts.index;
      state.barrier_offset_bytes = facts.offset_bytes;
      break;
    case isa::Pause::kEnd:
      if (state.missing != 0) findings.add(finding(wave, state.missing, state.barrier_site, 0));
      break;
    default:
      if (facts.offset_bytes < state.farthest_bytes) break;
      state.farthest_bytes = facts.offset_bytes;
      state.farthest_site = facts.index;
  }
}

void BarrierCheck::pass_barrier(std::span<const Wave> waves, Findings& findings) {
  const WaveState* waiting = nullptr;
  for (const Wave& wave : waves) {
    if (wave.stop == Stop::kBarrier) waiting = &waves_[wave.id_in_group];
  }
  for (const Wave& wave : waves) {
    WaveState& state = waves_[wave.id_in_group];
    if (wave.stop == Stop::kEnded && waiting != nullptr && state.work_items != 0) {
      const bool beyond = state.farthest_bytes > waiting->barrier_offset_bytes;
      findings.add(
          finding(wave, state.work_items, waiting->barrier_site, beyond ? state.farthest_site : 0));
      state.work_items = 0;  // once
    }
    state.farthest_bytes = 0;
  }
}

}  // namespace wavetank::check
