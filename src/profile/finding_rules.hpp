// The rules of findings, each a function of what it looks at and its threshold (advice.cpp has them
// in a table, with thresholds and pages).
#pragma once

#include "profile/finding.hpp"

namespace wavetank::profile {

// How instructions access memory and LDS (finding_rules_memory.cpp).
Found strided_fields_found(const FindingInput& in, double threshold);
Found uncoalesced_found(const FindingInput& in, double threshold);
Found misaligned_found(const FindingInput& in, double threshold);
Found narrow_accesses_found(const FindingInput& in, double threshold);
Found uniform_loads_found(const FindingInput& in, double threshold);
Found spill_found(const FindingInput& in, double threshold);
Found swap_loop_found(const FindingInput& in, double threshold);
Found atomics_found(const FindingInput& in, double threshold);
Found lds_conflict_found(const FindingInput& in, double threshold);

// What vector instructions do (finding_rules_code.cpp).
Found division_found(const FindingInput& in, double threshold);
Found slow_functions_found(const FindingInput& in, double threshold);
Found double_precision_found(const FindingInput& in, double threshold);
Found divergence_found(const FindingInput& in, double threshold);
Found matrix_unit_found(const FindingInput& in, double threshold);

// The launch's shape, and waits (finding_rules_launch.cpp).
Found occupancy_found(const FindingInput& in, double threshold);
Found small_grid_found(const FindingInput& in, double threshold);
Found tail_effect_found(const FindingInput& in, double threshold);
Found workgroup_shape_found(const FindingInput& in, double threshold);
Found barrier_found(const FindingInput& in, double threshold);
Found fence_found(const FindingInput& in, double threshold);
Found fetch_found(const FindingInput& in, double threshold);
Found fusion_found(const FindingInput& in, double threshold);
Found die_order_found(const FindingInput& in, double threshold);

// What all waves of a launch queue for: the launch itself, the dispatcher, translations, the banks
// of DRAM, single channels of a memory level (finding_rules_contention.cpp).

/// A launch on an idle device that is mostly overhead.
Found launch_overhead_found(const FindingInput& in, double threshold);
/// Launches behind each other that are.
Found launch_queue_found(const FindingInput& in, double threshold);
/// L2s that write back after the last wave.
Found write_back_found(const FindingInput& in, double threshold);
/// Waves end as fast as shader engines start them.
Found dispatcher_found(const FindingInput& in, double threshold);
/// CUs that walk more pages than they keep translations.
Found translation_found(const FindingInput& in, double threshold);
/// Rows of DRAM that are opened for a part of their bytes.
Found dram_rows_found(const FindingInput& in, double threshold);
/// Some channels of a level that work for the others.
Found channels_found(const FindingInput& in, double threshold);

}  // namespace wavetank::profile
