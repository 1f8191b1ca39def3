#include "hip/runtime/launch.hpp"

#include <cstring>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "hip/abi/generation.hpp"
#include "hip/runtime/code/kernarg.hpp"
#include "hip/runtime/event.hpp"
#include "hip/runtime/failure.hpp"
#include "hip/runtime/properties.hpp"
#include "hip/runtime/virtual_device.hpp"

namespace wavetank::hip {
namespace {

using abi::Status;

abi::Status refuse(Status status, std::string message, const Function& function,
                   std::string help = {}) {
  report_error(Error{.code = ErrorCode::kBadLaunch,
                     .message = std::move(message),
                     .where = fmt::format("kernel \"{}\" on {}", function.kernel.name,
                                          function.device().description().marketing_name),
                     .help = std::move(help)});
  return status;
}

bool is_empty(const Dim3& d) { return d.x == 0 || d.y == 0 || d.z == 0; }

bool fits(const Dim3& d, const Dim3& most) {
  return d.x <= most.x && d.y <= most.y && d.z <= most.z;
}

/// Blocks of a grid, the last of an axis perhaps not whole; none for an empty block.
Dim3 blocks_of(const Dim3& work_items, const Dim3& block) {
  const auto blocks = [](std::uint32_t total, std::uint32_t one) {
    return one == 0 ? 0 : total / one + (total % one == 0 ? 0 : 1);
  };
  return {blocks(work_items.x, block.x), blocks(work_items.y, block.y),
          blocks(work_items.z, block.z)};
}

/// More work-items than this are not counted exactly; a device would be busy for centuries.
constexpr std::uint64_t kMostWorkItems = std::uint64_t{1} << 63;

/// Refuses shapes that the device does not run, whatever the kernel. Of AMD's functions only
/// hipModuleLaunchKernel minds maxGridSize (clr: hipamd/src/hip_module.cpp; hip_platform.cpp asks
/// for gfx12 alone): rocBLAS launches 131250 blocks in y by hipExtModuleLaunchKernel.
Status check_shape(const Dim3& blocks, const Dim3& block, const LaunchRequest& request) {
  const Function& function = *request.function;
  if (is_empty(block) || is_empty(blocks)) {
    return refuse(request.bad_shape, "a grid or block dimension is zero", function);
  }
  if (request.limited_grid && !fits(blocks, kLargestGrid)) {
    return refuse(
        request.bad_shape,
        fmt::format("a grid of {} x {} x {} blocks exceeds the device's limit of "
                    "{} x {} x {}",
                    blocks.x, blocks.y, blocks.z, kLargestGrid.x, kLargestGrid.y, kLargestGrid.z),
        function);
  }
  const std::uint32_t most = function.device().description().max_workgroup_work_items;
  if (!fits(block, {most, most, most}) || block.count() > most) {
    return refuse(request.bad_shape,
                  fmt::format("a block of {} x {} x {} threads exceeds the device's limit of {} "
                              "threads per block",
                              block.x, block.y, block.z, most),
                  function);
  }
  if (std::uint64_t{blocks.x} * blocks.y <= kMostWorkItems / blocks.z / block.count()) {
    return Status::kSuccess;
  }
  return refuse(request.bad_shape,
                fmt::format("a grid of {} x {} x {} blocks has more than 2^63 threads", blocks.x,
                            blocks.y, blocks.z),
                function);
}

/// Limits for which HIP has statuses of their own; the engine checks the rest.
Status check_limits(const LaunchRequest& request) {
  const Function& function = *request.function;
  const target::Device& device = function.device().description();
  const Dim3& group = request.workgroup_work_items;
  const Dim3 blocks = blocks_of(request.grid_work_items, group);
  if (const Status status = check_shape(blocks, group, request); status != Status::kSuccess) {
    return status;
  }
  if (group.count() > function.kernel.max_flat_workgroup_size) {
    return refuse(Status::kLaunchFailure,
                  fmt::format("a block of {} threads exceeds the {} that the kernel was compiled "
                              "for",
                              group.count(), function.kernel.max_flat_workgroup_size),
                  function, "raise the kernel's __launch_bounds__");
  }
  const std::uint64_t lds = request.dynamic_lds_bytes + function.kernel.group_segment_bytes;
  if (lds > device.lds_bytes_per_cu) {
    return refuse(Status::kInvalidValue,
                  fmt::format("{} bytes of LDS per block ({} static and {} dynamic) exceed the "
                              "device's limit of {}",
                              lds, function.kernel.group_segment_bytes, request.dynamic_lds_bytes,
                              device.lds_bytes_per_cu),
                  function);
  }
  return Status::kSuccess;
}

// What a cooperative kernel finds behind hidden_multigrid_sync_arg: mg_info of the device libraries
// (ockl cg.cl). ROCm 7 moved the counters of the grid's own barrier to a cache line of their own.
constexpr std::size_t kMultiGridBytes = 256;
constexpr std::size_t kMultiGridAlignment = 128;

void write_multi_grid(const LaunchRequest& request, std::byte* record) {
  const MultiGrid& grid = request.multi_grid;
  const std::uint64_t own = request.grid_work_items.count();
  const std::uint64_t sync =
      grid.sync == nullptr ? 0 : reinterpret_cast<std::uintptr_t>(grid.sync->address());
  const std::uint64_t total = grid.work_items_total == 0 ? own : grid.work_items_total;
  const auto groups = static_cast<std::uint32_t>(own / request.workgroup_work_items.count());
  const std::size_t groups_offset = abi::generation.major < 7 ? 40 : 32;
  std::memcpy(record, &sync, 8);
  std::memcpy(record + 8, &grid.grid_id, 4);
  std::memcpy(record + 12, &grid.grid_count, 4);
  std::memcpy(record + 16, &grid.work_items_before, 8);
  std::memcpy(record + 24, &total, 8);
  std::memcpy(record + groups_offset, &groups, 4);
}

Status check_cooperative(const LaunchRequest& request) {
  VirtualDevice& device = request.function->device();
  const std::uint64_t group = request.workgroup_work_items.count();
  const std::uint64_t groups = request.grid_work_items.count() / group;
  const std::uint64_t resident =
      std::uint64_t{device.description().compute_units} *
      device.engine().workgroups_per_cu(request.function->kernel, static_cast<std::uint32_t>(group),
                                        static_cast<std::uint32_t>(request.dynamic_lds_bytes));
  if (groups <= resident) return Status::kSuccess;
  return refuse(Status::kCooperativeLaunchTooLarge,
                fmt::format("a cooperative launch of {} blocks exceeds the {} that the device "
                            "holds at once",
                            groups, resident),
                *request.function);
}

/// Allocates and fills the argument segment; a cooperative launch's record follows it.
Result<void> pack_arguments(const LaunchRequest& request, KernelOperation& operation) {
  VirtualDevice& device = request.function->device();
  const code_object::Kernel& kernel = request.function->kernel;
  const std::size_t record_offset = (kernel.kernarg_size_bytes + kMultiGridAlignment - 1) /
                                    kMultiGridAlignment * kMultiGridAlignment;
  auto block = device.kernargs().allocate(request.cooperative ? record_offset + kMultiGridBytes
                                                              : kernel.kernarg_size_bytes);
  if (!block) return tl::unexpected(block.error());
  operation.kernarg = std::move(*block);
  operation.multi_grid_sync = request.multi_grid.sync;
  std::byte* const address = operation.kernarg->address();
  operation.launch.kernarg = address;

  HiddenArguments hidden{.grid_work_items = request.grid_work_items,
                         .workgroup_work_items = request.workgroup_work_items,
                         .dynamic_lds_bytes = operation.launch.dynamic_lds_bytes};
  if (request.cooperative) {
    write_multi_grid(request, address + record_offset);
    hidden.multigrid_sync = reinterpret_cast<std::uintptr_t>(address + record_offset);
  }
  const std::span segment(address, kernel.kernarg_size_bytes);
  if (request.packed.empty()) {
    const auto packed = pack_explicit(kernel, request.arguments, segment);
    if (!packed) return packed;
  } else {
    pack_buffer(kernel, request.packed, segment);
  }
  return pack_hidden(kernel, hidden, device, segment);
}

}  // namespace

Status set_shape(const Dim3& blocks, const Dim3& block, LaunchRequest& request) {
  if (const Status status = check_shape(blocks, block, request); status != Status::kSuccess) {
    return status;
  }
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
  const std::uint64_t x = std::uint64_t{blocks.x} * block.x;
  const std::uint64_t y = std::uint64_t{blocks.y} * block.y;
  const std::uint64_t z = std::uint64_t{blocks.z} * block.z;
  if (x > kMost || y > kMost || z > kMost) return Status::kInvalidConfiguration;
  request.workgroup_work_items = block;
  request.grid_work_items = {static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y),
                             static_cast<std::uint32_t>(z)};
  return Status::kSuccess;
}

Status read_launch_attributes(const abi::LaunchSetting* attributes, std::size_t count,
                              LaunchRequest& request) {
  if (count != 0 && attributes == nullptr) return Status::kInvalidConfiguration;
  for (const abi::LaunchSetting& attribute : std::span(attributes, count)) {
    switch (attribute.id) {
      case abi::LaunchAttribute::kCooperative:
        request.cooperative = attribute.value.cooperative != 0;
        break;
      case abi::LaunchAttribute::kPriority:
      case abi::LaunchAttribute::kAccessPolicyWindow: break;
      default: return Status::kNotSupported;
    }
  }
  return Status::kSuccess;
}

Status read_launch_extra(void* const* extra, LaunchRequest& request) {
  const void* buffer = nullptr;
  std::size_t size_bytes = 0;
  for (std::size_t i = 0;; i += 2) {
    const auto key = reinterpret_cast<std::uintptr_t>(extra[i]);
    if (key == abi::kLaunchParamEnd) break;
    if (key == abi::kLaunchParamBufferPointer) {
      buffer = extra[i + 1];
    } else if (key == abi::kLaunchParamBufferSize) {
      std::memcpy(&size_bytes, extra[i + 1], sizeof size_bytes);
    } else {
      return Status::kInvalidValue;
    }
  }
  if (buffer == nullptr) return Status::kInvalidValue;
  request.packed = {static_cast<const std::byte*>(buffer), size_bytes};
  return Status::kSuccess;
}

Status prepare_launch(const LaunchRequest& request, KernelOperation& operation) {
  if (const Status status = check_limits(request); status != Status::kSuccess) return status;
  VirtualDevice& device = request.function->device();
  const code_object::Kernel& kernel = request.function->kernel;

  dispatch::Launch& launch = operation.launch;
  launch.code = request.function->module.code();
  launch.kernel = &kernel;
  launch.grid_work_items = request.grid_work_items;
  launch.workgroup_work_items = request.workgroup_work_items;
  launch.dynamic_lds_bytes = static_cast<std::uint32_t>(request.dynamic_lds_bytes);
  launch.cooperative = request.cooperative;
  launch.dispatch_id = device.dispatch_count.fetch_add(1);
  if (const auto packed = pack_arguments(request, operation); !packed) {
    report_error(packed.error());
    return status_of(packed.error());
  }
  if (request.cooperative) {
    // Before the engine's own check, which has one status for all that a device cannot hold.
    if (const Status status = check_cooperative(request); status != Status::kSuccess) return status;
  }
  if (const auto checked = device.engine().check(launch); !checked) {
    report_error(checked.error());
    return status_of(checked.error());
  }
  return Status::kSuccess;
}

Status launch(const LaunchRequest& request, Stream& stream) {
  VirtualDevice& device = stream.device();
  if (const Status sticky = device.sticky_status(); sticky != Status::kSuccess) return sticky;
  if (const Status status = check_legacy_stream(stream.kind(), false); status != Status::kSuccess) {
    return status;
  }
  if (const auto capture = stream.capture()) return capture->launch(stream, request);
  KernelOperation operation;
  if (const Status status = prepare_launch(request, operation); status != Status::kSuccess) {
    return status;
  }
  const CompletionPtr completion = stream.submit(std::move(operation));
  if (request.start != nullptr) request.start->record(completion, EventEdge::kBegin);
  if (request.stop != nullptr) request.stop->record(completion, EventEdge::kEnd);
  if (device.launch_blocking()) wait_on_host(*completion);
  return device.sticky_status();
}

}  // namespace wavetank::hip
