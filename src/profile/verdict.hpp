// What bounds a launch, and the evidence: the one result that every report shows.
#pragma once

#include <string>
#include <vector>

#include "profile/finding.hpp"
#include "profile/hot_lines.hpp"
#include "profile/launch_profile.hpp"
#include "profile/roofline.hpp"
#include "profile/speed_of_light.hpp"
#include "profile/stall_stack.hpp"
#include "target/device.hpp"
#include "target/occupancy.hpp"

namespace wavetank::profile {

/// The limits of the decision, in the order they are asked; between the first two, whether a
/// resource is busy kBusyPercent of the time.
inline constexpr double kLaunchPercent = 50;  ///< of the cycles are launch overhead: kLaunch
inline constexpr double kTailPercent = 50;    ///< of the cycles are tail: kLaunch
inline constexpr double kSyncPercent = 30;    ///< of waves' cycles at barriers, fences: ...
                                              ///< kSynchronisation; else kLatency

/// Waves on a CU.
struct OccupancyVerdict {
  unsigned waves_per_cu = 0;  ///< that the resources admit
  unsigned max_waves_per_cu = 0;
  std::string limited_by;  ///< "LDS"
  double achieved_waves_per_cu = 0;
  double cu_percent = 0;  ///< OccupancyProfile::cu_percent
};

struct Verdict {
  Limit limit;
  double milliseconds = 0;
  std::vector<SpeedOfLight> speed_of_light;  ///< busiest first
  OccupancyVerdict occupancy;
  std::vector<StallShare> stack;
  std::vector<HotLine> hot_lines;
  Roofline roofline;
  std::vector<Finding> findings;  ///< weightiest first
};

/// What a wave and a workgroup of the launch take of a CU.
target::Resources resources_of(const LaunchProfile& launch);

/// Judges one launch of a run with so many.
Verdict judge(const LaunchProfile& launch, const target::Device& device,
              const LaunchCounts& launches = {});

}  // namespace wavetank::profile
