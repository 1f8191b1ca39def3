// A SIMD: eight wave slots, a vector and a matrix unit. The sequencer looks at it every fourth
// cycle and issues up to one instruction of each kind, each from another wave, oldest first.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "machine/step.hpp"
#include "timing/spec.hpp"
#include "timing/units/issue_cost.hpp"
#include "timing/units/slot_kinds.hpp"
#include "timing/units/slot_times.hpp"
#include "timing/units/wave_context.hpp"

namespace wavetank::timing {

/// The slots whose waves issue in a cycle, in the order of their issue.
struct Picks {
  void add(unsigned slot) { slots_ |= slot << kBits * count_++; }
  unsigned count() const { return count_; }
  unsigned operator[](unsigned i) const { return slots_ >> kBits * i & ((1u << kBits) - 1); }
  bool meets_others = false;  ///< one of the instructions does

 private:
  // In one word, which is handed over in a register.
  static constexpr unsigned kBits = 4;
  static_assert(kSlotsPerSimd <= 1u << kBits && kSlotsPerSimd * kBits <= 32);
  std::uint32_t slots_ = 0, count_ = 0;
};

class Simd {
 public:
  void start_launch();
  unsigned resident() const { return static_cast<unsigned>(std::popcount(occupied_)); }
  /// A free slot for the next wave in age. There must be one.
  unsigned take_slot(machine::SteppedWave& wave, std::uint64_t order);
  void free_slot(unsigned slot) {
    occupied_ &= static_cast<std::uint8_t>(~(1u << slot));
    hold(slot);
  }
  WaveContext& wave(unsigned slot) { return waves_[slot]; }
  /// Calls visit(slot, wave) for each wave.
  template <class Visit>
  void for_each(Visit visit) {
    for (unsigned rest = occupied_; rest != 0; rest &= rest - 1) {
      const auto slot = static_cast<unsigned>(std::countr_zero(rest));
      visit(slot, waves_[slot]);
    }
  }

  /// A unit that SIMDs share takes another instruction of this one from `time` on.
  void set_unit(machine::Port port, std::uint64_t time) {
    times_.set_unit(static_cast<std::uint8_t>(port), time);
  }
  /// When the unit takes one that the slot's next instruction waits for.
  std::uint64_t unit_time(unsigned slot) const { return times_.unit_time(times_.unit_of(slot)); }
  /// The next cycle in which a wave may issue; kNever if none can without others.
  std::uint64_t next_issue() const { return next_issue_; }
  /// Finds it anew, not before `after`.
  void look_ahead(std::uint64_t after) {
    const std::uint64_t next = times_.earliest();
    next_issue_ = next == kNever ? kNever : std::max(next, after);
  }
  /// The slot's next instruction, which may issue from `time` on.
  void set_next(unsigned slot, const IssueCost& next, std::uint64_t time) {
    times_.set(slot, time, next.unit);
    kinds_.set(slot, next.kinds);
  }
  /// Nobody knows yet when the slot's next instruction may issue, or there is none.
  void hold(unsigned slot) { times_.hold(slot); }
  /// Lets the host bring what issues before `end` will look at ...
  void prefetch(std::uint64_t end) const {
    for_each_before(end, [&](unsigned slot) {
      waves_[slot].prefetch();
      __builtin_prefetch(stepped_[slot]);
    });
  }
  /// ... and, when that is there, what executing it will touch.
  void prefetch_steps(std::uint64_t end) const {
    for_each_before(end, [&](unsigned slot) { stepped_[slot]->prefetch(); });
  }
  void set_priority(unsigned slot, unsigned priority);
  /// What issues at `time`. If that is nothing, next_issue() is found anew.
  Picks pick(std::uint64_t time, const IssueSpec& issue);

  /// A vector or matrix instruction of `wave` issues at `time`, taking `cycles`. Gives the cycles
  /// for which the matrix unit works.
  std::uint64_t occupy(WaveContext& wave, const IssueCost& cost, std::uint64_t time,
                       std::uint32_t cycles, const TimingSpec& spec) {
    wave.vector_is_matrix = issued_matrix_ = cost.is_matrix;
    if (cost.is_matrix) return occupy_matrix(wave, cost.facts->row->matrix, time, spec.issue);
    occupy_vector(time + cycles);
    wave.vector_until = time + cycles;
    return 0;
  }

 private:
  /// Calls visit(slot) for each wave that may issue before `end`.
  template <class Visit>
  void for_each_before(std::uint64_t end, Visit visit) const {
    if (next_issue_ >= end) return;
    for (unsigned rest = times_.awake(); rest != 0; rest &= rest - 1) {
      const auto slot = static_cast<unsigned>(std::countr_zero(rest));
      if (times_[slot] < end) visit(slot);
    }
  }
  /// The slot of some, one bit each, whose wave goes first: by priority, then by age.
  unsigned first_of(unsigned slots) const {
    while (true) {
      const auto slot = static_cast<unsigned>(std::countr_zero(slots));
      const unsigned before = slots & before_[slot];
      if (before == 0) return slot;
      slots = before;
    }
  }
  /// The slot of some with vector or matrix instructions that issues: the first, but behind a
  /// vector instruction an MFMA of no lower priority. Two waves that have MFMAs and v_exp_f32 take
  /// 20 cycles for one of each, whichever is older (tingqli/pyhip, gfx942).
  unsigned first_vector_of(unsigned slots) const {
    const unsigned first = first_of(slots), matrix = slots & kinds_.matrix();
    if (matrix == 0 || issued_matrix_) return first;
    const unsigned product = first_of(matrix);
    return priority_of(product) < priority_of(first) ? first : product;
  }
  /// Smaller is older and goes first: the priority (0 to 3) reversed, above the order of the
  /// starts. A wave starts with priority 0.
  static std::uint64_t with_priority(std::uint64_t age, unsigned priority);
  unsigned priority_of(unsigned slot) const {
    return 3 - static_cast<unsigned>(age_[slot] >> kOrderBits);
  }
  /// The wave whose operation issues together with that of slot `vector`; kSlotsPerSimd: none.
  unsigned partner_of(unsigned vector, std::uint64_t time) const;
  void occupy_vector(std::uint64_t until) {
    vector_free_ = std::max(vector_free_, until);
    tell_units();
  }
  void tell_units() {
    times_.set_unit(static_cast<std::uint8_t>(machine::Port::kVector), vector_free_);
    times_.set_unit(kBothUnits, std::max(vector_free_, matrix_free_));
  }
  std::uint64_t occupy_matrix(WaveContext& wave, const isa::MatrixShape& shape, std::uint64_t time,
                              const IssueSpec& issue);
  /// Finds before_ anew: slot `changed` has another age.
  void order(unsigned changed);

  /// Of an age, below the priority.
  static constexpr unsigned kOrderBits = 62;

  std::vector<WaveContext> waves_;  ///< of all slots, once one was taken
  std::array<const machine::SteppedWave*, kSlotsPerSimd> stepped_ = {};
  SlotTimes times_;  ///< of next instructions
  // What decides about their issue, without a look at their facts: one bit for each slot.
  SlotKinds kinds_;
  /// With priorities. Free slots count for nothing.
  std::array<std::uint64_t, kSlotsPerSimd> age_ = {};
  std::array<std::uint8_t, kSlotsPerSimd> before_ = {};  ///< the slots that go before each
  std::uint8_t occupied_ = 0;
  bool issued_matrix_ = false;  ///< the last of vector and matrix instructions was for the latter
  std::uint64_t next_issue_ = kNever;
  std::uint64_t vector_free_ = 0, matrix_free_ = 0;
};

}  // namespace wavetank::timing
