#include "timing/units/simd.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace wavetank::timing {

using machine::Port;

namespace {

constexpr std::uint8_t bit_of(unsigned slot) { return static_cast<std::uint8_t>(1u << slot); }

/// Sets or clears a slot's bit.
void set_bit(std::uint8_t& slots, unsigned slot, bool is_set) {
  slots =
      static_cast<std::uint8_t>((slots & ~bit_of(slot)) | (static_cast<unsigned>(is_set) << slot));
}

}  // namespace

std::uint64_t Simd::with_priority(std::uint64_t age, unsigned priority) {
  const std::uint64_t order = age & ((std::uint64_t{1} << kOrderBits) - 1);
  return order | std::uint64_t{3 - priority} << kOrderBits;
}

void Simd::start_launch() {
  occupied_ = 0;
  times_.clear();
  next_issue_ = kNever;
  vector_free_ = matrix_free_ = 0;
  issued_matrix_ = false;
}

unsigned Simd::take_slot(machine::SteppedWave& wave, std::uint64_t order_of_wave) {
  if (waves_.empty()) waves_.resize(kSlotsPerSimd);
  const auto slot = static_cast<unsigned>(std::countr_one(occupied_));
  occupied_ |= bit_of(slot);
  stepped_[slot] = &wave;
  age_[slot] = with_priority(order_of_wave, 0);
  order(slot);
  return slot;
}

void Simd::set_priority(unsigned slot, unsigned priority) {
  age_[slot] = with_priority(age_[slot], priority);
  order(slot);
}

void Simd::order(unsigned changed) {
  before_[changed] = 0;
  for (unsigned other = 0; other < kSlotsPerSimd; ++other) {
    if (other == changed) continue;
    set_bit(before_[changed], other, age_[other] < age_[changed]);
    set_bit(before_[other], changed, age_[changed] < age_[other]);
  }
}

Picks Simd::pick(std::uint64_t time, const IssueSpec& issue) {
  const SlotTimes::Ready at = times_.ready_at(time);
  Picks picks;
  if (at.slots == 0) {
    // Another SIMD took the unit that these wait for.
    next_issue_ = at.next;
    return picks;
  }
  unsigned chosen = 0;
  const auto choose = [&](unsigned slot) {
    picks.add(slot);
    chosen |= 1u << slot;
  };
  for (unsigned rest = at.slots & kinds_.of(Port::kInternal); rest != 0; rest &= rest - 1) {
    choose(static_cast<unsigned>(std::countr_zero(rest)));
  }
  if (const unsigned vector = at.slots & kinds_.of(Port::kVector)) choose(first_vector_of(vector));
  for (const Port port : {Port::kScalar, Port::kVectorMemory, Port::kLds, Port::kBranch}) {
    const unsigned slots = at.slots & kinds_.of(port);
    if (slots != 0) choose(first_of(slots));
  }
  const unsigned vector = chosen & kinds_.of(Port::kVector);
  picks.meets_others = (chosen & kinds_.meets_others()) != 0;
  if (issue.dual_fma && (vector & kinds_.pairs()) != 0) {
    const unsigned second = partner_of(static_cast<unsigned>(std::countr_zero(vector)), time);
    if (second != kSlotsPerSimd) picks.add(second);
  }
  return picks;
}

unsigned Simd::partner_of(unsigned vector, std::uint64_t time) const {
  unsigned others = times_.awake() & kinds_.pairs() & ~(1u << vector);
  for (unsigned rest = others; rest != 0; rest &= rest - 1) {
    const auto slot = static_cast<unsigned>(std::countr_zero(rest));
    if (times_[slot] > time) others &= ~(1u << slot);
  }
  return others == 0 ? kSlotsPerSimd : first_of(others);
}

std::uint64_t Simd::occupy_matrix(WaveContext& wave, const isa::MatrixShape& shape,
                                  std::uint64_t time, const IssueSpec& issue) {
  const std::uint32_t execution = std::uint32_t{shape.passes} * issue.slot_period;
  const std::uint32_t blocked =
      shape.co_executes_after_cycles != 0 ? shape.co_executes_after_cycles : execution;
  matrix_free_ = time + execution;
  vector_free_ = time + blocked;
  tell_units();
  wave.vector_until = time + execution;
  return execution;
}

}  // namespace wavetank::timing
