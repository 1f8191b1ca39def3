// The pictures of a run.
#pragma once

#include <string>
#include <vector>

#include "profile/verdict.hpp"
#include "report/kernel_group.hpp"

namespace wavetank::report {

/// A kernel with its verdict, as the plots need it.
struct PlottedKernel {
  const profile::LaunchProfile& launch;
  const profile::Verdict& verdict;
};

/// Roofline on logarithmic axes: all ceilings of the device, named and with numbers; each kernel a
/// point at its intensity of the level whose roof it is nearest to. Kernels without floating point
/// stand at the left edge at their bandwidth.
std::string roofline_svg(const target::Device& device, const std::vector<PlottedKernel>& kernels);

/// One bar for each kernel, all reasons in the same order and colours, each of 100 %.
std::string stall_stack_svg(const std::vector<PlottedKernel>& kernels);

/// Waves per CU against VGPRs, as the device admits them, with the kernel's place; the limits by
/// LDS and wave slots, and what was achieved, are lines across.
std::string occupancy_svg(const target::Device& device, const PlottedKernel& kernel);

}  // namespace wavetank::report
