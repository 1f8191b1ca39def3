#include "timing/units/compute_unit.hpp"

#include <algorithm>

namespace wavetank::timing {

ComputeUnit::ComputeUnit(const TimingSpec& spec, SharedCaches& caches, unsigned xcd,
                         std::uint32_t index)
    : spec_(spec),
      xcd_(xcd),
      index_(index),
      counting_(counters_, caches.counters),
      fetch_(spec.fetch, caches.instruction, counting_),
      scalar_(spec.smem, caches.scalar, counting_),
      lds_(spec),
      vector_memory_(spec, xcd, counters_) {}

void ComputeUnit::start_launch(const GroupShape& shape, double start_time_cycles) {
  shape_ = shape;
  start_cycle_ = static_cast<std::uint64_t>(start_time_cycles);
  step_.clock.reference_ticks_per_cycle = 100.0 / spec_.clock_mhz;
  counting_.start_launch();
  trace_.into(nullptr);
  fetch_.start_launch(shape.code_base);
  scalar_.start_launch();
  lds_.start_launch();
  vector_memory_.start_launch();
  for (Simd& simd : simds_) simd.start_launch();
  arrivals_.clear();
  leaves_.clear();
  resident_groups_ = 0;
  next_simd_ = last_served_ = 0;
  next_age_ = 0;
  last_end_ = busy_since_ = window_end_ = 0;
  stopped_ = slept_ = false;
  failure_.reset();
  events_.clear();
  awaited_.clear();
  resuming_.clear();
  if (spec_.target->counts_start_invalidation) counting_.l1_invalidated();
}

std::uint32_t ComputeUnit::resident_waves() const {
  std::uint32_t waves = 0;
  for (const Simd& simd : simds_) waves += simd.resident();
  return waves;
}

bool ComputeUnit::has_room(std::uint32_t waves, std::uint64_t time) const {
  std::array<std::uint32_t, kSimds> wanted = {};
  std::uint32_t groups = resident_groups_;
  for (const Leave& leave : leaves_) {
    if (leave.time <= time) continue;
    ++wanted[leave.simd];
    groups += leave.ends_group ? 1 : 0;
  }
  if (groups >= std::min(shape_.groups_by_lds, shape_.groups_by_barriers)) return false;
  for (std::uint32_t i = 0; i < waves; ++i) ++wanted[(next_simd_ + i) % kSimds];
  for (unsigned simd = 0; simd < kSimds; ++simd) {
    if (simds_[simd].resident() + wanted[simd] > shape_.waves_per_simd) return false;
  }
  return true;
}

void ComputeUnit::admit(GroupContext& group, const std::vector<std::uint64_t>& start_times) {
  ++resident_groups_;
  if (resident_waves() == 0) busy_since_ = std::max(busy_since_, start_times.front());
  for (std::uint32_t i = 0; i < group.waves; ++i) {
    const unsigned simd = next_simd_;
    next_simd_ = (next_simd_ + 1) % kSimds;
    const unsigned slot = simds_[simd].take_slot(group.stepped->wave(i), next_age_++);
    arrivals_.push_back({&group, i, static_cast<std::uint8_t>(simd),
                         static_cast<std::uint8_t>(slot), start_times[i]});
  }
}

Result<void> ComputeUnit::begin_next(UnitWorker& worker) {
  worker_ = &worker;
  const GroupContext* const group = arrivals_.front().group;
  arrivals_.front().group->stepped->begin();
  while (!arrivals_.empty() && arrivals_.front().group == group) {
    if (!begin_wave(arrivals_.front())) break;
    arrivals_.pop_front();
  }
  return outcome();
}

bool ComputeUnit::begin_wave(const Arrival& arrival) {
  GroupContext& group = *arrival.group;
  WaveContext& wave = simds_[arrival.simd].wave(arrival.slot);
  wave.start(group.stepped->wave(arrival.index), group, arrival.time);
  counting_.wave_started(*wave.stepped);
  profile::TraceWave place;
  place.xcd = xcd_;
  place.cu = index_;
  place.simd = arrival.simd;
  place.slot = arrival.slot;
  place.wave_in_group = arrival.index;
  trace_.took(wave, place);
  if (!prepare_next(arrival.simd, arrival.slot)) return false;
  simds_[arrival.simd].look_ahead(0);
  return true;
}

void ComputeUnit::tell_scalar() {
  for (Simd& simd : simds_) simd.set_unit(machine::Port::kScalar, scalar_.accepts_at());
}

void ComputeUnit::tell_vector_memory() {
  for (Simd& simd : simds_) {
    simd.set_unit(machine::Port::kVectorMemory, vector_memory_.accepts_at());
  }
}

void ComputeUnit::tell_lds() {
  for (unsigned simd = 0; simd < kSimds; ++simd) {
    simds_[simd].set_unit(machine::Port::kLds, lds_.accepts_at(simd));
  }
}

std::uint64_t ComputeUnit::next_event() const {
  std::uint64_t earliest = kNever;
  for (const Simd& simd : simds_) earliest = std::min(earliest, simd.next_issue());
  return earliest;
}

void ComputeUnit::prefetch(std::uint64_t end) const {
  for (const Simd& simd : simds_) simd.prefetch(end);
}

Result<void> ComputeUnit::run(std::uint64_t end, Meeting meeting, UnitWorker& worker) {
  worker_ = &worker;
  std::erase_if(leaves_, [&](const Leave& leave) { return leave.time <= window_end_; });
  window_end_ = end;
  stopped_ = false;
  for (const Simd& simd : simds_) simd.prefetch_steps(end);
  while (!stopped_) {
    // Of those at the same time the one behind the last that the scalar unit served goes first:
    // else the first take from the last what all share (decision 34). The host does not guess well
    // which SIMD is next: no branches.
    std::uint64_t next = kNever;
    for (unsigned simd = 0; simd < kSimds; ++simd) {
      const std::uint64_t at = simds_[simd].next_issue();
      next = std::min(next, at * kSimds + (simd - last_served_ - 1) % kSimds);
    }
    const std::uint64_t time = next / kSimds;
    if (time >= end) break;
    const unsigned first = static_cast<unsigned>(next + last_served_ + 1) % kSimds;
    if (!run_slot(first, time, meeting)) return outcome();
  }
  return {};
}

bool ComputeUnit::run_slot(unsigned index, std::uint64_t time, Meeting meeting) {
  Simd& simd = simds_[index];
  const Picks picks = simd.pick(time, spec_.issue);
  if (picks.count() == 0) return true;
  stopped_ = picks.meets_others && meeting == Meeting::kStop;
  if (stopped_) return true;
  for (unsigned i = 0; i < picks.count(); ++i) {
    if (!issue(index, picks[i], time)) return false;
  }
  simd.look_ahead(time + 1);
  return true;
}

bool ComputeUnit::end_wave(unsigned simd, unsigned slot, std::uint64_t time) {
  WaveContext& wave = simds_[simd].wave(slot);
  // The slot is free when the wave's stores are acknowledged: waves that only store turn over as
  // slowly as waves that load (RRZE-HPC/gpu-benches gpu-stream, init with one wave per CU).
  const CounterWait stores = wave.vector_memory.down_to(0, window_end_);
  if (!stores.known) {
    resume_later(simd, slot, Resume::kEnd);
    return true;
  }
  worker_->ledger.charge(wave, *wave.previous, stores, wave.vector_memory);
  time = std::max(time, stores.until);
  leave_slot(simd, slot, time);
  GroupContext& group = *wave.group;
  --group.alive;
  group.instructions += wave.instructions;
  leaves_.push_back({time, simd, group.alive == 0});
  if (group.alive == 0) {
    --resident_groups_;
    events_.push_back({.kind = UnitEvent::Kind::kGroupEnded, .time = time, .group = &group});
  } else if (group.at_barrier == group.alive) {
    if (!release_barrier(group, time)) return false;
  }
  events_.push_back({.kind = UnitEvent::Kind::kRoom, .time = time});
  return true;
}

void ComputeUnit::leave_slot(unsigned simd, unsigned slot, std::uint64_t time) {
  const WaveContext& wave = simds_[simd].wave(slot);
  simds_[simd].free_slot(slot);
  counting_.wave_ended(time - wave.begin);
  trace_.ended(wave, time);
  last_end_ = std::max(last_end_, time);
  if (resident_waves() == 0 && time > busy_since_) {
    counting_.was_busy(time - busy_since_);
    busy_since_ = time;
  }
}

bool ComputeUnit::arrive_at_barrier(unsigned simd, unsigned slot, std::uint64_t time) {
  WaveContext& wave = simds_[simd].wave(slot);
  GroupContext& group = *wave.group;
  simds_[simd].hold(slot);
  wave.waits_at_barrier = true;
  ++group.at_barrier;
  return group.at_barrier < group.alive || release_barrier(group, time);
}

bool ComputeUnit::release_barrier(GroupContext& group, std::uint64_t time) {
  group.at_barrier = 0;
  for (unsigned simd = 0; simd < kSimds; ++simd) {
    bool changed = false, goes_on = true;
    simds_[simd].for_each([&](unsigned slot, WaveContext& wave) {
      if (!goes_on || wave.group != &group || !wave.waits_at_barrier) return;
      wave.waits_at_barrier = false;
      wave.pass_barrier(time + spec_.issue.barrier_latency);
      goes_on = prepare_next(simd, slot);
      changed = true;
    });
    if (!goes_on) return false;
    if (changed) simds_[simd].look_ahead(time + 1);
  }
  return true;
}

Result<void> ComputeUnit::pass_global_barrier(unsigned simd, unsigned slot, std::uint64_t time) {
  simds_[simd].wave(slot).pass_barrier(time + spec_.issue.barrier_latency);
  if (prepare_next(simd, slot)) simds_[simd].look_ahead(time + 1);
  return outcome();
}

}  // namespace wavetank::timing
