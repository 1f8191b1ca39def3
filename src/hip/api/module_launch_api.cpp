// HIP API: launches of module functions, and launches over several devices.
#include <cstring>
#include <span>
#include <vector>

#include "hip/api/entry.hpp"
#include "hip/runtime/code/fat_binary.hpp"
#include "hip/runtime/event.hpp"
#include "hip/runtime/failure.hpp"
#include "hip/runtime/launch.hpp"

using namespace wavetank;
using namespace wavetank::hip;
using abi::Status;

namespace {

bool takes_arguments(const Function& function) {
  for (const auto& argument : function.kernel.arguments) {
    if (argument.is_explicit()) return true;
  }
  return false;
}

/// What a grid is counted in.
enum class GridUnit : bool { kBlocks, kWorkItems };

struct ModuleLaunch {
  Function* function;
  Dim3 grid;
  Dim3 block;
  std::size_t shared_bytes;
  void** arguments;
  void** extra;
  GridUnit unit = GridUnit::kBlocks;
};

Status launch_on(const ModuleLaunch& wanted, LaunchRequest request, Stream& stream) {
  if (!is_function(wanted.function)) return Status::kInvalidHandle;
  if (wanted.arguments != nullptr && wanted.extra != nullptr) return Status::kInvalidValue;
  if (wanted.arguments == nullptr && wanted.extra == nullptr && takes_arguments(*wanted.function)) {
    return Status::kInvalidValue;
  }
  request.function = wanted.function;
  if (wanted.unit == GridUnit::kWorkItems) {
    request.grid_work_items = wanted.grid;
    request.workgroup_work_items = wanted.block;
  } else if (const Status status = set_shape(wanted.grid, wanted.block, request);
             status != Status::kSuccess) {
    return status;
  }
  request.dynamic_lds_bytes = wanted.shared_bytes;
  request.arguments = wanted.arguments;
  if (wanted.extra != nullptr) {
    const Status status = read_launch_extra(wanted.extra, request);
    if (status != Status::kSuccess) return status;
  }
  return launch(request, stream);
}

/// A shape that cannot be has another error here than in functions that launch by host function.
Status launch_function(const ModuleLaunch& wanted, void* stream_handle,
                       LaunchRequest request = {}) {
  request.bad_shape = Status::kInvalidValue;
  return api::call_with_stream(
      stream_handle, [&](Stream& stream) { return launch_on(wanted, request, stream); },
      Status::kInvalidValue);
}

/// One grid of a launch over several devices.
struct GridLaunch {
  Function* function;
  Dim3 grid;
  Dim3 block;
  std::size_t shared_bytes;
  Stream* stream;
  void** arguments;
};

Status launch_grids(const std::vector<GridLaunch>& grids, bool cooperative) {
  MultiGrid multi_grid{.grid_count = static_cast<std::uint32_t>(grids.size())};
  if (cooperative) {
    auto sync = grids.front().stream->device().kernargs().allocate(8);
    if (!sync) return Status::kOutOfMemory;
    multi_grid.sync = std::move(*sync);
  }
  for (const GridLaunch& grid : grids) {
    multi_grid.work_items_total += grid.grid.count() * grid.block.count();
  }
  for (const GridLaunch& grid : grids) {
    LaunchRequest request;
    request.cooperative = cooperative;
    request.multi_grid = multi_grid;
    const ModuleLaunch wanted{grid.function,     grid.grid,      grid.block,
                              grid.shared_bytes, grid.arguments, nullptr};
    const Status status = launch_on(wanted, request, *grid.stream);
    if (status != Status::kSuccess) return status;
    ++multi_grid.grid_id;
    multi_grid.work_items_before += grid.grid.count() * grid.block.count();
  }
  return Status::kSuccess;
}

Status launch_host_functions(const abi::LaunchParams* launches, int count, bool cooperative) {
  return api::call_with_device([&](VirtualDevice&) {
    if (launches == nullptr || count <= 0) return Status::kInvalidValue;
    if (count > Runtime::instance().device_count()) return Status::kInvalidValue;
    std::vector<GridLaunch> grids;
    for (const abi::LaunchParams& wanted : std::span(launches, static_cast<std::size_t>(count))) {
      Stream* stream = api::resolve_stream(wanted.stream);
      if (stream == nullptr) return Status::kInvalidValue;
      auto function = Registry::instance().function(wanted.function, stream->device());
      if (!function) return Status::kInvalidDeviceFunction;
      grids.push_back(
          {*function, wanted.grid, wanted.block, wanted.shared_bytes, stream, wanted.arguments});
    }
    return launch_grids(grids, cooperative);
  });
}

}  // namespace

WAVETANK_API Status hipModuleLaunchKernel(Function* function, unsigned grid_x, unsigned grid_y,
                                          unsigned grid_z, unsigned block_x, unsigned block_y,
                                          unsigned block_z, unsigned shared_bytes, void* stream,
                                          void** arguments, void** extra) {
  LaunchRequest request;
  request.limited_grid = true;
  return launch_function({function,
                          {grid_x, grid_y, grid_z},
                          {block_x, block_y, block_z},
                          shared_bytes,
                          arguments,
                          extra},
                         stream, request);
}

// Unlike hipModuleLaunchKernel this takes the grid in work-items, not necessarily whole blocks.
WAVETANK_API Status hipExtModuleLaunchKernel(Function* function, std::uint32_t grid_x,
                                             std::uint32_t grid_y, std::uint32_t grid_z,
                                             std::uint32_t block_x, std::uint32_t block_y,
                                             std::uint32_t block_z, std::size_t shared_bytes,
                                             void* stream, void** arguments, void** extra,
                                             Event* start, Event* stop, std::uint32_t) {
  LaunchRequest request;
  request.start = start;
  request.stop = stop;
  return launch_function({function,
                          {grid_x, grid_y, grid_z},
                          {block_x, block_y, block_z},
                          shared_bytes,
                          arguments,
                          extra,
                          GridUnit::kWorkItems},
                         stream, request);
}

WAVETANK_API Status hipHccModuleLaunchKernel(Function* function, std::uint32_t grid_x,
                                             std::uint32_t grid_y, std::uint32_t grid_z,
                                             std::uint32_t block_x, std::uint32_t block_y,
                                             std::uint32_t block_z, std::size_t shared_bytes,
                                             void* stream, void** arguments, void** extra,
                                             Event* start, Event* stop) {
  return hipExtModuleLaunchKernel(function, grid_x, grid_y, grid_z, block_x, block_y, block_z,
                                  shared_bytes, stream, arguments, extra, start, stop, 0);
}

// The same two functions under the names that hip_ext.h gives them in C++.
namespace wavetank::hip {

[[gnu::visibility("default")]] Status ext_module_launch(
    Function*, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t,
    std::uint32_t, std::size_t, void*, void**, void**, Event*, Event*, std::uint32_t)
    __asm__("_Z24hipExtModuleLaunchKernelP18ihipModuleSymbol_tjjjjjjmP12ihipStream_tPPvS4_"
            "P11ihipEvent_tS6_j");
[[gnu::visibility("default")]] Status hcc_module_launch(
    Function*, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t,
    std::uint32_t, std::size_t, void*, void**, void**, Event*, Event*)
    __asm__("_Z24hipHccModuleLaunchKernelP18ihipModuleSymbol_tjjjjjjmP12ihipStream_tPPvS4_"
            "P11ihipEvent_tS6_");

Status ext_module_launch(Function* function, std::uint32_t grid_x, std::uint32_t grid_y,
                         std::uint32_t grid_z, std::uint32_t block_x, std::uint32_t block_y,
                         std::uint32_t block_z, std::size_t shared_bytes, void* stream,
                         void** arguments, void** extra, Event* start, Event* stop,
                         std::uint32_t flags) {
  return hipExtModuleLaunchKernel(function, grid_x, grid_y, grid_z, block_x, block_y, block_z,
                                  shared_bytes, stream, arguments, extra, start, stop, flags);
}

Status hcc_module_launch(Function* function, std::uint32_t grid_x, std::uint32_t grid_y,
                         std::uint32_t grid_z, std::uint32_t block_x, std::uint32_t block_y,
                         std::uint32_t block_z, std::size_t shared_bytes, void* stream,
                         void** arguments, void** extra, Event* start, Event* stop) {
  return hipExtModuleLaunchKernel(function, grid_x, grid_y, grid_z, block_x, block_y, block_z,
                                  shared_bytes, stream, arguments, extra, start, stop, 0);
}

}  // namespace wavetank::hip

WAVETANK_API Status hipModuleLaunchCooperativeKernel(Function* function, unsigned grid_x,
                                                     unsigned grid_y, unsigned grid_z,
                                                     unsigned block_x, unsigned block_y,
                                                     unsigned block_z, unsigned shared_bytes,
                                                     void* stream, void** arguments) {
  LaunchRequest request;
  request.cooperative = true;
  return launch_function({function,
                          {grid_x, grid_y, grid_z},
                          {block_x, block_y, block_z},
                          shared_bytes,
                          arguments,
                          nullptr},
                         stream, request);
}

WAVETANK_API Status hipDrvLaunchKernelEx(const abi::DriverLaunchConfiguration* configuration,
                                         Function* function, void** arguments, void** extra) {
  if (configuration == nullptr) return api::remember(Status::kInvalidConfiguration);
  LaunchRequest request;
  const Status status =
      read_launch_attributes(configuration->attributes, configuration->attribute_count, request);
  if (status != Status::kSuccess) return api::remember(status);
  return launch_function({function, configuration->grid, configuration->block,
                          configuration->dynamic_lds_bytes, arguments, extra},
                         configuration->stream, request);
}

WAVETANK_API Status hipModuleLaunchCooperativeKernelMultiDevice(abi::FunctionLaunchParams* launches,
                                                                unsigned count, unsigned) {
  return api::call_with_device([&](VirtualDevice&) {
    if (launches == nullptr || count == 0) return Status::kInvalidValue;
    std::vector<GridLaunch> grids;
    for (const auto& wanted : std::span(launches, count)) {
      Stream* stream = api::resolve_stream(wanted.stream);
      if (stream == nullptr) return Status::kInvalidValue;
      grids.push_back({static_cast<Function*>(wanted.function),
                       {wanted.grid_x, wanted.grid_y, wanted.grid_z},
                       {wanted.block_x, wanted.block_y, wanted.block_z},
                       wanted.shared_bytes,
                       stream,
                       wanted.arguments});
    }
    return launch_grids(grids, true);
  });
}

WAVETANK_API Status hipLaunchCooperativeKernelMultiDevice(abi::LaunchParams* launches, int count,
                                                          unsigned) {
  return launch_host_functions(launches, count, true);
}

WAVETANK_API Status hipExtLaunchMultiKernelMultiDevice(abi::LaunchParams* launches, int count,
                                                       unsigned) {
  return launch_host_functions(launches, count, false);
}
