// What a wave waits for before its next instruction, and how those cycles are accounted.
#include <algorithm>
#include <bit>
#include <utility>

#include "timing/compute_unit.hpp"

namespace wavetank::timing {

using machine::Port;
using machine::StepFacts;
using profile::Reason;

namespace {

Reason unit_reason(const StepFacts& facts) {
  switch (facts.port) {
    case Port::kVectorMemory: return Reason::kMemoryQueueFull;
    case Port::kLds: return Reason::kLdsQueueFull;
    default: return Reason::kNotPicked;
  }
}

/// A wave waits in s_barrier, s_sleep and s_nop, not in what comes after them.
bool is_of_previous(Reason reason) {
  return reason == Reason::kWaitBarrier || reason == Reason::kSleep;
}

/// gfx9 counters: a wave's vmcnt holds 63, lgkmcnt 15; issue blocks when one is full.
constexpr unsigned kLgkmcntMost = 15;

}  // namespace

Reason ComputeUnit::issue_reason(const StepFacts& facts) {
  switch (facts.row->unit) {
    case isa::Unit::kValu: return Reason::kIssueValu;
    case isa::Unit::kMatrix: return Reason::kIssueMatrix;
    case isa::Unit::kLds: return Reason::kIssueLds;
    case isa::Unit::kVectorMemory:
    case isa::Unit::kFlat: return Reason::kIssueMemory;
    default: return Reason::kIssueScalar;
  }
}

InstructionTally& ComputeUnit::tally(const StepFacts& facts) {
  if (facts.index >= instructions_.size()) instructions_.resize(facts.index + 64);
  return instructions_[facts.index];
}

void ComputeUnit::account(WaveContext& wave, Reason reason, std::uint64_t until) {
  if (until <= wave.accounted) return;
  const std::uint64_t cycles = until - wave.accounted;
  cycles_by_reason_[static_cast<std::size_t>(reason)] += cycles;
  current_->cycles[static_cast<std::size_t>(reason)] += cycles;
  wave.accounted = until;
}

void ComputeUnit::account_wait(WaveContext& wave, std::uint64_t time, std::uint64_t unit_ready_at) {
  InstructionTally* const own = current_;
  for (unsigned i = 0; i < wave.blocker_count; ++i) {
    const Blocker& blocker = wave.blockers[i];
    current_ = is_of_previous(blocker.reason) ? &tally(*wave.previous) : own;
    account(wave, blocker.reason, std::min(blocker.until, time));
  }
  current_ = own;
  account(wave, unit_reason(*wave.next), std::min(unit_ready_at, time));
  account(wave, Reason::kNotPicked, time);
}

void ComputeUnit::block(WaveContext& wave, Reason reason, std::uint64_t until) {
  if (until <= wave.issue_end || wave.blocker_count == wave.blockers.size()) return;
  wave.blockers[wave.blocker_count++] = {reason, until};
  wave.ready = std::max(wave.ready, until);
}

std::uint64_t ComputeUnit::fetch(WaveContext& wave, const StepFacts& facts, std::uint64_t time) {
  const std::uint32_t line_bytes = caches_.instruction.line_bytes();
  const std::uint64_t first = facts.offset_bytes / line_bytes;
  const std::uint64_t end = facts.offset_bytes + 4u * facts.dwords;
  const std::uint64_t last = (end - 1) / line_bytes;
  const auto request = [&](std::uint64_t line, std::uint64_t at) {
    const auto answer = caches_.instruction.request(shape_.code_base + line * line_bytes, at);
    count_fetch(answer, at);
    return answer.ready;
  };
  count_ifetch(wave, facts.offset_bytes, end);
  std::uint64_t ready = 0;
  const bool sequential = !wave.taken && wave.fetched_line != ~std::uint64_t{0};
  if (!sequential) {
    // The buffer is empty: the line, and the one behind it.
    ready = request(first, time) + spec_.fetch.hit_latency;
    wave.fetched_line = first;
    wave.next_line_ready = request(first + 1, time + 1);
  }
  if (last > wave.fetched_line) {
    ready = std::max(ready, wave.next_line_ready);
    wave.fetched_line = last;
    wave.next_line_ready = request(last + 1, std::max(time, ready));
  }
  return ready;
}

Result<void> ComputeUnit::prepare_next(WaveContext& wave, unsigned simd_index, unsigned slot) {
  auto next = wave.stepped->next();
  if (!next) return tl::unexpected(next.error());
  wave.next = *next;
  const StepFacts& facts = **next;
  wave.blocker_count = 0;
  wave.ready = wave.issue_end;
  if (wave.barrier_until != 0) block(wave, Reason::kWaitBarrier, wave.barrier_until);
  if (wave.sleep_until != 0) block(wave, Reason::kSleep, wave.sleep_until);
  std::uint64_t from = wave.issue_end;
  if (wave.branched) {
    block(wave, Reason::kWaitFetch, wave.branch_until);
    from = std::max(from, wave.branch_until);
  }
  block(wave, Reason::kWaitFetch, fetch(wave, facts, from));
  wave.taken = wave.branched = false;
  wave.barrier_until = wave.sleep_until = 0;
  if (facts.port == Port::kVector) {
    const bool after_matrix =
        simds_[simd_index].matrix_free == wave.vector_until && wave.vector_until > wave.issue_end;
    const bool waits = !after_matrix || facts.row->unit == isa::Unit::kMatrix;
    if (waits) {
      block(wave, after_matrix ? Reason::kIssueMatrix : Reason::kIssueValu, wave.vector_until);
    }
  }
  if (facts.row->unit == isa::Unit::kMatrix && wave.previous != nullptr &&
      wave.previous->packed_math) {
    block(wave, Reason::kWaitMatrix, wave.vector_until + spec_.matrix.after_packed);
  }
  block(wave, Reason::kWaitValu, wave.hazards.vector_ready(facts, spec_));
  block(wave, Reason::kWaitMatrix, wave.hazards.matrix_ready(facts, spec_));
  block_on_counters(wave, facts);
  Simd& simd = simds_[simd_index];
  simd.ready[slot] = wave.ready;
  return {};
}

void ComputeUnit::wait_for_counters(WaveContext& wave, const StepFacts& facts) {
  auto first = wave.vector_memory.down_to(facts.vmcnt_limit);
  auto second = wave.scalar_and_lds.down_to(facts.lgkmcnt_limit);
  // The shorter wait first: the rest is the longer one's.
  if (second.until < first.until) std::swap(first, second);
  account(wave, first.reason, first.until);
  account(wave, second.reason, second.until);
  wave.issue_end = std::max({wave.issue_end, first.until, second.until});
}

void ComputeUnit::block_on_counters(WaveContext& wave, const StepFacts& facts) {
  if (facts.port == Port::kVectorMemory) {
    const auto full = wave.vector_memory.down_to(spec_.vmem.outstanding_per_wave - 1);
    block(wave, Reason::kMemoryQueueFull, full.until);
  }
  const bool counts_lgkm = facts.port == Port::kLds || facts.may_reach_lds ||
                           facts.space == machine::MemorySpace::kScalar;
  if (counts_lgkm) {
    const auto full = wave.scalar_and_lds.down_to(kLgkmcntMost - 1);
    block(wave, Reason::kLdsQueueFull, full.until);
  }
}

}  // namespace wavetank::timing
