// Updates of whole executable graphs (hipGraphExecUpdate).
#include <algorithm>
#include <unordered_map>

#include "hip/graph/executable.hpp"
#include "hip/runtime/module.hpp"

namespace wavetank::hip {
namespace {

using abi::UpdateResult;

using Positions = std::unordered_map<const GraphNode*, std::size_t>;

Positions positions_in(const std::vector<GraphNode*>& order) {
  Positions positions;
  for (std::size_t i = 0; i < order.size(); ++i) positions[order[i]] = i;
  return positions;
}

bool same_dependencies(const GraphNode& to, const Positions& to_positions, const GraphNode& from,
                       const Positions& from_positions) {
  const auto sorted = [](const GraphNode& node, const Positions& positions) {
    std::vector<std::size_t> indices;
    for (const GraphNode* dependency : node.dependencies) {
      indices.push_back(positions.at(dependency));
    }
    std::ranges::sort(indices);
    return indices;
  };
  return sorted(to, to_positions) == sorted(from, from_positions);
}

}  // namespace

UpdateResult compare_payloads(const Payload& to, const Payload& from) {
  if (const auto* copy = std::get_if<CopyPayload>(&from)) {
    if (copy->kind != std::get_if<CopyPayload>(&to)->kind) return UpdateResult::kParametersChanged;
  }
  if (const auto* fill = std::get_if<FillPayload>(&from)) {
    const FillOperation& now = std::get_if<FillPayload>(&to)->fill;
    const bool one_row = fill->fill.height == 1 && now.height == 1;
    const bool same_box = fill->fill.width_elements * fill->fill.element_bytes ==
                              now.width_elements * now.element_bytes &&
                          fill->fill.height == now.height && fill->fill.depth == now.depth;
    if (!one_row && !same_box) return UpdateResult::kParametersChanged;
  }
  if (const auto* kernel = std::get_if<KernelPayload>(&from)) {
    const auto* now = std::get_if<KernelPayload>(&to);
    const bool same_device = &kernel->function->device() == &now->function->device();
    if (!same_device) return UpdateResult::kUnsupportedFunctionChange;
  }
  if (const auto* allocating = std::get_if<AllocationPayload>(&from)) {
    const bool same = allocating->allocation == std::get_if<AllocationPayload>(&to)->allocation;
    if (!same) return UpdateResult::kParametersChanged;
  }
  return UpdateResult::kSuccess;
}

UpdateOutcome compare_graphs(const Graph& to, const Graph& from) {
  const auto to_order = to.topological_order();
  const auto from_order = from.topological_order();
  if (!to_order || !from_order || to_order->size() != from_order->size()) {
    return {UpdateResult::kTopologyChanged, nullptr};
  }
  const Positions to_positions = positions_in(*to_order);
  const Positions from_positions = positions_in(*from_order);
  for (std::size_t i = 0; i < to_order->size(); ++i) {
    const GraphNode& now = *(*to_order)[i];
    GraphNode& wanted = *(*from_order)[i];
    if (now.payload.index() != wanted.payload.index()) {
      return {UpdateResult::kNodeTypeChanged, &wanted};
    }
    if (!same_dependencies(now, to_positions, wanted, from_positions)) {
      return {UpdateResult::kTopologyChanged, &wanted};
    }
    const UpdateResult result = compare_payloads(now.payload, wanted.payload);
    if (result != UpdateResult::kSuccess) return {result, &wanted};
    if (const auto* child = wanted.as<ChildPayload>()) {
      const UpdateOutcome inner = compare_graphs(*now.as<ChildPayload>()->graph, *child->graph);
      if (inner.result != UpdateResult::kSuccess) return inner;
    }
  }
  return {};
}

void take_parameters(Graph& to, const Graph& from) {
  const auto to_order = to.topological_order();
  const auto from_order = from.topological_order();
  for (std::size_t i = 0; i < to_order->size(); ++i) {
    GraphNode& now = *(*to_order)[i];
    const GraphNode& wanted = *(*from_order)[i];
    if (const auto* child = wanted.as<ChildPayload>()) {
      take_parameters(*now.as<ChildPayload>()->graph, *child->graph);
    } else {
      now.payload = wanted.payload;
    }
  }
}

}  // namespace wavetank::hip
