#include "timing/units/issue_cost.hpp"

#include <algorithm>

#include "timing/units/slot_times.hpp"

namespace wavetank::timing {
namespace {

using machine::Port;
using machine::StepFacts;
using profile::Reason;

std::uint32_t valu_cycles(isa::Rate rate, const IssueSpec& issue) {
  switch (rate) {
    case isa::Rate::kFull: return issue.valu_full;
    case isa::Rate::kDouble: return issue.valu_double;
    case isa::Rate::kQuarter: return issue.valu_quarter;
    case isa::Rate::kTranscendental: return issue.valu_transcendental;
  }
  return issue.valu_full;
}

/// As float instructions would be: what computes takes as long.
std::uint32_t cycles_as_f32(const StepFacts& facts, const IssueSpec& issue) {
  return facts.row->rate == isa::Rate::kTranscendental ? issue.valu_transcendental
                                                       : issue.valu_full;
}

std::uint32_t issue_cycles(const StepFacts& facts, const TimingSpec& spec) {
  if (facts.port == Port::kScalar) return spec.issue.salu;
  if (facts.port != Port::kVector) return spec.issue.slot_period;
  if (facts.is_matrix()) return spec.matrix.issue;
  const bool as_f32 = spec.issue.f64_as_f32 && works_on_f64(*facts.row);
  return as_f32 ? cycles_as_f32(facts, spec.issue) : valu_cycles(facts.row->rate, spec.issue);
}

Reason issue_reason(const StepFacts& facts) {
  switch (facts.row->unit) {
    case isa::Unit::kValu: return Reason::kIssueValu;
    case isa::Unit::kMatrix: return Reason::kIssueMatrix;
    case isa::Unit::kLds: return Reason::kIssueLds;
    case isa::Unit::kVectorMemory:
    case isa::Unit::kFlat: return Reason::kIssueMemory;
    default: return Reason::kIssueScalar;
  }
}

Reason reason_of_unit(Port port) {
  switch (port) {
    case Port::kVectorMemory: return Reason::kMemoryQueueFull;
    case Port::kLds: return Reason::kLdsQueueFull;
    default: return Reason::kNotPicked;
  }
}

}  // namespace

bool works_on_f64(const isa::Row& row) {
  const auto is_f64 = [](const isa::Operand& operand) { return operand.type == isa::Type::kF64; };
  return is_f64(row.result) || std::ranges::any_of(row.sources, is_f64);
}

IssueCost IssueCost::of(const StepFacts& facts, const TimingSpec& spec) {
  const bool vector = facts.port == Port::kVector, matrix = facts.is_matrix();
  const bool valu = vector && !matrix;
  const bool straddles = valu && facts.dwords == 2 && facts.offset_bytes % 8 != 0;
  const bool shares = facts.packed_math && !spec.matrix.packed_f32_coexecutes;
  const bool both = vector && (matrix || shares);
  const bool accesses = facts.row->memory.action != isa::MemoryAction::kNone;
  return {.facts = &facts,
          .cycles = issue_cycles(facts, spec),
          .misaligned = straddles ? spec.issue.misaligned_extra : 0,
          .by_lanes = valu && !spec.issue.idle_lanes_cost,
          .shortens = vector,
          .is_matrix = matrix,
          .accesses = accesses,
          .is_plain = vector || (facts.port == Port::kScalar && !accesses),
          .unit = both ? kBothUnits : static_cast<std::uint8_t>(facts.port),
          .reason = issue_reason(facts),
          .unit_reason = reason_of_unit(facts.port),
          .kinds = SlotKinds(facts),
          .kind = issue_class(facts),
          .lane_operations = valu ? facts.operations : 0u,
          .operations = matrix ? facts.row->matrix.operations() : 0};
}

}  // namespace wavetank::timing
