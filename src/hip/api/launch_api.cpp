// HIP API: kernel launches by host function.
#include <cstring>
#include <utility>
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

struct CallConfiguration {
  Dim3 grid;
  Dim3 block;
  std::size_t shared_bytes = 0;
  void* stream = nullptr;
  std::vector<std::byte> arguments = {};  ///< hipSetupArgument
};

std::vector<CallConfiguration>& configurations() {
  static thread_local std::vector<CallConfiguration> stack;
  return stack;
}

/// Fills `request` for a host function on a stream's device.
Status request_for(const void* host_function, const Dim3& grid, const Dim3& block,
                   std::size_t shared_bytes, Stream& stream, LaunchRequest& request) {
  if (host_function == nullptr) return Status::kInvalidDeviceFunction;
  auto function = Registry::instance().function(host_function, stream.device());
  if (!function) {
    report_error(function.error());
    const bool unregistered = function.error().code == ErrorCode::kUsage;
    return unregistered ? Status::kInvalidDeviceFunction : status_of(function.error());
  }
  request.function = *function;
  request.host_function = host_function;
  request.dynamic_lds_bytes = shared_bytes;
  return set_shape(grid, block, request);
}

Status launch_host_function(const void* host_function, const Dim3& grid, const Dim3& block,
                            void** arguments, std::size_t shared_bytes, void* stream_handle,
                            LaunchRequest request = {}) {
  return api::call_with_stream(stream_handle, [&](Stream& stream) {
    const Status status = request_for(host_function, grid, block, shared_bytes, stream, request);
    if (status != Status::kSuccess) return status;
    request.arguments = arguments;
    return launch(request, stream);
  });
}

}  // namespace

WAVETANK_API Status __hipPushCallConfiguration(Dim3 grid, Dim3 block, std::size_t shared_bytes,
                                               void* stream) {
  configurations().push_back({grid, block, shared_bytes, stream});
  return Status::kSuccess;
}

WAVETANK_API Status __hipPopCallConfiguration(Dim3* grid, Dim3* block, std::size_t* shared_bytes,
                                              void** stream) {
  auto& stack = configurations();
  if (stack.empty()) return api::remember(Status::kMissingConfiguration);
  const CallConfiguration& top = stack.back();
  *grid = top.grid;
  *block = top.block;
  *shared_bytes = top.shared_bytes;
  *stream = top.stream;
  stack.pop_back();
  return Status::kSuccess;
}

WAVETANK_API Status hipLaunchKernel(const void* function, Dim3 grid, Dim3 block, void** arguments,
                                    std::size_t shared_bytes, void* stream) {
  return launch_host_function(function, grid, block, arguments, shared_bytes, stream);
}

WAVETANK_API Status hipLaunchKernel_spt(const void* function, Dim3 grid, Dim3 block,
                                        void** arguments, std::size_t shared_bytes, void* stream) {
  return launch_host_function(function, grid, block, arguments, shared_bytes,
                              api::per_thread_handle(stream));
}

WAVETANK_API Status hipExtLaunchKernel(const void* function, Dim3 grid, Dim3 block,
                                       void** arguments, std::size_t shared_bytes, void* stream,
                                       Event* start, Event* stop, int) {
  LaunchRequest request;
  request.start = start;
  request.stop = stop;
  return launch_host_function(function, grid, block, arguments, shared_bytes, stream, request);
}

WAVETANK_API Status hipLaunchCooperativeKernel(const void* function, Dim3 grid, Dim3 block,
                                               void** arguments, unsigned shared_bytes,
                                               void* stream) {
  LaunchRequest request;
  request.cooperative = true;
  return launch_host_function(function, grid, block, arguments, shared_bytes, stream, request);
}

WAVETANK_API Status hipLaunchCooperativeKernel_spt(const void* function, Dim3 grid, Dim3 block,
                                                   void** arguments, unsigned shared_bytes,
                                                   void* stream) {
  return hipLaunchCooperativeKernel(function, grid, block, arguments, shared_bytes,
                                    api::per_thread_handle(stream));
}

WAVETANK_API Status hipLaunchKernelExC(const abi::LaunchConfiguration* configuration,
                                       const void* function, void** arguments) {
  if (function == nullptr) return api::remember(Status::kInvalidDeviceFunction);
  if (configuration == nullptr) return api::remember(Status::kInvalidConfiguration);
  LaunchRequest request;
  const Status status =
      read_launch_attributes(configuration->attributes, configuration->attribute_count, request);
  if (status != Status::kSuccess) return api::remember(status);
  return launch_host_function(function, configuration->grid, configuration->block, arguments,
                              configuration->dynamic_lds_bytes, configuration->stream, request);
}

// The launch protocol before clang's push and pop: configure, set up arguments, launch.
WAVETANK_API Status hipConfigureCall(Dim3 grid, Dim3 block, std::size_t shared_bytes,
                                     void* stream) {
  return __hipPushCallConfiguration(grid, block, shared_bytes, stream);
}

WAVETANK_API Status hipSetupArgument(const void* value, std::size_t size_bytes,
                                     std::size_t offset_bytes) {
  return api::call([&] {
    auto& stack = configurations();
    if (stack.empty()) return Status::kMissingConfiguration;
    auto& arguments = stack.back().arguments;
    if (arguments.size() < offset_bytes + size_bytes) arguments.resize(offset_bytes + size_bytes);
    std::memcpy(arguments.data() + offset_bytes, value, size_bytes);
    return Status::kSuccess;
  });
}

WAVETANK_API Status hipLaunchByPtr(const void* function) {
  auto& stack = configurations();
  if (stack.empty()) return api::remember(Status::kMissingConfiguration);
  const CallConfiguration top = std::move(stack.back());
  stack.pop_back();
  LaunchRequest request;
  request.packed = top.arguments;
  return launch_host_function(function, top.grid, top.block, nullptr, top.shared_bytes, top.stream,
                              request);
}
