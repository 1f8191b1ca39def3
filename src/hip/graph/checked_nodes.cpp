#include "hip/graph/checked_nodes.hpp"

#include <utility>

#include "hip/graph/run_node.hpp"

namespace wavetank::hip {
namespace {

void append(OrderedList& to, const OrderedList& from) {
  to.insert(to.end(), from.begin(), from.end());
}

}  // namespace

void CheckedNodes::run(const Graph& graph) {
  const CompletionPtr begin = stream_.submit(MarkerOperation{});
  stream_.join(run_behind(graph, {begin->ordered()}));
}

/// A node has a line of its own: a launch of the graph is behind the one before, and so is each
/// node behind itself.
OrderedList CheckedNodes::run_one(const GraphNode& node, OrderedList behind) {
  GraphLine& line = lines_[&node];
  if (line.line == 0) line.line = order_.new_line();
  GraphBranch branch(line.line, line.number, std::move(behind));
  run_node(node, stream_);
  return branch.behind();
}

OrderedList CheckedNodes::run_behind(const Graph& graph, const OrderedList& start) {
  const auto nodes = graph.topological_order();
  if (!nodes || nodes->empty()) return start;
  std::unordered_map<const GraphNode*, OrderedList> ends;
  OrderedList last;
  for (const GraphNode* node : *nodes) {
    OrderedList behind = node->dependencies.empty() ? start : OrderedList{};
    for (const GraphNode* earlier : node->dependencies) append(behind, ends[earlier]);
    const auto* const child = node->as<ChildPayload>();
    OrderedList end =
        child != nullptr ? run_behind(*child->graph, behind) : run_one(*node, std::move(behind));
    if (node->dependents.empty()) append(last, end);
    ends[node] = std::move(end);
  }
  return last;
}

}  // namespace wavetank::hip
