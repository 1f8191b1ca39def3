// Updates of whole executable graphs (hipGraphExecUpdate).
#include <algorithm>
#include <optional>
#include <unordered_map>

#include "hip/graph/executable.hpp"
#include "hip/runtime/code/module.hpp"
#include "hip/runtime/memory/allocation.hpp"
#include "hip/runtime/runtime.hpp"

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

/// The device whose memory is at an address; none for pageable memory.
std::optional<int> device_at(const void* address) {
  const auto allocation = find_allocation(Runtime::instance().memory(), address);
  return allocation ? std::optional(allocation->device) : std::nullopt;
}

/// False for memory of two devices, which a fill or a copy of a symbol may not move between.
bool may_replace(const void* now, const void* wanted) {
  const auto from = device_at(now), to = device_at(wanted);
  return !from || !to || *from == *to;
}

/// The memory of a copy of a symbol that is not the symbol's; nullptr for other copies.
const void* beside_symbol(const CopyPayload& copy) {
  if (copy.form == CopyForm::kFromSymbol) return copy.copy.target.address;
  return copy.form == CopyForm::kToSymbol ? copy.copy.source.address : nullptr;
}

bool may_replace(const CopyPayload& now, const CopyPayload& wanted) {
  return now.kind == wanted.kind && may_replace(beside_symbol(now), beside_symbol(wanted));
}

}  // namespace

UpdateResult compare_payloads(const Payload& to, const Payload& from) {
  if (const auto* copy = std::get_if<CopyPayload>(&from)) {
    const bool same = may_replace(*std::get_if<CopyPayload>(&to), *copy);
    if (!same) return UpdateResult::kParametersChanged;
  }
  if (const auto* fill = std::get_if<FillPayload>(&from)) {
    const FillOperation& now = std::get_if<FillPayload>(&to)->fill;
    const bool one_row = fill->fill.height == 1 && now.height == 1;
    const bool same_box = fill->fill.width_elements * fill->fill.element_bytes ==
                              now.width_elements * now.element_bytes &&
                          fill->fill.height == now.height && fill->fill.depth == now.depth;
    const bool moves = !may_replace(now.target.address, fill->fill.target.address);
    if (moves || (!one_row && !same_box)) return UpdateResult::kParametersChanged;
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
