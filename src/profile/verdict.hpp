// What bounds a launch, and the evidence: the one result that every report shows.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "profile/finding.hpp"
#include "profile/hot_lines.hpp"
#include "profile/launch_profile.hpp"
#include "profile/roofline.hpp"
#include "profile/stall_stack.hpp"
#include "target/device.hpp"

namespace wavetank::profile {

/// What bounds a launch.
enum class Bound { kCompute, kMemory, kLatency, kSynchronisation, kLaunch };

/// The page of `wavetank explain` about it: "compute-bound".
std::string_view explain_page_of(Bound bound);

/// The limits of the decision, in the order they are asked.
inline constexpr double kLaunchPercent = 50;  ///< of the cycles are launch overhead: kLaunch
inline constexpr double kBusyPercent = 60;    ///< a unit or level is busy: kCompute, kMemory
inline constexpr double kAboutAsBusy = 0.75;  ///< of the busiest item: a farther level explains it
inline constexpr double kTailPercent = 50;    ///< of the cycles are tail: kLaunch
inline constexpr double kSyncPercent = 30;    ///< of waves' cycles at barriers, fences: ...
                                              ///< kSynchronisation; else kLatency

/// How near its peak a unit or a memory level was.
struct SpeedOfLight {
  std::string name;    ///< "VALU", "HBM"
  double percent = 0;  ///< busy
  bool is_memory = false;
  std::string detail;  ///< "986.9 of 1638.4 GB/s"; empty for units
};

/// Waves on a CU.
struct OccupancyVerdict {
  unsigned waves_per_cu = 0;  ///< that the resources admit
  unsigned max_waves_per_cu = 0;
  std::string limited_by;  ///< "LDS"
  double achieved_waves_per_cu = 0;
};

struct Verdict {
  Bound bound = Bound::kLatency;
  std::string what;     ///< "HBM bandwidth", "the VALU", "the latency of vector memory"
  std::string because;  ///< the numbers that prove it, one sentence
  double milliseconds = 0;
  std::vector<SpeedOfLight> speed_of_light;  ///< busiest first
  OccupancyVerdict occupancy;
  std::vector<StallShare> stack;
  std::vector<HotLine> hot_lines;
  Roofline roofline;
  std::vector<Finding> findings;  ///< weightiest first
};

/// Judges one launch.
Verdict judge(const LaunchProfile& launch, const target::Device& device);

}  // namespace wavetank::profile
