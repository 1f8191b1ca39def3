#include "timing/units/issue_cost.hpp"

#include "timing/units/simd.hpp"

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

}  // namespace

IssueCost IssueCost::of(const StepFacts& facts, const TimingSpec& spec) {
  const bool valu = facts.port == Port::kVector && !facts.is_matrix();
  const bool straddles = valu && facts.dwords == 2 && facts.offset_bytes % 8 != 0;
  return {.facts = &facts,
          .cycles = issue_cycles(facts, spec),
          .by_lanes = valu && !spec.issue.idle_lanes_cost,
          .shortens = facts.port == Port::kVector,
          .misaligned = straddles ? spec.issue.misaligned_extra : 0,
          .reason = issue_reason(facts)};
}

}  // namespace wavetank::timing
