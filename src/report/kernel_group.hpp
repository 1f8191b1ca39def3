// Launches of one kernel that belong on one screen.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "profile/launch_profile.hpp"

namespace wavetank::report {

/// Launches of the same kernel with the same grid and workgroup on the same device.
struct KernelGroup {
  std::vector<std::size_t> launches;  ///< indices of profiles, in the order they ended
  std::uint64_t count = 0;            ///< launches that they stand for
  std::size_t shown = 0;              ///< the one of median length, or what that was merged into
  double mean_cycles = 0;
  std::uint64_t least_cycles = 0;
  std::uint64_t most_cycles = 0;
};

/// The kernel's name as people write it: without a leading "void ".
std::string display_name(const profile::LaunchProfile& launch);

/// The same without parameters: "mxv<128, 32>".
std::string short_name(const profile::LaunchProfile& launch);

/// The same in so many columns; of an average with "(mean of 936)".
std::string short_name(const profile::LaunchProfile& launch, std::size_t columns);

/// "the average of 936 launches" for a profile of merged ones; else nothing.
std::string average_text(const profile::LaunchProfile& launch);

/// The groups, in the order in which their first launches ended.
std::vector<KernelGroup> group_launches(const std::vector<profile::LaunchProfile>& launches);

}  // namespace wavetank::report
