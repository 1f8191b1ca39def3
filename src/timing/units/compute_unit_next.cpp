// What a wave waits for before its next instruction, and how waits for answers of the L2 end.
#include <algorithm>
#include <utility>

#include "timing/units/compute_unit.hpp"

namespace wavetank::timing {

using machine::Port;
using machine::StepFacts;
using profile::Reason;

namespace {

/// gfx9 counters: a wave's vmcnt holds 63, lgkmcnt 15; issue blocks when one is full.
constexpr unsigned kLgkmcntMost = 15;

}  // namespace

bool ComputeUnit::is_free(const StepFacts& facts) const {
  if (facts.row->unit != isa::Unit::kValu && facts.row->unit != isa::Unit::kSalu) return false;
  const bool converts = facts.counter_class == isa::CounterClass::kConvert;
  if (spec_.issue.f64_as_f32 && converts && works_on_f64(*facts.row)) return true;
  return std::ranges::any_of(spec_.issue.free_code, [&](const CodeRange& range) {
    return facts.offset_bytes >= range.begin && facts.offset_bytes < range.end;
  });
}

bool ComputeUnit::pass_free_code(WaveContext& wave) {
  for (auto next = wave.stepped->next(); next && is_free(**next); next = wave.stepped->next()) {
    step_.facts = *next;
    if (!step(wave)) return false;
    ++worker_->ledger.of(**next).hits;
  }
  return true;
}

// What every issue goes through is put together in prepare_next().
std::uint64_t ComputeUnit::block_on_control(WaveContext& wave) {
  if (wave.barrier_until != 0) wave.block(Reason::kWaitBarrier, wave.barrier_until);
  if (wave.sleep_until != 0) wave.block(Reason::kSleep, wave.sleep_until);
  std::uint64_t from = wave.issue_end;
  if (wave.branched) {
    wave.block(Reason::kWaitFetch, wave.branch_until);
    from = std::max(from, wave.branch_until);
  }
  wave.held_back = wave.branched = false;
  wave.barrier_until = wave.sleep_until = 0;
  return from;
}

[[gnu::always_inline]] inline void ComputeUnit::block_on_results(WaveContext& wave,
                                                                 const IssueCost& cost) const {
  const StepFacts& facts = *cost.facts;
  if (facts.port == Port::kVector) {
    const bool after_matrix = wave.vector_is_matrix && wave.vector_until > wave.issue_end;
    if (!after_matrix || cost.is_matrix) {
      wave.block(after_matrix ? Reason::kIssueMatrix : Reason::kIssueValu, wave.vector_until);
    }
  }
  if (cost.is_matrix && wave.previous->packed_math) {
    wave.block(Reason::kWaitMatrix, wave.vector_until + spec_.matrix.after_packed);
  }
  const std::uint64_t now = wave.issue_end;
  wave.block(Reason::kWaitValu, wave.hazards.vector_ready(facts, now, spec_, worker_->waits));
  wave.block(Reason::kWaitMatrix, wave.hazards.matrix_ready(facts, now, spec_, worker_->waits));
}

[[gnu::always_inline]] inline void ComputeUnit::find_ready(unsigned simd, unsigned slot) {
  WaveContext& wave = simds_[simd].wave(slot);
  const IssueCost& cost = worker_->costs.of(*wave.next, spec_);
  const unsigned blockers = wave.blocker_count;
  const auto fetched = fetch_.ready(wave.fetch);
  if (fetched) {
    wave.block(Reason::kWaitFetch, *fetched);
    wave.assembled = std::max(wave.assembled, *fetched);
    wave.block(Reason::kIssueValu, wave.assembled);
    if (wave.previous != nullptr) block_on_results(wave, cost);
  }
  if (fetched && (!cost.accesses || block_on_counters(wave))) {
    simds_[simd].set_next(slot, cost, wave.ready);
    return;
  }
  wave.blocker_count = blockers;
  resume_later(simd, slot, Resume::kNextInstruction);
}

bool ComputeUnit::prepare_next(unsigned simd, unsigned slot) {
  WaveContext& wave = simds_[simd].wave(slot);
  if (spec_.issue.f64_as_f32 || !spec_.issue.free_code.empty()) {
    if (!pass_free_code(wave)) return false;
  }
  wave.next = wave.stepped->upcoming();
  if (wave.next == nullptr) {
    auto next = wave.stepped->next();
    if (!next) return failed(next.error());
    wave.next = *next;
  }
  wave.blocker_count = 0;
  wave.ready = wave.issue_end;
  const std::uint64_t from = wave.held_back ? block_on_control(wave) : wave.issue_end;
  fetch_.look(wave.fetch, *wave.next, wave.taken, from);
  wave.taken = false;
  find_ready(simd, slot);
  return true;
}

bool ComputeUnit::block_on_counters(WaveContext& wave) {
  const StepFacts& facts = *wave.next;
  if (facts.port == Port::kVectorMemory) {
    const auto full = wave.vector_memory.down_to(spec_.vmem.outstanding_per_wave - 1, window_end_);
    if (!full.known) return false;
    wave.block(Reason::kMemoryQueueFull, full.until);
  }
  const bool counts_lgkm = facts.port == Port::kLds || facts.may_reach_lds ||
                           facts.space == machine::MemorySpace::kScalar;
  if (counts_lgkm) {
    const auto full = wave.scalar_and_lds.down_to(kLgkmcntMost - 1, window_end_);
    if (!full.known) return false;
    wave.block(Reason::kLdsQueueFull, full.until);
  }
  return true;
}

bool ComputeUnit::is_before_fence(WaveContext& wave) {
  const auto next = wave.stepped->next();
  return next && (*next)->row->memory.action == isa::MemoryAction::kCacheControl;
}

bool ComputeUnit::wait_for_counters(WaveContext& wave, const StepFacts& facts) {
  if (!spec_.issue.waits_for_memory) return true;
  const bool not_stores = !spec_.fence.costs && is_before_fence(wave);
  const auto vector = wave.vector_memory.down_to(facts.vmcnt_limit, window_end_, not_stores);
  const auto others = wave.scalar_and_lds.down_to(facts.lgkmcnt_limit, window_end_);
  if (!vector.known || !others.known) return false;
  CycleLedger& ledger = worker_->ledger;
  // The shorter wait first: the rest is the longer one's.
  const bool others_first = others.until < vector.until;
  if (others_first) ledger.charge(wave, facts, others, wave.scalar_and_lds);
  ledger.charge(wave, facts, vector, wave.vector_memory);
  if (!others_first) ledger.charge(wave, facts, others, wave.scalar_and_lds);
  wave.issue_end = std::max({wave.issue_end, vector.until, others.until});
  return true;
}

Due ComputeUnit::await(const Awaited& operation) {
  awaited_.push_back(operation);
  return Due::with(static_cast<std::uint32_t>(awaited_.size() - 1));
}

void ComputeUnit::settle() {
  vector_memory_.settle();
  scalar_.settle();
  fetch_.settle();
  for (std::uint32_t number = 0; number < awaited_.size(); ++number) {
    const Awaited& one = awaited_[number];
    const std::uint64_t answered =
        one.scalar ? scalar_.done(one.number) : vector_memory_.done(one.number);
    const std::uint64_t done = std::max(answered, one.not_before);
    if (one.counts_vmcnt) one.wave->vector_memory.settle(number, done);
    if (one.counts_lgkm) one.wave->scalar_and_lds.settle(number, done);
    if (!one.is_access) continue;
    counting_.vector_memory_was_under_way(done - one.begin);
    last_end_ = std::max(last_end_, done);
  }
  awaited_.clear();
  vector_memory_.forget_window();
  scalar_.forget_window();
}

void ComputeUnit::resume_later(unsigned simd, unsigned slot, Resume how) {
  simds_[simd].wave(slot).resume = how;
  simds_[simd].hold(slot);
  resuming_.push_back({static_cast<std::uint8_t>(simd), static_cast<std::uint8_t>(slot)});
}

Result<void> ComputeUnit::go_on(UnitWorker& worker) {
  worker_ = &worker;
  const std::vector<Place> places = std::exchange(resuming_, {});
  for (const auto& [simd, slot] : places) {
    if (!resume(simd, slot)) break;
    simds_[simd].look_ahead(0);
  }
  return outcome();
}

bool ComputeUnit::resume(unsigned simd, unsigned slot) {
  WaveContext& wave = simds_[simd].wave(slot);
  switch (std::exchange(wave.resume, Resume::kNothing)) {
    case Resume::kNothing: break;
    case Resume::kEnd: return end_wave(simd, slot, wave.issue_end);
    case Resume::kNextInstruction: find_ready(simd, slot); break;
    case Resume::kAfterWait:
      trace_.listen(worker_->ledger);
      wait_for_counters(wave, *wave.previous);
      trace_.waited(wave);
      return prepare_next(simd, slot);
  }
  return true;
}

}  // namespace wavetank::timing
