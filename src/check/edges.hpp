// What `wavetank check --fix` has a program run with: orders that its source might have.
#pragma once

#include <string>
#include <vector>

#include "machine/edge.hpp"

namespace wavetank::check {

using machine::Edge;
using machine::EdgeKind;

/// Operations that a program submits at `second` wait for the last one submitted at `first`,
/// as if a stream or the host waited for an event. Both are places in the program as calls are
/// known by in each of its runs.
struct OperationOrder {
  std::string first, second;
  friend bool operator==(const OperationOrder&, const OperationOrder&) = default;
};

/// A change of the program: of kernels' code, of what the host submits, or of both.
struct Change {
  std::vector<Edge> edges = {};
  std::vector<OperationOrder> orders = {};
  bool empty() const { return edges.empty() && orders.empty(); }
  friend bool operator==(const Change&, const Change&) = default;
};

}  // namespace wavetank::check
