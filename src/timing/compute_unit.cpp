#include "timing/compute_unit.hpp"

#include <algorithm>
#include <bit>

namespace wavetank::timing {

using machine::Port;
using machine::StepFacts;
using profile::Reason;

namespace {

/// Smaller is older and goes first: the priority (0 to 3) reversed, above the order of the starts.
/// A wave starts with priority 0.
std::uint64_t with_priority(std::uint64_t age, unsigned priority) {
  constexpr unsigned kOrderBits = 62;
  const std::uint64_t order = age & ((std::uint64_t{1} << kOrderBits) - 1);
  return order | std::uint64_t{3 - priority} << kOrderBits;
}

bool is_f64(const StepFacts& facts) {
  return facts.counter_class == isa::CounterClass::kAddF64 ||
         facts.counter_class == isa::CounterClass::kMulF64;
}

}  // namespace

SharedCaches::SharedCaches(const TimingSpec& spec, MemorySystem& memory, unsigned xcd)
    : scalar(spec.smem.cache_bytes, spec.smem.line_bytes, spec.smem.ways, spec.smem.miss_latency,
             memory, xcd),
      instruction(spec.fetch.cache_bytes, spec.fetch.line_bytes, spec.fetch.ways,
                  spec.fetch.miss_latency, memory, xcd) {}

ComputeUnit::ComputeUnit(const TimingSpec& spec, MemorySystem& memory, SharedCaches& caches,
                         unsigned xcd, std::uint32_t index)
    : spec_(spec),
      caches_(caches),
      xcd_(xcd),
      index_(index),
      vector_memory_(spec, memory, xcd),
      lds_(spec),
      waves_(std::size_t{4} * kSlots) {}

void ComputeUnit::start_launch(const GroupShape& shape, CuHost& host, double start_time_cycles) {
  shape_ = shape;
  host_ = &host;
  start_cycles_ = start_time_cycles;
  vector_memory_.start_launch();
  lds_.start_launch();
  for (Simd& simd : simds_) simd = Simd();
  resident_waves_ = resident_groups_ = 0;
  next_simd_ = 0;
  next_age_ = 0;
  counters_.clear();
  cycles_by_reason_ = {};
  instructions_.clear();
  operations_ = {};
  busy_ = {};
  matrix_busy_ = 0;
  last_end_ = busy_since_ = 0;
  // MI300 invalidates the vector L1 by an operation of its own when a kernel starts.
  if (spec_.cdna3) counters_.add(CuCounter::kTcpTotalWritebackInvalidates);
  scalar_free_ = 0;
  lds_bytes_ = scalar_bytes_ = 0;
  trace_ = nullptr;
}

bool ComputeUnit::has_room(std::uint32_t waves) const {
  if (resident_groups_ >= std::min(shape_.groups_by_lds, shape_.groups_by_barriers)) return false;
  std::array<std::uint32_t, 4> wanted = {};
  for (std::uint32_t i = 0; i < waves; ++i) ++wanted[(next_simd_ + i) % 4];
  for (unsigned simd = 0; simd < 4; ++simd) {
    const auto taken = static_cast<std::uint32_t>(std::popcount(simds_[simd].occupied));
    if (taken + wanted[simd] > shape_.waves_per_simd) return false;
  }
  return true;
}

Result<void> ComputeUnit::admit(GroupContext& group,
                                const std::vector<std::uint64_t>& start_times) {
  ++resident_groups_;
  if (resident_waves_ == 0) busy_since_ = std::max(busy_since_, start_times.front());
  for (std::uint32_t i = 0; i < group.waves; ++i) {
    const unsigned simd_index = next_simd_;
    next_simd_ = (next_simd_ + 1) % 4;
    Simd& simd = simds_[simd_index];
    const auto slot = static_cast<unsigned>(std::countr_one(simd.occupied));
    simd.occupied |= static_cast<std::uint8_t>(1u << slot);
    ++resident_waves_;
    WaveContext& wave = waves_[simd_index * kSlots + slot];
    wave.stepped = &group.stepped->wave(i);
    wave.previous = nullptr;
    wave.group = &group;
    wave.begin = wave.accounted = wave.issue_end = start_times[i];
    wave.fetched_line = wave.fetched_bytes_end = ~std::uint64_t{0};
    wave.branched = false;
    wave.vector_until = 0;
    wave.sleep_until = 0;
    wave.vector_memory.clear();
    wave.scalar_and_lds.clear();
    wave.hazards.start_wave();
    simd.age[slot] = with_priority(next_age_++, 0);
    count_start(*wave.stepped);
    if (trace_ != nullptr) begin_trace(wave, i, simd_index, slot);
    if (auto done = prepare_next(wave, simd_index, slot); !done) return done;
    refresh(simd, simd_index, 0);
  }
  return {};
}

std::uint64_t ComputeUnit::next_event() const {
  std::uint64_t earliest = kNever;
  for (const Simd& simd : simds_) earliest = std::min(earliest, simd.next_slot);
  return earliest;
}

Result<void> ComputeUnit::run(std::uint64_t end) {
  while (true) {
    unsigned first = 0;
    for (unsigned simd = 1; simd < 4; ++simd) {
      if (simds_[simd].next_slot < simds_[first].next_slot) first = simd;
    }
    const std::uint64_t time = simds_[first].next_slot;
    if (time >= end) return {};
    if (auto done = run_slot(first, time); !done) return done;
  }
}

std::uint64_t ComputeUnit::unit_ready(const Simd& simd, unsigned simd_index,
                                      const StepFacts& facts) const {
  switch (facts.port) {
    case Port::kVector: {
      std::uint64_t ready = simd.vector_free;
      const bool matrix = facts.row->unit == isa::Unit::kMatrix;
      const bool shares = facts.packed_math && !spec_.matrix.packed_f32_coexecutes;
      if (matrix || shares) ready = std::max(ready, simd.matrix_free);
      return ready;
    }
    case Port::kScalar: return scalar_free_;
    case Port::kVectorMemory: return vector_memory_.accepts_at();
    case Port::kLds: return lds_.accepts_at(simd_index);
    case Port::kBranch:
    case Port::kInternal: return 0;
  }
  return 0;
}

void ComputeUnit::refresh(Simd& simd, unsigned simd_index, std::uint64_t after) {
  std::uint64_t next = kNever;
  for (unsigned rest = simd.occupied; rest != 0; rest &= rest - 1) {
    const auto slot = static_cast<unsigned>(std::countr_zero(rest));
    if (simd.ready[slot] == kNever) continue;
    const StepFacts& facts = *waves_[simd_index * kSlots + slot].next;
    const std::uint64_t at = std::max(simd.ready[slot], unit_ready(simd, simd_index, facts));
    next = std::min(next, at);
  }
  simd.next_slot = next == kNever ? kNever : std::max(next, after);
}

Result<void> ComputeUnit::run_slot(unsigned simd_index, std::uint64_t time) {
  Simd& simd = simds_[simd_index];
  constexpr unsigned kNone = kSlots;
  std::array<unsigned, machine::kPortCount> chosen;
  chosen.fill(kNone);
  std::array<std::uint64_t, kSlots> unit;
  unsigned second = kNone;  // of two all-VGPR f32 operations that issue together
  std::array<unsigned, kSlots> internal;
  unsigned internal_count = 0;
  for (unsigned rest = simd.occupied; rest != 0; rest &= rest - 1) {
    const auto slot = static_cast<unsigned>(std::countr_zero(rest));
    if (simd.ready[slot] > time) continue;
    const StepFacts& facts = *waves_[simd_index * kSlots + slot].next;
    unit[slot] = unit_ready(simd, simd_index, facts);
    if (unit[slot] > time) continue;
    if (facts.port == Port::kInternal) {
      internal[internal_count++] = slot;
      continue;
    }
    unsigned& best = chosen[static_cast<std::size_t>(facts.port)];
    if (best == kNone || simd.age[slot] < simd.age[best]) best = slot;
  }
  const unsigned vector = chosen[static_cast<std::size_t>(Port::kVector)];
  if (spec_.issue.dual_fma && vector != kNone) second = partner_of(simd_index, vector, time);
  for (unsigned i = 0; i < internal_count; ++i) {
    if (auto done = issue(simd_index, internal[i], time, 0); !done) return done;
  }
  for (const unsigned slot : chosen) {
    if (slot == kNone) continue;
    if (auto done = issue(simd_index, slot, time, unit[slot]); !done) return done;
  }
  if (second != kNone) {
    const bool longer = is_f64(*waves_[simd_index * kSlots + second].next);
    if (auto done = issue(simd_index, second, time, unit[second]); !done) return done;
    if (longer) simd.vector_free = std::max(simd.vector_free, time + spec_.issue.pair_f64);
  }
  refresh(simd, simd_index, time + 1);
  return {};
}

unsigned ComputeUnit::partner_of(unsigned simd_index, unsigned vector, std::uint64_t time) const {
  const Simd& simd = simds_[simd_index];
  unsigned best = kSlots;
  const StepFacts& first = *waves_[simd_index * kSlots + vector].next;
  if (!first.all_vector_fma_f32) return best;
  for (unsigned rest = simd.occupied; rest != 0; rest &= rest - 1) {
    const auto slot = static_cast<unsigned>(std::countr_zero(rest));
    if (slot == vector || simd.ready[slot] > time) continue;
    const StepFacts& other = *waves_[simd_index * kSlots + slot].next;
    if (!other.all_vector_fma_f32 || is_f64(other) != is_f64(first)) continue;
    if (best == kSlots || simd.age[slot] < simd.age[best]) best = slot;
  }
  return best;
}

Result<void> ComputeUnit::issue(unsigned simd_index, unsigned slot, std::uint64_t time,
                                std::uint64_t unit_ready_at) {
  Simd& simd = simds_[simd_index];
  WaveContext& wave = waves_[simd_index * kSlots + slot];
  const StepFacts& facts = *wave.next;
  current_ = &tally(facts);
  const profile::ReasonCycles before = cycles_by_reason_;
  account_wait(wave, time, unit_ready_at);
  step_.facts = &facts;
  machine::StepClock& clock = host_->clock();
  clock.cycles = static_cast<std::uint64_t>(start_cycles_) + time;
  clock.reference_ticks = static_cast<std::uint64_t>((start_cycles_ + static_cast<double>(time)) *
                                                     100.0 / spec_.clock_mhz);
  if (auto done = wave.stepped->step(step_); !done) return done;
  const std::uint32_t cycles = issue_cycles(facts);
  const std::uint32_t own =
      std::min(cycles, spec_.issue.slot_period + spec_.issue.misaligned_extra);
  account(wave, issue_reason(facts), time + own);
  wave.issue_end = time + own;
  if (facts.is_waitcnt) wait_for_counters(wave, facts);
  count_issue(step_, cycles);
  if (trace_ != nullptr) add_trace(wave, time, cycles, before);
  if (facts.port == Port::kVector)
    occupy_vector(wave, simd, facts, time, cycles);
  else if (facts.port == Port::kScalar)
    scalar_free_ = time + 1;
  if (facts.row->memory.action != isa::MemoryAction::kNone) {
    execute_memory(wave, simd_index, time);
  }
  wave.hazards.issued(facts, time);
  wave.previous = &facts;
  if (step_.ended) return end_wave(simd_index, slot, wave.issue_end);
  if (step_.at_barrier) return arrive_at_barrier(wave, simd_index, slot, time);
  if (step_.at_global_barrier) {
    simd.ready[slot] = kNever;
    host_->at_global_barrier(index_, simd_index, slot, time);
    return {};
  }
  note_control(wave, simd.age[slot], time);
  return prepare_next(wave, simd_index, slot);
}

void ComputeUnit::note_control(WaveContext& wave, std::uint64_t& age, std::uint64_t time) {
  const StepFacts& facts = *step_.facts;
  if (facts.sets_priority) age = with_priority(age, static_cast<unsigned>(facts.immediate) & 3);
  wave.branched = facts.port == Port::kBranch && facts.row->unit == isa::Unit::kBranch;
  if (wave.branched) wave.branch_until = time + spec_.issue.branch_latency;
  wave.taken = step_.taken;
  wave.sleep_until = 0;
  if (step_.slept) {
    host_->serve_host();
    wave.sleep_until =
        time + spec_.issue.sleep_unit * static_cast<std::uint64_t>(facts.immediate & 127);
  } else if (facts.port == Port::kInternal && facts.is_nop) {
    wave.sleep_until =
        time + spec_.issue.slot_period * (static_cast<std::uint64_t>(facts.immediate & 15) + 1);
  }
}

void ComputeUnit::occupy_vector(WaveContext& wave, Simd& simd, const StepFacts& facts,
                                std::uint64_t time, std::uint32_t cycles) {
  if (facts.row->unit != isa::Unit::kMatrix) {
    // What an instruction off an 8-byte boundary takes longer is its wave's alone.
    const std::uint32_t of_unit = cycles - std::min(cycles, misaligned_cycles(facts));
    simd.vector_free = std::max(simd.vector_free, time + of_unit);
    wave.vector_until = time + cycles;
    return;
  }
  const isa::MatrixShape& shape = facts.row->matrix;
  const std::uint32_t execution = std::uint32_t{shape.passes} * spec_.issue.slot_period;
  const std::uint32_t blocked =
      shape.co_executes_after_cycles != 0 ? shape.co_executes_after_cycles : execution;
  simd.matrix_free = time + execution;
  simd.vector_free = time + blocked;
  wave.vector_until = time + execution;
  matrix_busy_ += execution;
  counters_.add(CuCounter::kSqValuMfmaBusyCycles, execution);
}

Result<void> ComputeUnit::end_wave(unsigned simd_index, unsigned slot, std::uint64_t time) {
  Simd& simd = simds_[simd_index];
  WaveContext& wave = waves_[simd_index * kSlots + slot];
  GroupContext& group = *wave.group;
  // The slot is free when the wave's stores are acknowledged: waves that only store turn over as
  // slowly as waves that load (RRZE-HPC/gpu-benches gpu-stream, init with one wave per CU).
  const auto stores = wave.vector_memory.down_to(0);
  account(wave, stores.reason, stores.until);
  time = std::max(time, stores.until);
  simd.occupied &= static_cast<std::uint8_t>(~(1u << slot));
  --resident_waves_;
  counters_.add(CuCounter::kSqLevelWaves, time - wave.begin);
  counters_.add(CuCounter::kSqWaveCycles, time - wave.begin);
  if (trace_ != nullptr) trace_->waves[wave.trace_index].end_cycle = time;
  last_end_ = std::max(last_end_, time);
  if (resident_waves_ == 0 && time > busy_since_) {
    counters_.add(CuCounter::kSqBusyCuCycles, time - busy_since_);
    busy_since_ = time;
  }
  --group.alive;
  if (group.alive == 0) {
    --resident_groups_;
    host_->group_ended(group, time);
  } else if (group.at_barrier == group.alive) {
    if (auto done = release_barrier(group, time); !done) return done;
  }
  host_->room_at(index_, time);
  return {};
}

Result<void> ComputeUnit::arrive_at_barrier(WaveContext& wave, unsigned simd_index, unsigned slot,
                                            std::uint64_t time) {
  GroupContext& group = *wave.group;
  simds_[simd_index].ready[slot] = kNever;
  wave.waits_at_barrier = true;
  ++group.at_barrier;
  if (group.at_barrier < group.alive) return {};
  return release_barrier(group, time);
}

Result<void> ComputeUnit::release_barrier(GroupContext& group, std::uint64_t time) {
  group.at_barrier = 0;
  const std::uint64_t open = time + spec_.issue.barrier_latency;
  for (unsigned simd_index = 0; simd_index < 4; ++simd_index) {
    Simd& simd = simds_[simd_index];
    bool changed = false;
    for (unsigned rest = simd.occupied; rest != 0; rest &= rest - 1) {
      const auto slot = static_cast<unsigned>(std::countr_zero(rest));
      WaveContext& wave = waves_[simd_index * kSlots + slot];
      if (wave.group != &group || !wave.waits_at_barrier) continue;
      wave.waits_at_barrier = false;
      wave.stepped->pass_barrier();
      wave.barrier_until = open;
      wave.branched = wave.taken = false;
      if (auto done = prepare_next(wave, simd_index, slot); !done) return done;
      changed = true;
    }
    if (changed) refresh(simd, simd_index, time + 1);
  }
  return {};
}

Result<void> ComputeUnit::pass_global_barrier(unsigned simd_index, unsigned slot,
                                              std::uint64_t time) {
  WaveContext& wave = waves_[simd_index * kSlots + slot];
  wave.stepped->pass_barrier();
  wave.barrier_until = time + spec_.issue.barrier_latency;
  wave.branched = wave.taken = false;
  if (auto done = prepare_next(wave, simd_index, slot); !done) return done;
  refresh(simds_[simd_index], simd_index, time + 1);
  return {};
}

}  // namespace wavetank::timing
