// From a launch request of any API function to a kernel operation on a stream.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/dim3.hpp"
#include "hip/abi/status.hpp"
#include "hip/runtime/module.hpp"
#include "hip/runtime/operation.hpp"
#include "hip/runtime/stream.hpp"

namespace wavetank::hip {

class Event;

struct LaunchRequest {
  Function* function = nullptr;
  Dim3 grid_work_items;
  Dim3 workgroup_work_items;
  std::size_t dynamic_lds_bytes = 0;
  void* const* arguments = nullptr;           ///< one pointer per explicit argument, or
  std::span<const std::byte> packed = {};     ///< the explicit part of the segment
  bool cooperative = false;
  std::uint64_t multigrid_sync = 0;
  Event* start = nullptr;  ///< recorded at the kernel's begin
  Event* stop = nullptr;   ///< recorded at its end
};

/// Checks a request and packs its arguments. A launch that exceeds a limit of the device says so on
/// stderr and gives the status that HIP has for it.
abi::Status prepare_launch(const LaunchRequest& request, KernelOperation& operation);

/// prepare_launch(), and the operation goes to the stream (or into the graph that it captures).
abi::Status launch(const LaunchRequest& request, Stream& stream);

/// `blocks` x `block` work-items, or an empty optional when an axis exceeds 32 bits.
bool grid_of_blocks(const Dim3& blocks, const Dim3& block, Dim3& grid_work_items);

}  // namespace wavetank::hip
