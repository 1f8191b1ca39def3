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

/// A number of two runs.
struct Change {
  std::string name;
  std::string unit;
  double before = 0;
  double after = 0;
  double difference() const { return after - before; }
};

/// Cycles of the average wave slot by reason, and the launch overhead: they sum to the launch's
/// cycles. The largest difference first.
std::vector<Change> changes_by_reason(const profile::LaunchProfile& before,
                                      const profile::LaunchProfile& after);

/// The counters and metrics that explain a change, of those that changed by 5 % or more.
std::vector<Change> changed_metrics(const profile::LaunchProfile& before,
                                    const profile::LaunchProfile& after,
                                    const target::Device& before_device,
                                    const target::Device& after_device);

/// One kernel compared. Reasons are the cycles that the average wave slot spent on them, so that
/// their differences sum to that of the kernel's cycles.
std::string kernel_diff(const profile::LaunchProfile& before, const profile::LaunchProfile& after,
                        const target::Device& before_device, const target::Device& after_device,
                        const TextOptions& options);

}  // namespace wavetank::report
