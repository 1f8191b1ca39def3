// Rules about what all waves of a launch queue for: the launch itself, the dispatcher,
// translations, the banks of DRAM, single channels of a memory level. For thresholds and pages see
// finding.cpp.
#pragma once

#include "profile/finding_parts.hpp"

namespace wavetank::profile {

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
