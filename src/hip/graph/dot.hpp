// Graphs as pictures for Graphviz.
#pragma once

#include <string>

#include "hip/graph/graph.hpp"

namespace wavetank::hip {

/// A graph and its child graphs in the DOT language. `flags` are hipGraphDebugDotFlags: which
/// parameters the labels show.
std::string dot_of(const Graph& graph, unsigned flags);

/// Writes that to a file; false if the file cannot be written.
bool write_dot(const Graph& graph, const std::string& path, unsigned flags);

}  // namespace wavetank::hip
