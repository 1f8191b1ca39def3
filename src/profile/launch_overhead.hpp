// What it costs a kernel to be launched.
#pragma once

#include "profile/launch_profile.hpp"
#include "target/device.hpp"

namespace wavetank::profile {

/// Launch overhead in percent of the time with it: the launch's own, or where its cycles begin with
/// the first workgroup, what the device needs around every kernel (launch.start_latency and
/// end_latency).
double launch_overhead_percent(const LaunchProfile& launch, const target::Device& device);

/// True if the overhead is not that of an idle device (launch.start_latency and end_latency): the
/// launch followed another one, and the queue decided when it began.
bool is_queued(const LaunchProfile& launch, const target::Device& device);

}  // namespace wavetank::profile
