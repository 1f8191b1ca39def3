#include <algorithm>
#include <cstring>

#include "hip/graph/payload.hpp"
#include "hip/runtime/code/fat_binary.hpp"
#include "hip/runtime/code/kernarg.hpp"
#include "hip/runtime/failure.hpp"
#include "hip/runtime/launch.hpp"
#include "hip/runtime/virtual_device.hpp"

namespace wavetank::hip {
namespace {

using abi::Status;

/// Copies the explicit arguments into a segment of the node's own.
Status copy_arguments(const LaunchRequest& request, KernelArguments& arguments) {
  const code_object::Kernel& kernel = request.function->kernel;
  arguments.segment.resize(kernel.kernarg_size_bytes);
  if (request.packed.empty()) {
    const auto packed = pack_explicit(kernel, request.arguments, arguments.segment);
    if (!packed) {
      report_error(packed.error());
      return status_of(packed.error());
    }
  } else {
    pack_buffer(kernel, request.packed, arguments.segment);
  }
  for (const code_object::Argument& argument : kernel.arguments) {
    if (!argument.is_explicit()) continue;
    arguments.values.push_back(arguments.segment.data() + argument.offset_bytes);
  }
  return Status::kSuccess;
}

/// Makes the operation anew from the rest of the payload.
Status prepare(KernelPayload& kernel) {
  LaunchRequest request;
  request.function = kernel.function;
  request.grid_work_items = kernel.grid_work_items;
  request.workgroup_work_items = kernel.block;
  request.dynamic_lds_bytes = kernel.shared_bytes;
  request.packed = kernel.arguments->segment;
  request.cooperative = kernel.attributes.cooperative != 0;
  KernelOperation operation;
  const Status status = prepare_launch(request, operation);
  if (status == Status::kSuccess) kernel.operation = std::move(operation);
  return status;
}

/// A handle is the address of a registered host function, or else a hipFunction_t.
Status resolve(void* handle, VirtualDevice& device, Function*& function) {
  if (Registry::instance().function_name(handle) == nullptr) {
    function = static_cast<Function*>(handle);
    return is_function(function) ? Status::kSuccess : Status::kInvalidDeviceFunction;
  }
  const auto found = Registry::instance().function(handle, device);
  if (!found) {
    report_error(found.error());
    return Status::kInvalidDeviceFunction;
  }
  function = *found;
  return Status::kSuccess;
}

bool takes_arguments(const Function& function) {
  return std::ranges::any_of(function.kernel.arguments,
                             [](const auto& argument) { return argument.is_explicit(); });
}

}  // namespace

Status make_kernel(const LaunchRequest& request, void* handle, const KernelAttributes& attributes,
                   KernelPayload& kernel) {
  auto arguments = std::make_shared<KernelArguments>();
  if (!request.packed.empty() || takes_arguments(*request.function)) {
    if (const Status status = copy_arguments(request, *arguments); status != Status::kSuccess) {
      return status;
    }
  }
  KernelPayload made{.handle = handle,
                     .function = request.function,
                     .grid_work_items = request.grid_work_items,
                     .block = request.workgroup_work_items,
                     .shared_bytes = static_cast<std::uint32_t>(request.dynamic_lds_bytes),
                     .arguments = std::move(arguments),
                     .attributes = attributes,
                     .operation = {}};
  const Status status = prepare(made);
  if (status == Status::kSuccess) kernel = std::move(made);
  return status;
}

Status make_kernel(const abi::KernelNodeParameters& parameters, VirtualDevice& device,
                   const KernelAttributes& attributes, KernelPayload& kernel) {
  if (parameters.function == nullptr) return Status::kInvalidValue;
  LaunchRequest request;
  Status status = resolve(parameters.function, device, request.function);
  if (status != Status::kSuccess) return status;
  if (parameters.arguments != nullptr && parameters.extra != nullptr) return Status::kInvalidValue;
  if (parameters.arguments == nullptr && parameters.extra == nullptr &&
      takes_arguments(*request.function)) {
    return Status::kInvalidValue;
  }
  request.arguments = parameters.arguments;
  if (parameters.extra != nullptr) {
    status = read_launch_extra(parameters.extra, request);
    if (status != Status::kSuccess) return status;
  }
  request.dynamic_lds_bytes = parameters.shared_bytes;
  status = set_shape(parameters.grid, parameters.block, request);
  if (status != Status::kSuccess) return status;
  return make_kernel(request, parameters.function, attributes, kernel);
}

Status change_attributes(const KernelAttributes& attributes, KernelPayload& kernel) {
  KernelPayload changed = kernel;
  changed.attributes = attributes;
  if (attributes.cooperative != kernel.attributes.cooperative) {
    if (const Status status = prepare(changed); status != Status::kSuccess) return status;
  }
  kernel = std::move(changed);
  return Status::kSuccess;
}

abi::KernelNodeParameters parameters_of(const KernelPayload& kernel) {
  const Dim3& work_items = kernel.grid_work_items;
  const Dim3& block = kernel.block;
  return {.block = block,
          .extra = nullptr,
          .function = kernel.handle,
          .grid = {(work_items.x + block.x - 1) / block.x, (work_items.y + block.y - 1) / block.y,
                   (work_items.z + block.z - 1) / block.z},
          .arguments = kernel.arguments->values.data(),
          .shared_bytes = kernel.shared_bytes};
}

}  // namespace wavetank::hip
