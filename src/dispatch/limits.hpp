// What a device admits: checks of a launch, and workgroups per compute unit.
#pragma once

#include "base/error.hpp"
#include "dispatch/launch.hpp"
#include "target/device.hpp"

namespace wavetank::dispatch {

/// Checks a launch against the device. Errors: kBadLaunch, naming the limit and the device.
Result<void> check_launch(const target::Device& device, const Launch& launch);

/// Workgroups of this shape on one CU; 0 if none fits.
unsigned workgroups_per_cu(const target::Device& device, const code_object::Kernel& kernel,
                           std::uint32_t workgroup_work_items, std::uint32_t dynamic_lds_bytes);

}  // namespace wavetank::dispatch
