#include "check/barrier_check.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace wavetank::check {

using machine::StepFacts;
using machine::Stop;
using machine::Wave;

void BarrierCheck::begin(std::uint64_t group, std::span<const Wave> waves) {
  group_ = group;
  std::fill_n(waves_.begin(), waves.size(), WaveState());
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

/// An instruction that pauses, or one of a wave whose lanes did not all come to a barrier.
void BarrierCheck::on_pause(const Wave& wave, const StepFacts& facts, Findings& findings) {
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
      break;
    case isa::Pause::kEnd:
      if (state.missing != 0) findings.add(finding(wave, state.missing, state.barrier_site, 0));
      break;
    default:
      if (!facts.is_waitcnt) state.last_site = facts.index;
  }
}

void BarrierCheck::pass_barrier(std::span<const Wave> waves, const Leads& leads,
                                Findings& findings) {
  const Wave* waiting = nullptr;
  for (const Wave& wave : waves) {
    if (wave.stop != Stop::kBarrier) continue;
    if (waiting == nullptr) waiting = &wave;
    note_other_barrier(*waiting, wave, findings);
  }
  if (waiting == nullptr) return;
  const std::uint32_t barrier = waves_[waiting->id_in_group].barrier_site;
  for (const Wave& wave : waves) {
    WaveState& state = waves_[wave.id_in_group];
    const std::uint32_t last = std::exchange(state.last_site, 0);
    if (wave.stop != Stop::kEnded || state.work_items == 0) continue;
    const bool went_around = last != 0 && leads(barrier, last) && !leads(last, barrier);
    findings.add(finding(wave, state.work_items, barrier, went_around ? last : 0));
    state.work_items = 0;  // once
  }
}

/// Notes that two waves wait at different barriers, which meet.
void BarrierCheck::note_other_barrier(const Wave& one, const Wave& other, Findings& findings) {
  const std::uint32_t first = waves_[one.id_in_group].barrier_site;
  const std::uint32_t second = waves_[other.id_in_group].barrier_site;
  if (first == second) return;
  Finding finding;
  finding.kind = Kind::kTwoBarriers;
  finding.level = Level::kNote;
  finding.first = {first, AccessKind::kRead, group_, one.id_in_group, 0};
  finding.second = {second, AccessKind::kRead, group_, other.id_in_group, 0};
  findings.add(finding);
}

}  // namespace wavetank::check
