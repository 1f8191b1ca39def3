// The screen of one kernel: the answer first, then the evidence.
#pragma once

#include <string>
#include <vector>

#include "profile/verdict.hpp"
#include "report/kernel_group.hpp"
#include "report/text.hpp"

namespace wavetank::report {

/// The screen of one group of launches; `verdict` is that of the shown launch.
std::string kernel_screen(const std::vector<profile::LaunchProfile>& launches,
                          const KernelGroup& group, const profile::Verdict& verdict,
                          const target::Device& device, const TextOptions& options);

/// The head of that screen: what was launched, how long it took and what bounds it.
std::string kernel_head(const std::vector<profile::LaunchProfile>& launches,
                        const KernelGroup& group, const profile::Verdict& verdict,
                        const target::Device& device, const TextOptions& options);

/// A table of all kernels of a run, the most expensive first, for runs with several.
std::string summary_table(const std::vector<profile::LaunchProfile>& launches,
                          const std::vector<KernelGroup>& groups, const TextOptions& options);

}  // namespace wavetank::report
