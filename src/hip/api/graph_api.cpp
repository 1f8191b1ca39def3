// HIP API: graphs as such: their nodes, edges and copies.
#include "hip/api/graph_entry.hpp"
#include "hip/graph/dot.hpp"

using namespace wavetank::hip;
using abi::Status;

namespace {

bool nodes_are_given(std::size_t count, GraphNode* const* from, GraphNode* const* to) {
  return count == 0 || (from != nullptr && to != nullptr);
}

}  // namespace

WAVETANK_API Status hipGraphCreate(Graph** graph, unsigned flags) {
  return api::call_graph([&](VirtualDevice& device) {
    if (graph == nullptr || flags != 0) return Status::kInvalidValue;
    *graph = own_graph(std::make_unique<Graph>(device));
    return Status::kSuccess;
  });
}

WAVETANK_API Status hipGraphDestroy(Graph* graph) {
  return api::call_graph([&](VirtualDevice&) {
    if (graph == nullptr) return Status::kInvalidValue;
    return destroy_graph(graph) ? Status::kSuccess : Status::kIllegalState;
  });
}

WAVETANK_API Status hipGraphClone(Graph** clone, Graph* original) {
  return api::call_graph([&](VirtualDevice&) {
    if (clone == nullptr || !is_graph(original)) return Status::kInvalidValue;
    if (original->has_memory_nodes()) return Status::kNotSupported;
    CloneMap clones;
    *clone = own_graph(original->clone(clones));
    return Status::kSuccess;
  });
}

WAVETANK_API Status hipGraphNodeFindInClone(GraphNode** node, GraphNode* original, Graph* clone) {
  return api::call_graph([&](VirtualDevice&) {
    if (node == nullptr || !is_node(original)) return Status::kInvalidValue;
    if (!is_graph(clone) || !clone->is_clone()) return Status::kInvalidValue;
    const auto found = std::ranges::find_if(
        clone->nodes(), [&](const auto& candidate) { return candidate->id == original->id; });
    if (found == clone->nodes().end()) return Status::kInvalidValue;
    *node = found->get();
    return Status::kSuccess;
  });
}

WAVETANK_API Status hipGraphGetNodes(Graph* graph, GraphNode** nodes, std::size_t* count) {
  return api::call_graph([&](VirtualDevice&) {
    if (!is_graph(graph) || count == nullptr) return Status::kInvalidValue;
    const auto order = graph->topological_order();
    return order ? api::give_list(*order, nodes, count) : Status::kInvalidValue;
  });
}

WAVETANK_API Status hipGraphGetRootNodes(Graph* graph, GraphNode** nodes, std::size_t* count) {
  return api::call_graph([&](VirtualDevice&) {
    if (!is_graph(graph) || count == nullptr) return Status::kInvalidValue;
    return api::give_list(graph->roots(), nodes, count);
  });
}

WAVETANK_API Status hipGraphGetEdges(Graph* graph, GraphNode** from, GraphNode** to,
                                     std::size_t* count) {
  return api::call_graph([&](VirtualDevice&) {
    if (!is_graph(graph) || count == nullptr) return Status::kInvalidValue;
    if ((from == nullptr) != (to == nullptr)) return Status::kInvalidValue;
    std::vector<GraphNode*> from_nodes;
    std::vector<GraphNode*> to_nodes;
    for (const auto& [begin, end] : graph->edges()) {
      from_nodes.push_back(begin);
      to_nodes.push_back(end);
    }
    std::size_t places = *count;
    api::give_list(from_nodes, from, &places);
    return api::give_list(to_nodes, to, count);
  });
}

WAVETANK_API Status hipGraphNodeGetDependencies(GraphNode* node, GraphNode** dependencies,
                                                std::size_t* count) {
  return api::call_graph([&](VirtualDevice&) {
    if (!is_node(node) || count == nullptr) return Status::kInvalidValue;
    return api::give_list(node->dependencies, dependencies, count);
  });
}

WAVETANK_API Status hipGraphNodeGetDependentNodes(GraphNode* node, GraphNode** dependents,
                                                  std::size_t* count) {
  return api::call_graph([&](VirtualDevice&) {
    if (!is_node(node) || count == nullptr) return Status::kInvalidValue;
    return api::give_list(node->dependents, dependents, count);
  });
}

WAVETANK_API Status hipGraphAddDependencies(Graph* graph, GraphNode* const* from,
                                            GraphNode* const* to, std::size_t count) {
  return api::call_graph([&](VirtualDevice&) {
    if (!is_graph(graph) || !nodes_are_given(count, from, to)) return Status::kInvalidValue;
    for (std::size_t i = 0; i < count; ++i) {
      const Status status = graph->add_edge(from[i], to[i]);
      if (status != Status::kSuccess) return status;
    }
    return Status::kSuccess;
  });
}

WAVETANK_API Status hipGraphRemoveDependencies(Graph* graph, GraphNode* const* from,
                                               GraphNode* const* to, std::size_t count) {
  return api::call_graph([&](VirtualDevice&) {
    if (!is_graph(graph) || !nodes_are_given(count, from, to)) return Status::kInvalidValue;
    for (std::size_t i = 0; i < count; ++i) {
      const Status status = graph->remove_edge(from[i], to[i]);
      if (status != Status::kSuccess) return status;
    }
    return Status::kSuccess;
  });
}

WAVETANK_API Status hipGraphNodeGetType(GraphNode* node, std::int32_t* type) {
  return api::call_graph([&](VirtualDevice&) {
    if (!is_node(node) || type == nullptr) return Status::kInvalidValue;
    *type = node_type_number(*node);
    return Status::kSuccess;
  });
}

WAVETANK_API Status hipGraphDestroyNode(GraphNode* node) {
  return api::call_graph([&](VirtualDevice&) {
    if (!is_node(node)) return Status::kInvalidValue;
    if (node->as<AllocationPayload>() != nullptr || node->as<FreePayload>() != nullptr) {
      return Status::kNotSupported;
    }
    node->graph->remove(*node);
    return Status::kSuccess;
  });
}

WAVETANK_API Status hipGraphDebugDotPrint(Graph* graph, const char* path, unsigned flags) {
  return api::call_graph([&](VirtualDevice&) {
    if (!is_graph(graph) || path == nullptr) return Status::kInvalidValue;
    return write_dot(*graph, path, flags) ? Status::kSuccess : Status::kOperatingSystem;
  });
}
