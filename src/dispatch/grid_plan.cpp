#include "dispatch/grid_plan.hpp"

#include <algorithm>

namespace wavetank::dispatch {
namespace {

Dim3 group_id(std::uint64_t index, Dim3 groups) {
  if (groups.y == 1 && groups.z == 1) return {static_cast<std::uint32_t>(index), 0, 0};
  return {static_cast<std::uint32_t>(index % groups.x),
          static_cast<std::uint32_t>(index / groups.x % groups.y),
          static_cast<std::uint32_t>(index / (std::uint64_t{groups.x} * groups.y))};
}

/// Work-items of a workgroup in one dimension: fewer at the grid's edge.
std::uint32_t clipped(std::uint32_t grid, std::uint32_t group, std::uint32_t id) {
  return std::min(group, grid - id * group);
}

}  // namespace

Result<std::byte*> scratch_for_group(const GridPlan& plan) {
  const std::size_t bytes = std::size_t{64} * plan.shape.waves * plan.shape.scratch_bytes_per_lane;
  if (bytes == 0) return nullptr;
  std::byte* const scratch = plan.allocate_scratch(bytes);
  if (scratch != nullptr) return scratch;
  return fail(ErrorCode::kOutOfMemory, "no device memory is left for the kernel's scratch");
}

GroupPlace group_place(const GridPlan& plan, std::uint64_t index) {
  const Dim3 id = group_id(index, plan.groups);
  const Dim3 grid = plan.launch->grid_work_items, full = plan.launch->workgroup_work_items;
  return {index,
          id,
          {clipped(grid.x, full.x, id.x), clipped(grid.y, full.y, id.y),
           clipped(grid.z, full.z, id.z)}};
}

void start_group(const GridPlan& plan, std::uint64_t index, ResidentGroup& group) {
  group.start(plan.start, plan.start_program, plan.entry, group_place(plan, index));
}

}  // namespace wavetank::dispatch
