// Puts one node of an executable graph on a stream.
#pragma once

#include "hip/graph/node.hpp"
#include "hip/runtime/stream.hpp"

namespace wavetank::hip {

/// Submits what a node does; a disabled node does nothing. Child graphs are run by their nodes, not
/// here. Events are recorded and waited for as hipEventRecord and hipStreamWaitEvent would now.
void run_node(const GraphNode& node, Stream& stream);

}  // namespace wavetank::hip
