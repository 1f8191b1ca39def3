// What changed between two runs, and by which reason.
#pragma once

#include <string>
#include <vector>

#include "profile/launch_profile.hpp"
#include "report/kernel_group.hpp"
#include "report/text.hpp"
#include "target/device.hpp"

namespace wavetank::report {

/// Kernels of two runs that are compared: the same name, else the order of appearance.
struct KernelPair {
  std::size_t before = 0;  ///< indices of groups
  std::size_t after = 0;
};

/// Pairs of groups: first those of the same name, then what is left in the order of launches.
std::vector<KernelPair> pair_kernels(const std::vector<profile::LaunchProfile>& before,
                                     const std::vector<KernelGroup>& before_groups,
                                     const std::vector<profile::LaunchProfile>& after,
                                     const std::vector<KernelGroup>& after_groups);

/// One kernel compared. Reasons are the cycles that the average wave slot spent on them, so that
/// their differences sum to that of the kernel's cycles.
std::string kernel_diff(const profile::LaunchProfile& before, const profile::LaunchProfile& after,
                        const target::Device& before_device, const target::Device& after_device,
                        const TextOptions& options);

}  // namespace wavetank::report
