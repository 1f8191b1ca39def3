#include "timing/units/simd.hpp"

#include <algorithm>
#include <bit>
#include <ranges>

namespace wavetank::timing {

using machine::Port;
using machine::StepFacts;

namespace {

constexpr unsigned kOrderBits = 62;

/// Smaller is older and goes first: the priority (0 to 3) reversed, above the order of the starts.
/// A wave starts with priority 0.
std::uint64_t with_priority(std::uint64_t age, unsigned priority) {
  const std::uint64_t order = age & ((std::uint64_t{1} << kOrderBits) - 1);
  return order | std::uint64_t{3 - priority} << kOrderBits;
}

bool is_f64(const StepFacts& facts) {
  return facts.counter_class == isa::CounterClass::kAddF64 ||
         facts.counter_class == isa::CounterClass::kMulF64;
}

}  // namespace

bool works_on_f64(const isa::Row& row) {
  const auto is_f64 = [](const isa::Operand& operand) { return operand.type == isa::Type::kF64; };
  return is_f64(row.result) || std::ranges::any_of(row.sources, is_f64);
}

void Simd::start_launch() {
  occupied_ = 0;
  times_.clear();
  next_issue_ = kNever;
  vector_free_ = matrix_free_ = 0;
}

unsigned Simd::take_slot(machine::SteppedWave& wave, std::uint64_t order) {
  const auto slot = static_cast<unsigned>(std::countr_one(occupied_));
  occupied_ |= static_cast<std::uint8_t>(1u << slot);
  stepped_[slot] = &wave;
  age_[slot] = with_priority(order, 0);
  return slot;
}

void Simd::set_priority(unsigned slot, unsigned priority) {
  age_[slot] = with_priority(age_[slot], priority);
}

void Simd::set_next(unsigned slot, const StepFacts& facts, std::uint64_t time,
                    const MatrixSpec& matrix) {
  const bool shares = facts.packed_math && !matrix.packed_f32_coexecutes;
  const bool both = facts.port == Port::kVector && (facts.is_matrix() || shares);
  times_.set(slot, time, both ? kBothUnits : static_cast<std::uint8_t>(facts.port));
  kind_[slot] = {.port = facts.port,
                 .pairs = facts.pairs,
                 .f64 = is_f64(facts),
                 .meets_others = facts.meets_others};
}

Picks Simd::pick(std::uint64_t time, const UnitTimes& units, const IssueSpec& issue) {
  constexpr std::uint8_t kNone = kSlotsPerSimd;
  const SlotTimes::Ready at = times_.ready_at(time, units);
  if (at.slots == 0) {
    // Another SIMD took the unit that these wait for.
    next_issue_ = at.next;
    return {};
  }
  Picks picks;
  const auto first = static_cast<unsigned>(std::countr_zero(at.slots));
  if (std::has_single_bit(at.slots) && !(issue.dual_fma && kind_[first].pairs)) {
    picks.add(first);
    picks.meets_others = kind_[first].meets_others;
    return picks;
  }
  std::array<std::uint8_t, machine::kPortCount> oldest;
  oldest.fill(kNone);
  for (unsigned rest = at.slots; rest != 0; rest &= rest - 1) {
    const auto slot = static_cast<unsigned>(std::countr_zero(rest));
    const Port port = kind_[slot].port;
    if (port == Port::kInternal) {
      picks.add(slot);
      continue;
    }
    std::uint8_t& best = oldest[static_cast<std::size_t>(port)];
    if (best == kNone || age_[slot] < age_[best]) best = static_cast<std::uint8_t>(slot);
  }
  for (const std::uint8_t slot : oldest) {
    if (slot == kNone) continue;
    picks.add(slot);
    picks.meets_others |= kind_[slot].meets_others;
  }
  const std::uint8_t vector = oldest[static_cast<std::size_t>(Port::kVector)];
  if (issue.dual_fma && vector != kNone) {
    const unsigned second = partner_of(vector, time);
    picks.pairs = second != kNone;
    if (picks.pairs) picks.add(second);
  }
  return picks;
}

unsigned Simd::partner_of(unsigned vector, std::uint64_t time) const {
  unsigned best = kSlotsPerSimd;
  const Kind& first = kind_[vector];
  if (!first.pairs) return best;
  // Seconds of f64 operations take turns, those of f32 go by age: three waves take 7.5 cycles for
  // an operation each of f64, 8 of f32 (hibagus/SC25_AMD_CDNA3_Artifact, MI300X).
  const auto goes_before = [&](unsigned a, unsigned b) {
    const std::uint64_t issued_a = waves_[a].issue_end, issued_b = waves_[b].issue_end;
    if (first.f64 && issued_a != issued_b) return issued_a < issued_b;
    return age_[a] < age_[b];
  };
  for (unsigned rest = times_.awake(); rest != 0; rest &= rest - 1) {
    const auto slot = static_cast<unsigned>(std::countr_zero(rest));
    if (slot == vector || times_[slot] > time) continue;
    if (!kind_[slot].pairs || kind_[slot].f64 != first.f64) continue;
    if (best == kSlotsPerSimd || goes_before(slot, best)) best = slot;
  }
  return best;
}

void Simd::paired(const StepFacts& facts, std::uint64_t time, const IssueSpec& issue) {
  if (is_f64(facts)) vector_free_ = std::max(vector_free_, time + issue.pair_f64);
}

std::uint64_t Simd::occupy(WaveContext& wave, const StepFacts& facts, std::uint64_t time,
                           std::uint32_t cycles, const TimingSpec& spec) {
  wave.vector_is_matrix = facts.is_matrix();
  if (!wave.vector_is_matrix) {
    vector_free_ = std::max(vector_free_, time + cycles);
    wave.vector_until = time + cycles;
    return 0;
  }
  const isa::MatrixShape& shape = facts.row->matrix;
  const std::uint32_t execution = std::uint32_t{shape.passes} * spec.issue.slot_period;
  const std::uint32_t blocked =
      shape.co_executes_after_cycles != 0 ? shape.co_executes_after_cycles : execution;
  matrix_free_ = time + execution;
  vector_free_ = time + blocked;
  wave.vector_until = time + execution;
  return execution;
}

}  // namespace wavetank::timing
