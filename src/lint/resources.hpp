// What a kernel takes of a compute unit.
#pragma once

#include "code_object/code_object.hpp"
#include "target/occupancy.hpp"

namespace wavetank::lint {

/// Registers and static LDS as the kernel's occupancy depends on them, for the largest workgroup
/// that it was compiled for. The registers are those that the kernel uses, or more if its
/// descriptor asks for more (amdgpu_waves_per_eu with a maximum).
target::Resources resources_of(const code_object::Kernel& kernel, const target::Device& device);

}  // namespace wavetank::lint
