// HIP API: nodes that run a graph, and the functions for nodes of any kind.
#include "hip/api/graph_entry.hpp"
#include "hip/runtime/handles.hpp"

using namespace wavetank::hip;
using abi::Status;

namespace {

/// hipGraphNodeType since ROCm 6; the functions for nodes of any kind do not exist before.
enum class NodeType : std::int32_t {
  kKernel = 0,
  kMemcpy = 1,
  kMemset = 2,
  kHost = 3,
  kGraph = 4,
  kEmpty = 5,
  kEventWait = 6,
  kEventRecord = 7,
  kExternalSignal = 8,
  kExternalWait = 9,
  kAllocation = 10,
  kFree = 11,
};

auto clone_of(const Graph* child, const Graph* parent) {
  return [child, parent](VirtualDevice&, ChildPayload& payload) {
    if (!is_graph(child)) return Status::kInvalidValue;
    payload.graph = parent->copy_of_child(*child);
    return payload.graph ? Status::kSuccess : Status::kOutOfMemory;
  };
}

/// Gives the graph of a child node the parameters of another of the same shape.
Status change_child(GraphNode* node, Graph* graph) {
  auto* child = node->as<ChildPayload>();
  if (child == nullptr || !is_graph(graph)) return Status::kInvalidValue;
  const UpdateOutcome outcome = compare_graphs(*child->graph, *graph);
  switch (outcome.result) {
    case abi::UpdateResult::kSuccess: break;
    case abi::UpdateResult::kTopologyChanged:
    case abi::UpdateResult::kNodeTypeChanged: return Status::kUnknown;
    default: return Status::kInvalidValue;
  }
  take_parameters(*child->graph, *graph);
  return Status::kSuccess;
}

/// Fills a payload of the kind that `parameters` says. Child graphs, events and memory are made by
/// the functions that have them alone.
Status make_payload(const abi::NodeParameters& parameters, VirtualDevice& device,
                    const KernelAttributes& attributes, Payload& payload) {
  const auto made = [&](auto kind, auto make) {
    const Status status = make(kind);
    if (status == Status::kSuccess) payload = std::move(kind);
    return status;
  };
  switch (static_cast<NodeType>(parameters.type)) {
    case NodeType::kKernel:
      return made(KernelPayload{}, [&](KernelPayload& kernel) {
        return make_kernel(parameters.kernel, device, attributes, kernel);
      });
    case NodeType::kMemcpy:
      return made(CopyPayload{}, [&](CopyPayload& copy) {
        return make_copy(parameters.memcpy.copy, device, copy);
      });
    case NodeType::kMemset:
      return made(FillPayload{},
                  [&](FillPayload& fill) { return make_fill(parameters.memset, device, fill); });
    case NodeType::kHost:
      return made(HostPayload{},
                  [&](HostPayload& host) { return make_host(parameters.host, host); });
    case NodeType::kEventWait:
    case NodeType::kEventRecord: {
      auto* event = static_cast<Event*>(parameters.handle);
      if (!event_handles().contains(event)) return Status::kInvalidValue;
      const bool waits = static_cast<NodeType>(parameters.type) == NodeType::kEventWait;
      payload = waits ? Payload(EventWaitPayload{event}) : Payload(EventRecordPayload{event});
      return Status::kSuccess;
    }
    case NodeType::kExternalSignal:
    case NodeType::kExternalWait: return Status::kNotSupported;
    default: return Status::kInvalidValue;
  }
}

/// The payload that a node is to have; the kind of a node cannot change.
Status changed_payload(const GraphNode& node, const abi::NodeParameters& parameters,
                       VirtualDevice& device, Payload& payload) {
  const auto type = static_cast<NodeType>(parameters.type);
  if (type == NodeType::kAllocation || type == NodeType::kFree) return Status::kNotSupported;
  const auto* kernel = node.as<KernelPayload>();
  const KernelAttributes attributes = kernel == nullptr ? KernelAttributes{} : kernel->attributes;
  const Status status = make_payload(parameters, device, attributes, payload);
  if (status != Status::kSuccess) return status;
  return payload.index() == node.payload.index() ? Status::kSuccess : Status::kInvalidValue;
}

bool is_graph_type(const abi::NodeParameters& parameters) {
  return static_cast<NodeType>(parameters.type) == NodeType::kGraph;
}

}  // namespace

WAVETANK_API Status hipGraphAddChildGraphNode(GraphNode** node, Graph* graph,
                                              GraphNode* const* behind, std::size_t count,
                                              Graph* child) {
  return api::add_node<ChildPayload>({node, graph, behind, count}, clone_of(child, graph));
}

WAVETANK_API Status hipGraphChildGraphNodeGetGraph(GraphNode* node, Graph** graph) {
  return api::call_with_payload<ChildPayload>(node, [&](VirtualDevice&, ChildPayload& child) {
    if (graph == nullptr) return Status::kInvalidValue;
    *graph = child.graph.get();
    return Status::kSuccess;
  });
}

WAVETANK_API Status hipGraphExecChildGraphNodeSetParams(Executable* executable, GraphNode* node,
                                                        Graph* child) {
  return api::call_graph([&](VirtualDevice&) {
    if (!is_executable(executable) || !is_node(node)) return Status::kInvalidValue;
    if (node->graph == child) return Status::kUnknown;
    GraphNode* copy = executable->find(node);
    return copy == nullptr ? Status::kInvalidValue : change_child(copy, child);
  });
}

extern "C" Status hipGraphAddMemFreeNode(GraphNode** node, Graph* graph, GraphNode* const* behind,
                                         std::size_t count, void* address);
extern "C" Status hipGraphAddMemAllocNode(GraphNode** node, Graph* graph, GraphNode* const* behind,
                                          std::size_t count,
                                          abi::MemAllocNodeParameters* parameters);

WAVETANK_API Status hipGraphAddNode(GraphNode** node, Graph* graph, GraphNode* const* behind,
                                    std::size_t count, abi::NodeParameters* parameters) {
  if (parameters == nullptr) return api::remember(Status::kInvalidValue);
  switch (static_cast<NodeType>(parameters->type)) {
    case NodeType::kGraph:
      return hipGraphAddChildGraphNode(node, graph, behind, count,
                                       static_cast<Graph*>(parameters->handle));
    case NodeType::kAllocation:
      return hipGraphAddMemAllocNode(node, graph, behind, count, &parameters->allocation);
    case NodeType::kFree:
      return hipGraphAddMemFreeNode(node, graph, behind, count, parameters->handle);
    default: break;
  }
  return api::add_node<Payload>({node, graph, behind, count},
                                [&](VirtualDevice& device, Payload& payload) {
                                  return make_payload(*parameters, device, {}, payload);
                                });
}

WAVETANK_API Status hipGraphNodeSetParams(GraphNode* node, abi::NodeParameters* parameters) {
  return api::call_graph([&](VirtualDevice& device) {
    if (!is_node(node) || parameters == nullptr) return Status::kInvalidValue;
    if (is_graph_type(*parameters)) {
      return change_child(node, static_cast<Graph*>(parameters->handle));
    }
    Payload payload;
    const Status status = changed_payload(*node, *parameters, device, payload);
    if (status == Status::kSuccess) node->payload = std::move(payload);
    return status;
  });
}

WAVETANK_API Status hipGraphExecNodeSetParams(Executable* executable, GraphNode* node,
                                              abi::NodeParameters* parameters) {
  return api::call_graph([&](VirtualDevice& device) {
    if (!is_executable(executable) || !is_node(node) || parameters == nullptr) {
      return Status::kInvalidValue;
    }
    GraphNode* copy = executable->find(node);
    if (copy == nullptr) return Status::kInvalidValue;
    if (is_graph_type(*parameters)) {
      return change_child(copy, static_cast<Graph*>(parameters->handle));
    }
    Payload payload;
    const Status status = changed_payload(*copy, *parameters, device, payload);
    if (status != Status::kSuccess) return status;
    if (compare_payloads(copy->payload, payload) != abi::UpdateResult::kSuccess) {
      return Status::kInvalidValue;
    }
    copy->payload = std::move(payload);
    return Status::kSuccess;
  });
}
