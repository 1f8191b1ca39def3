// What a launch is timed with, and how that is changed to time it again.
#pragma once

#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "target/device.hpp"
#include "timing/launch_setup.hpp"
#include "timing/spec.hpp"

namespace wavetank::timing {

struct Scenario {
  target::Device device;        ///< whose numbers `spec` has
  target::Resources resources;  ///< of the kernel, by which `setup` has its occupancy
  TimingSpec spec;
  LaunchSetup setup;
};

/// The scenario with a change (profile::parse_change()). Errors: kUsage; kBadDevice for a device
/// that cannot be.
Result<Scenario> changed(Scenario scenario, std::string_view change);

/// The names of the rows that the model knows what to do with: all of them.
std::vector<std::string_view> bound_changes();

}  // namespace wavetank::timing
