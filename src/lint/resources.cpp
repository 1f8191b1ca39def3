#include "lint/resources.hpp"

#include <algorithm>

namespace wavetank::lint {
namespace {

std::uint32_t vgprs_of(const code_object::Kernel& kernel, const target::Device& device) {
  const std::uint32_t granule = device.vgpr_granule;
  const std::uint32_t allocated = (kernel.vgpr_count + granule - 1) / granule * granule;
  return allocated >= kernel.descriptor.vgpr_count ? kernel.vgpr_count
                                                   : kernel.descriptor.vgpr_count;
}

}  // namespace

target::Resources resources_of(const code_object::Kernel& kernel, const target::Device& device) {
  target::Resources resources;
  const std::uint32_t vgprs = vgprs_of(kernel, device);
  const std::uint32_t accumulators = std::min(kernel.agpr_count, kernel.vgpr_count);
  const std::uint32_t arch = vgprs != kernel.vgpr_count ? vgprs : vgprs - accumulators;
  resources.arch_vgprs = std::min(arch, target::kMaxVgprsPerWave);
  resources.acc_vgprs = vgprs - resources.arch_vgprs;
  resources.sgprs = kernel.sgpr_count;
  resources.lds_bytes = kernel.group_segment_bytes;
  resources.workgroup_work_items = kernel.max_flat_workgroup_size;
  return resources;
}

}  // namespace wavetank::lint
