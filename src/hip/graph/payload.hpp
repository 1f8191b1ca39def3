// Makes what nodes do from the parameters that programs give, checked as the same call without a
// graph would be. Functions leave the payload alone when they give an error.
#pragma once

#include <cstddef>

#include "hip/abi/status.hpp"
#include "hip/graph/node.hpp"

namespace wavetank::hip {

class VirtualDevice;
struct LaunchRequest;

/// A kernel with the arguments of `request`, which it copies. `handle` is what the program named
/// the kernel by. Errors: those of prepare_launch().
abi::Status make_kernel(const LaunchRequest& request, void* handle,
                        const KernelAttributes& attributes, KernelPayload& kernel);
/// A kernel by host function or hipFunction_t. Errors: kInvalidValue (no function, both or neither
/// list of arguments), kInvalidDeviceFunction, kInvalidConfiguration, those of prepare_launch().
abi::Status make_kernel(const abi::KernelNodeParameters& parameters, VirtualDevice& device,
                        const KernelAttributes& attributes, KernelPayload& kernel);
/// The same kernel with other attributes. Errors: those of prepare_launch().
abi::Status change_attributes(const KernelAttributes& attributes, KernelPayload& kernel);
/// What hipGraphKernelNodeGetParams gives.
abi::KernelNodeParameters parameters_of(const KernelPayload& kernel);

/// Copies. Errors: kInvalidValue for no bytes, those of describe_copy() and check_copy().
abi::Status make_copy(const abi::Memcpy3d& parameters, VirtualDevice& device, CopyPayload& payload);
/// Also kInvalidValue for a kind that is not the direction between pageable and other memory.
abi::Status make_copy_1d(void* target, const void* source, std::size_t size_bytes,
                         abi::MemcpyKind kind, VirtualDevice& device, CopyPayload& payload);
/// kInvalidValue for pitches that do not hold a row, as for all that is wrong.
abi::Status make_driver_copy(const abi::DriverMemcpy3dWide& parameters, VirtualDevice& device,
                             CopyPayload& payload);

/// Part of a device variable, for copies from and to it.
struct SymbolRange {
  const void* symbol = nullptr;
  std::size_t size_bytes = 0;
  std::size_t offset_bytes = 0;
};
/// A copy between a symbol and other memory; `form` is kFromSymbol or kToSymbol. Errors:
/// kInvalidSymbol, kInvalidValue, kInvalidMemcpyDirection for a kind of the wrong direction.
abi::Status make_symbol_copy(CopyForm form, void* other, const SymbolRange& range,
                             abi::MemcpyKind kind, VirtualDevice& device, CopyPayload& payload);
/// The same for a node that is there already, of which AMD's runtime asks more (ROCm/clr,
/// hip_graph_internal.hpp): kInvalidValue if the other memory is a symbol too, and for a kind that
/// is not the direction from or to that memory kInvalidValue towards a symbol,
/// kInvalidMemcpyDirection from one.
abi::Status change_symbol_copy(CopyForm form, void* other, const SymbolRange& range,
                               abi::MemcpyKind kind, VirtualDevice& device, CopyPayload& payload);
/// A checked copy that a stream was given.
CopyPayload captured_copy(const CopyOperation& copy, abi::MemcpyKind kind);

/// A fill of one slice. Errors: kInvalidValue for no rows, no elements, elements that have not 1, 2
/// or 4 bytes, rows beyond the pitch or the allocation.
abi::Status make_fill(const abi::MemsetNodeParameters& parameters, VirtualDevice& device,
                      FillPayload& payload);
/// A checked fill that a stream was given.
FillPayload captured_fill(const FillOperation& fill);

/// Errors: kInvalidValue for no function.
abi::Status make_host(const abi::HostNodeParameters& parameters, HostPayload& payload);

/// Reserves the memory; parameters.address is set. Errors: kInvalidValue (no bytes, memory of
/// another kind than a device's), kOutOfMemory.
abi::Status make_allocation(abi::MemAllocNodeParameters& parameters, AllocationPayload& payload);
/// Errors: kInvalidValue for memory that no graph allocates, or that another node frees.
abi::Status make_free(void* address, FreePayload& payload);

/// Errors: kInvalidValue for unknown operations or null addresses.
abi::Status make_batch(const abi::BatchNodeParameters& parameters, BatchPayload& payload);

}  // namespace wavetank::hip
