#include "dispatch/limits.hpp"

#include <fmt/format.h>

#include "dispatch/resources.hpp"

namespace wavetank::dispatch {
namespace {

tl::unexpected<Error> refuse(const target::Device& device, const Launch& launch, std::string what,
                             std::string help = {}) {
  return fail(ErrorCode::kBadLaunch, fmt::format("{} on {}", what, device.marketing_name),
              fmt::format("kernel \"{}\"", launch.kernel->name), std::move(help));
}

}  // namespace

unsigned workgroups_per_cu(const target::Device& device, const code_object::Kernel& kernel,
                           std::uint32_t workgroup_work_items, std::uint32_t dynamic_lds_bytes) {
  const target::Resources resources = resources_of(kernel, workgroup_work_items, dynamic_lds_bytes);
  const auto answer = target::occupancy(device, resources);
  return answer ? answer->workgroups_per_cu : 0;
}

Result<void> check_launch(const target::Device& device, const Launch& launch) {
  const Dim3 group = launch.workgroup_work_items, grid = launch.grid_work_items;
  const std::uint64_t items = group.count();
  if (items == 0 || grid.count() == 0)
    return refuse(device, launch, "an empty grid or workgroup cannot run");
  if (items > device.max_workgroup_work_items) {
    return refuse(device, launch,
                  fmt::format("a workgroup of {} work-items ({} x {} x {}) exceeds the limit of {}",
                              items, group.x, group.y, group.z, device.max_workgroup_work_items),
                  "use a smaller block");
  }
  if (items > launch.kernel->max_flat_workgroup_size) {
    return refuse(
        device, launch,
        fmt::format("a workgroup of {} work-items exceeds the {} the kernel was compiled for",
                    items, launch.kernel->max_flat_workgroup_size),
        "raise __launch_bounds__ or use a smaller block");
  }
  const std::uint64_t lds =
      std::uint64_t{launch.kernel->group_segment_bytes} + launch.dynamic_lds_bytes;
  if (lds > device.lds_bytes_per_cu) {
    return refuse(
        device, launch,
        fmt::format("{} bytes of LDS ({} static, {} dynamic) exceed the {} of a workgroup", lds,
                    launch.kernel->group_segment_bytes, launch.dynamic_lds_bytes,
                    device.lds_bytes_per_cu));
  }
  const unsigned per_cu = workgroups_per_cu(
      device, *launch.kernel, static_cast<std::uint32_t>(items), launch.dynamic_lds_bytes);
  if (per_cu == 0)
    return refuse(device, launch, "the registers of one workgroup exceed a compute unit");
  const auto groups = [](std::uint32_t total, std::uint32_t one) {
    return (std::uint64_t{total} + one - 1) / one;
  };
  const std::uint64_t count =
      groups(grid.x, group.x) * groups(grid.y, group.y) * groups(grid.z, group.z);
  if (launch.cooperative && count > std::uint64_t{per_cu} * device.compute_units) {
    return refuse(
        device, launch,
        fmt::format("a cooperative grid of {} workgroups exceeds the {} that are resident together",
                    count, std::uint64_t{per_cu} * device.compute_units));
  }
  return {};
}

}  // namespace wavetank::dispatch
