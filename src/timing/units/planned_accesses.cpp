#include "timing/units/planned_accesses.hpp"

namespace wavetank::timing {

ShiftedPlan PlannedAccesses::plan(const machine::Step& step, std::uint32_t line_bytes, bool write) {
  const std::uint64_t lanes = step.lanes & ~step.lds_lanes;
  if (lanes == 0) return {&empty_, 0};
  const auto known = known_.find(step, ShapeKind::of(step, lanes, write ? 1 : 0));
  AddressPlan& plan = *known.value;
  if (known.is_new) {
    plan_accesses(step, line_bytes, write, plan);
    for (LineAccess& line : plan.lines) line.address -= known.shift;
    for (WriteRequest& request : plan.writes) request.address -= known.shift;
  }
  return {&plan, known.shift};
}

}  // namespace wavetank::timing
