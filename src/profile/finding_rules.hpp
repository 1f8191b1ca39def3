// The rules of findings, each a function of what it looks at and its threshold (finding.cpp has
// them in a table); contention.hpp has those about what all waves queue for.
#pragma once

#include "profile/finding_parts.hpp"

namespace wavetank::profile {

// How instructions access memory and LDS (finding_memory.cpp).
Found strided_fields_found(const FindingInput& in, double threshold);
Found uncoalesced_found(const FindingInput& in, double threshold);
Found misaligned_found(const FindingInput& in, double threshold);
Found narrow_accesses_found(const FindingInput& in, double threshold);
Found uniform_loads_found(const FindingInput& in, double threshold);
Found spill_found(const FindingInput& in, double threshold);
Found swap_loop_found(const FindingInput& in, double threshold);
Found atomics_found(const FindingInput& in, double threshold);
Found lds_conflict_found(const FindingInput& in, double threshold);

// What vector instructions do (finding_code.cpp).
Found division_found(const FindingInput& in, double threshold);
Found slow_functions_found(const FindingInput& in, double threshold);
Found double_precision_found(const FindingInput& in, double threshold);
Found divergence_found(const FindingInput& in, double threshold);
Found matrix_unit_found(const FindingInput& in, double threshold);

// The launch's shape, and waits (finding_launch.cpp).
Found occupancy_found(const FindingInput& in, double threshold);
Found small_grid_found(const FindingInput& in, double threshold);
Found tail_effect_found(const FindingInput& in, double threshold);
Found workgroup_shape_found(const FindingInput& in, double threshold);
Found barrier_found(const FindingInput& in, double threshold);
Found fence_found(const FindingInput& in, double threshold);
Found fetch_found(const FindingInput& in, double threshold);
Found fusion_found(const FindingInput& in, double threshold);
Found die_order_found(const FindingInput& in, double threshold);

}  // namespace wavetank::profile
