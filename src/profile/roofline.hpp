// Where a launch stands under the roofs of its device.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "profile/launch_profile.hpp"
#include "target/device.hpp"

namespace wavetank::profile {

/// The five regions of a roofline plot: two that no kernel can reach, two along the roof, and the
/// rest (AMD, "Advanced HIP": performance limiters).
enum class Region {
  kUnattainableCompute,
  kUnattainableBandwidth,
  kComputeBound,
  kBandwidthBound,
  kPoorPerformance,
};

/// "compute bound", "poor performance", ...
std::string_view text_of(Region region);

/// A launch belongs to the roof above it from this share of the attainable rate on.
inline constexpr double kNearRoofPercent = 50;

/// One slanted roof and the launch's traffic there.
struct RoofLevel {
  std::string name;  ///< "HBM"
  double bytes = 0;
  double bytes_per_second = 0;
  double peak_bytes_per_second = 0;
  double percent_of_peak = 0;
  double intensity = 0;  ///< FLOP per byte; 0 without traffic
  double ridge = 0;      ///< FLOP per byte at which the roof meets the flat one
};

struct Roofline {
  double seconds = 0;
  double flop = 0;  ///< floating point, or integer where there is none
  bool is_integer = false;
  double flop_per_second = 0;
  std::string peak_name;  ///< the flat roof that the arithmetic stands under: "FP64 vector"
  double peak_flop_per_second = 0;
  std::vector<RoofLevel> levels;             ///< with traffic, from the nearest to the farthest
  Region region = Region::kPoorPerformance;  ///< with respect to the nearest roof
  std::string nearest_roof;                  ///< the level or peak that the launch comes closest to
  double nearest_percent = 0;                ///< of that roof: the share of the attainable rate
};

/// The launch's place. The time is that of the device's clocks without launch overhead.
Roofline roofline(const LaunchProfile& launch, const target::Device& device);

}  // namespace wavetank::profile
