// What the issue of an instruction takes, worked out once for each instruction of a program.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "machine/step.hpp"
#include "profile/reason.hpp"
#include "timing/spec.hpp"
#include "timing/units/issue_class.hpp"
#include "timing/units/slot_kinds.hpp"

namespace wavetank::timing {

/// True if doubles are what the row reads or writes.
bool works_on_f64(const isa::Row& row);

struct IssueCost {
  const machine::StepFacts* facts = nullptr;
  std::uint32_t cycles = 0;      ///< that it takes its port for, with all lanes
  std::uint32_t misaligned = 0;  ///< what lying off an 8-byte boundary costs the wave, not the unit
  bool by_lanes = false;         ///< `cycles` in proportion to those that are active
  bool shortens = false;         ///< the one behind it is put together sooner if it takes less
  bool is_matrix = false, accesses = false;  ///< memory or LDS
  /// Nothing but its own registers: what follows it is the next instruction, at once.
  bool is_plain = false;
  std::uint8_t unit = 0;                                      ///< that it waits for (UnitTimes)
  profile::Reason reason = profile::Reason::kIssueScalar;     ///< of its cycles ...
  profile::Reason unit_reason = profile::Reason::kNotPicked;  ///< ... and of those for its unit
  SlotKinds kinds;
  IssueClass kind = IssueClass::kInternal;  ///< for counters
  std::uint32_t lane_operations = 0;        ///< arithmetic ones, of each active lane ...
  std::uint32_t operations = 0;             ///< ... and of all together

  static IssueCost of(const machine::StepFacts& facts, const TimingSpec& spec);
  /// Cycles for which it takes its port with these lanes active.
  std::uint32_t cycles_of(std::uint64_t exec) const {
    if (!by_lanes) return cycles;
    constexpr std::uint32_t kLanes = 64;
    return (cycles * static_cast<std::uint32_t>(std::popcount(exec)) + kLanes - 1) / kLanes;
  }
};

/// Those of the instructions that a host thread has seen.
class IssueCosts {
 public:
  /// A reference holds until another instruction is asked for. `spec` is the same in all calls.
  const IssueCost& of(const machine::StepFacts& facts, const TimingSpec& spec) {
    if (facts.index >= count_ || known_[facts.index].facts != &facts) [[unlikely]]
      add(facts, spec);
    return known_[facts.index];
  }

 private:
  [[gnu::noinline]] void add(const machine::StepFacts& facts, const TimingSpec& spec) {
    if (facts.index >= count_) {
      count_ = facts.index + 64;
      known_.resize(count_);
    }
    known_[facts.index] = IssueCost::of(facts, spec);
  }

  std::vector<IssueCost> known_;  ///< by StepFacts::index
  std::size_t count_ = 0;         ///< how many these are: their size takes a division
};

}  // namespace wavetank::timing
