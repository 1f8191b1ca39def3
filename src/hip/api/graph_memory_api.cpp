// HIP API: nodes that allocate and free memory, or write and wait for values in it.
#include <cstring>

#include "hip/api/graph_entry.hpp"

using namespace wavetank::hip;
using abi::Status;

namespace {

Status add_free(const api::NewNode& where, void* address) {
  std::shared_ptr<GraphAllocation> allocation;
  const Status status =
      api::add_node<FreePayload>(where, [&](VirtualDevice&, FreePayload& freeing) {
        const Status made = make_free(address, freeing);
        allocation = freeing.allocation;
        return made;
      });
  if (status == Status::kSuccess) allocation->has_free_node = true;
  return status;
}

auto batch_maker(const abi::BatchNodeParameters* parameters) {
  return [parameters](VirtualDevice&, BatchPayload& batch) {
    return parameters == nullptr ? Status::kInvalidValue : make_batch(*parameters, batch);
  };
}

}  // namespace

WAVETANK_API Status hipGraphAddMemAllocNode(GraphNode** node, Graph* graph,
                                            GraphNode* const* behind, std::size_t count,
                                            abi::MemAllocNodeParameters* parameters) {
  return api::add_node<AllocationPayload>({node, graph, behind, count},
                                          [&](VirtualDevice&, AllocationPayload& allocating) {
                                            if (parameters == nullptr) return Status::kInvalidValue;
                                            return make_allocation(*parameters, allocating);
                                          });
}

WAVETANK_API Status hipGraphMemAllocNodeGetParams(GraphNode* node,
                                                  abi::MemAllocNodeParameters* parameters) {
  return api::call_with_payload<AllocationPayload>(
      node, [&](VirtualDevice&, const AllocationPayload& allocating) {
        if (parameters == nullptr) return Status::kInvalidValue;
        *parameters = allocating.parameters;
        return Status::kSuccess;
      });
}

WAVETANK_API Status hipGraphAddMemFreeNode(GraphNode** node, Graph* graph, GraphNode* const* behind,
                                           std::size_t count, void* address) {
  return add_free({node, graph, behind, count}, address);
}

WAVETANK_API Status hipDrvGraphAddMemFreeNode(GraphNode** node, Graph* graph,
                                              GraphNode* const* behind, std::size_t count,
                                              void* address) {
  return add_free({node, graph, behind, count}, address);
}

WAVETANK_API Status hipGraphMemFreeNodeGetParams(GraphNode* node, void* address) {
  return api::call_with_payload<FreePayload>(node, [&](VirtualDevice&, const FreePayload& freeing) {
    if (address == nullptr) return Status::kInvalidValue;
    *static_cast<void**>(address) = freeing.allocation->address();
    return Status::kSuccess;
  });
}

WAVETANK_API Status hipDeviceGetGraphMemAttribute(int ordinal, GraphMemoryAttribute attribute,
                                                  void* value) {
  return api::call_with_ordinal(ordinal, [&](const VirtualDevice& device) {
    if (value == nullptr || attribute < GraphMemoryAttribute::kUsedCurrent ||
        attribute > GraphMemoryAttribute::kReservedHigh) {
      return Status::kInvalidValue;
    }
    const std::uint64_t bytes = graph_memory_attribute(device, attribute);
    std::memcpy(value, &bytes, sizeof bytes);
    return Status::kSuccess;
  });
}

// The high-water marks can be set, and only to 0.
WAVETANK_API Status hipDeviceSetGraphMemAttribute(int ordinal, GraphMemoryAttribute attribute,
                                                  void* value) {
  return api::call_with_ordinal(ordinal, [&](const VirtualDevice& device) {
    const bool is_high = attribute == GraphMemoryAttribute::kUsedHigh ||
                         attribute == GraphMemoryAttribute::kReservedHigh;
    if (value == nullptr || !is_high) return Status::kInvalidValue;
    std::uint64_t wanted = 0;
    std::memcpy(&wanted, value, sizeof wanted);
    if (wanted != 0) return Status::kInvalidValue;
    reset_graph_memory_high(device, attribute);
    return Status::kSuccess;
  });
}

// Memory of graphs is freed with the last node that needs it: there is never anything to trim.
WAVETANK_API Status hipDeviceGraphMemTrim(int ordinal) {
  return api::call_with_ordinal(ordinal, [](VirtualDevice&) { return Status::kSuccess; });
}

WAVETANK_API Status hipGraphAddBatchMemOpNode(GraphNode** node, Graph* graph,
                                              GraphNode* const* behind, std::size_t count,
                                              const abi::BatchNodeParameters* parameters) {
  return api::add_node<BatchPayload>({node, graph, behind, count}, batch_maker(parameters));
}

WAVETANK_API Status hipGraphBatchMemOpNodeGetParams(GraphNode* node,
                                                    abi::BatchNodeParameters* parameters) {
  return api::call_with_payload<BatchPayload>(node, [&](VirtualDevice&, BatchPayload& batch) {
    if (parameters == nullptr) return Status::kInvalidValue;
    *parameters = batch.parameters;
    parameters->operations = batch.operations.data();
    return Status::kSuccess;
  });
}

WAVETANK_API Status hipGraphBatchMemOpNodeSetParams(GraphNode* node,
                                                    abi::BatchNodeParameters* parameters) {
  return api::call_with_payload<BatchPayload>(node, batch_maker(parameters));
}

WAVETANK_API Status hipGraphExecBatchMemOpNodeSetParams(
    Executable* executable, GraphNode* node, const abi::BatchNodeParameters* parameters) {
  return api::change_executable<BatchPayload>(executable, node, batch_maker(parameters));
}
