#include "timing/units/issue_class.hpp"

#include "isa/skipping.hpp"

namespace wavetank::timing {
namespace {

using machine::StepFacts;

template <class Kind>
IssueClass nth(IssueClass first, Kind kind) {
  return static_cast<IssueClass>(static_cast<unsigned>(first) + static_cast<unsigned>(kind));
}

bool is_cache_control(const StepFacts& facts) {
  return facts.row->memory.action == isa::MemoryAction::kCacheControl;
}

/// Of `first` for reads and those behind it for writes and cache operations.
IssueClass memory_class(IssueClass first, const StepFacts& facts) {
  const isa::MemoryAction action = facts.row->memory.action;
  const bool writes = action == isa::MemoryAction::kStore ||
                      (action == isa::MemoryAction::kAtomic && !facts.returns);
  return is_cache_control(facts) ? nth(first, 2) : nth(first, writes ? 1 : 0);
}

}  // namespace

IssueClass issue_class(const StepFacts& facts) {
  switch (facts.row->unit) {
    case isa::Unit::kSalu: return IssueClass::kSalu;
    case isa::Unit::kBranch: return IssueClass::kBranch;
    case isa::Unit::kMessage: return IssueClass::kMessage;
    case isa::Unit::kLds: return IssueClass::kLds;
    case isa::Unit::kSmem:
      return is_cache_control(facts) ? IssueClass::kScalarCache : IssueClass::kScalarMemory;
    case isa::Unit::kVectorMemory: return memory_class(IssueClass::kVectorRead, facts);
    case isa::Unit::kFlat: return memory_class(IssueClass::kFlatRead, facts);
    case isa::Unit::kValu: return nth(IssueClass::kValu, facts.counter_class);
    case isa::Unit::kMatrix: return nth(IssueClass::kMatrix, facts.row->matrix.a);
    case isa::Unit::kInternal: break;
  }
  if (facts.row == &isa::kSkippedRow) return IssueClass::kSkipped;
  return facts.row->ends_flow(facts.immediate) ? IssueClass::kEnd : IssueClass::kInternal;
}

}  // namespace wavetank::timing
