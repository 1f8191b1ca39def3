// Where the cycles of waves went: every cycle of a wave has one reason and one instruction. Each
// host thread keeps one, for whatever CU it is at; their sums do not depend on who did what.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "machine/step.hpp"
#include "profile/launch_profile.hpp"
#include "timing/units/wave_context.hpp"

namespace wavetank::timing {

/// Cycles and hits of one instruction of the program.
struct InstructionTally {
  std::uint64_t hits = 0;
  std::uint64_t active_lanes = 0;
  std::uint64_t lines_touched = 0, lines_needed = 0;  ///< see profile::InstructionProfile
  std::uint64_t lowest_address = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t strided_accesses = 0, private_accesses = 0;
  std::int64_t least_stride = std::numeric_limits<std::int64_t>::max();
  std::int64_t greatest_stride = std::numeric_limits<std::int64_t>::min();
  std::uint64_t translation_misses = 0;
  std::uint64_t lds_conflict_cycles = 0;
  std::uint64_t awaited_cycles = 0;
  profile::ReasonCycles cycles = {};

  void add(const InstructionTally& other) {
    hits += other.hits;
    active_lanes += other.active_lanes;
    lines_touched += other.lines_touched;
    lines_needed += other.lines_needed;
    lowest_address = std::min(lowest_address, other.lowest_address);
    strided_accesses += other.strided_accesses;
    private_accesses += other.private_accesses;
    least_stride = std::min(least_stride, other.least_stride);
    greatest_stride = std::max(greatest_stride, other.greatest_stride);
    translation_misses += other.translation_misses;
    lds_conflict_cycles += other.lds_conflict_cycles;
    awaited_cycles += other.awaited_cycles;
    for (std::size_t i = 0; i < cycles.size(); ++i) cycles[i] += other.cycles[i];
  }
};

class CycleLedger {
 public:
  /// By StepFacts::index. A reference holds until a new instruction is seen.
  InstructionTally& of(const machine::StepFacts& facts) { return of(facts.index); }
  InstructionTally& of(std::uint32_t index) {
    if (index >= known_) [[unlikely]]
      make_room(index);
    return instructions_[index];
  }
  /// The wave's cycles up to `until` that have no reason yet have this one, at this instruction.
  void charge(WaveContext& wave, const machine::StepFacts& at, profile::Reason reason,
              std::uint64_t until) {
    if (until <= wave.accounted) return;
    charge(wave, of(at), reason, until);
  }
  /// The same, at the instruction of a tally of this ledger.
  void charge(WaveContext& wave, InstructionTally& at, profile::Reason reason,
              std::uint64_t until) {
    if (until <= wave.accounted) return;
    const std::uint64_t cycles = until - wave.accounted;
    at.cycles[static_cast<std::size_t>(reason)] += cycles;
    if (charged_ != nullptr) (*charged_)[static_cast<std::size_t>(reason)] += cycles;
    wave.accounted = until;
  }
  /// The wave's cycles up to the end of a wait of s_waitcnt, or of s_endpgm for its stores, are
  /// spent at that, for the sake of the operation that is the next to end.
  template <class Operations>
  void charge(WaveContext& wave, const machine::StepFacts& at, const CounterWait& wait,
              const Operations& operations) {
    std::uint64_t from = wave.accounted;
    if (wait.until <= from) return;
    operations.for_ends_until(wait.until, [&](std::uint32_t instruction, std::uint64_t end) {
      if (end <= from) return;
      of(instruction).awaited_cycles += end - from;
      from = end;
    });
    charge(wave, at, wait.reason, wait.until);
  }
  /// The wave issues its next instruction at `time`, which has this tally: what kept it until then,
  /// and until `unit_ready` the unit, for which there is a reason.
  void charge_wait(WaveContext& wave, InstructionTally& next, std::uint64_t time,
                   std::uint64_t unit_ready, profile::Reason unit_reason) {
    if (time <= wave.accounted) return;
    for (unsigned i = 0; i < wave.blocker_count; ++i) {
      const Blocker& blocker = wave.blockers[i];
      InstructionTally& at = is_of_previous(blocker.reason) ? of(*wave.previous) : next;
      charge(wave, at, blocker.reason, std::min(blocker.until, time));
    }
    charge(wave, next, unit_reason, std::min(unit_ready, time));
    charge(wave, next, profile::Reason::kNotPicked, time);
  }

  /// Takes in what another thread's holds.
  void add(const CycleLedger& other) {
    known_ = std::max(known_, other.known_);
    instructions_.resize(known_);
    for (std::size_t i = 0; i < other.instructions_.size(); ++i) {
      instructions_[i].add(other.instructions_[i]);
    }
  }
  const std::vector<InstructionTally>& instructions() const { return instructions_; }
  profile::ReasonCycles cycles_by_reason() const {
    profile::ReasonCycles sum = {};
    for (const InstructionTally& one : instructions_) {
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += one.cycles[i];
    }
    return sum;
  }
  /// Adds what is charged from now on here as well; nullptr: no longer.
  void also_into(profile::ReasonCycles* charged) { charged_ = charged; }

 private:
  /// A wave waits in s_barrier, s_sleep and s_nop, not in what comes after them.
  static bool is_of_previous(profile::Reason reason) {
    return reason == profile::Reason::kWaitBarrier || reason == profile::Reason::kSleep;
  }
  [[gnu::noinline]] void make_room(std::uint32_t index) {
    known_ = index + 64;
    instructions_.resize(known_);
  }

  std::vector<InstructionTally> instructions_;
  std::size_t known_ = 0;  ///< how many these are: their size takes a division
  profile::ReasonCycles* charged_ = nullptr;
};

}  // namespace wavetank::timing
