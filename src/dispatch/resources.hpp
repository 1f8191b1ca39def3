// What a workgroup of a kernel takes of a CU.
#pragma once

#include <algorithm>
#include <cstdint>

#include "code_object/code_object.hpp"
#include "target/occupancy.hpp"

namespace wavetank::dispatch {

/// Of a workgroup of this shape. Registers are those that its descriptor makes the device give to
/// each wave: more than it uses where a kernel was compiled for few waves.
inline target::Resources resources_of(const code_object::Kernel& kernel,
                                      std::uint32_t workgroup_work_items,
                                      std::uint32_t dynamic_lds_bytes) {
  const std::uint32_t all = kernel.descriptor.vgpr_count;
  target::Resources resources;
  resources.arch_vgprs = std::min(kernel.descriptor.accum_offset, all);
  resources.acc_vgprs = all - resources.arch_vgprs;
  resources.sgprs = kernel.sgpr_count;
  resources.lds_bytes = kernel.group_segment_bytes + dynamic_lds_bytes;
  resources.workgroup_work_items = workgroup_work_items;
  return resources;
}

}  // namespace wavetank::dispatch
