// From a launch request of any API function to a kernel operation on a stream.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "base/dim3.hpp"
#include "hip/abi/launch_types.hpp"
#include "hip/abi/status.hpp"
#include "hip/runtime/code/module.hpp"
#include "hip/runtime/operation.hpp"
#include "hip/runtime/stream.hpp"

namespace wavetank::hip {

class Event;

/// One grid's place in a cooperative launch over several devices.
struct MultiGrid {
  std::uint32_t grid_id = 0;
  std::uint32_t grid_count = 1;
  std::uint64_t work_items_before = 0;  ///< in the grids with lower ids
  std::uint64_t work_items_total = 0;
  std::shared_ptr<KernargBlock> sync = nullptr;  ///< counters that all grids share
};

struct LaunchRequest {
  Function* function = nullptr;
  const void* host_function = nullptr;  ///< what the program launched, if by host function
  Dim3 grid_work_items;
  Dim3 workgroup_work_items;
  std::size_t dynamic_lds_bytes = 0;
  void* const* arguments = nullptr;        ///< one pointer per explicit argument, or
  std::span<const std::byte> packed = {};  ///< the explicit part of the segment
  bool cooperative = false;
  /// What an empty grid or block, or one beyond the device's limits, gives.
  abi::Status bad_shape = abi::Status::kInvalidConfiguration;
  bool limited_grid = false;  ///< whether a grid beyond maxGridSize is refused
  MultiGrid multi_grid = {};  ///< used when cooperative
  Event* start = nullptr;     ///< recorded at the kernel's begin
  Event* stop = nullptr;      ///< recorded at its end
};

/// Reads launch attributes. The priority and the cache window of a launch change no result.
/// Errors: kInvalidConfiguration without a list, kNotSupported for what no AMD device has.
abi::Status read_launch_attributes(const abi::LaunchSetting* attributes, std::size_t count,
                                   LaunchRequest& request);

/// Reads the `extra` list of hipModuleLaunchKernel: a buffer with all explicit arguments, and its
/// size. Errors: kInvalidValue for an unknown key or no buffer.
abi::Status read_launch_extra(void* const* extra, LaunchRequest& request);

/// Checks a request and packs its arguments. A launch that exceeds a limit of the device says so on
/// stderr and gives the status that HIP has for it.
abi::Status prepare_launch(const LaunchRequest& request, KernelOperation& operation);

/// prepare_launch(), and the operation goes to the stream (or into the graph that it captures).
abi::Status launch(const LaunchRequest& request, Stream& stream);

/// Sets the shape of a request, whose function is set, to `blocks` x `block`. Errors: the request's
/// bad_shape beyond the device's limits, kInvalidConfiguration when an axis has more work-items
/// than 32 bits count.
abi::Status set_shape(const Dim3& blocks, const Dim3& block, LaunchRequest& request);

}  // namespace wavetank::hip
