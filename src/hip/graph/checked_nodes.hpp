// Runs the nodes of a graph where launches are checked. They run one after the other on one stream,
// but are ordered as the graph's edges say, and no further.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "hip/graph/graph.hpp"
#include "hip/runtime/checked/host_order.hpp"
#include "hip/runtime/stream.hpp"

namespace wavetank::hip {

/// The lines of operations of an executable graph: each is a chain of nodes, one behind the other.
struct GraphLine {
  std::uint64_t line = 0;
  std::uint64_t number = 0;  ///< operations so far, in all launches
};
using GraphLines = std::unordered_map<const GraphNode*, GraphLine>;

/// One launch.
class CheckedNodes {
 public:
  CheckedNodes(HostOrder& order, GraphLines& lines, Stream& stream)
      : order_(order), lines_(lines), stream_(stream) {}
  /// Puts all nodes on the stream, whose next operation is behind them.
  void run(const Graph& graph);

 private:
  /// Gives what is behind all of the graph, which begins behind `start`.
  OrderedList run_behind(const Graph& graph, const OrderedList& start);
  OrderedList run_one(const GraphNode& node, OrderedList behind);

  HostOrder& order_;
  GraphLines& lines_;
  Stream& stream_;
};

}  // namespace wavetank::hip
