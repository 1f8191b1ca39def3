// Memory accesses that a device makes beside its kernels: copies, fills, writes of a value.
#pragma once

#include <functional>
#include <string>

namespace wavetank::hip {

class VirtualDevice;

/// Runs an access; where it touches memory that is gone or closed, the process ends as for a
/// kernel's memory fault (device_failure.hpp). `what` names it for the diagnostic: "a fill of 64
/// bytes".
void run_device_access(VirtualDevice& device, const std::function<void()>& access,
                       const std::function<std::string()>& what);

}  // namespace wavetank::hip
