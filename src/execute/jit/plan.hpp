// What is computed of a graph, and when: the values that results and effects ask for, in order,
// with the tests for NaN that they need.
#pragma once

#include <span>
#include <vector>

#include "execute/jit/sketch.hpp"

namespace wavetank::execute::jit {

struct Plan {
  /// A register that gets a value: a vector register by number, a lane mask by its lower SGPR.
  struct Result {
    unsigned name;
    Id value;
  };
  std::vector<Id> order;            ///< nodes without leaves, and without words of doubles that
                                    ///< are nothing but results
  std::vector<std::uint16_t> uses;  ///< by node: how often the order and the results ask for it
  /// The places in the order that ask for each node, with their number where results do: those of a
  /// node lie from first_ask[node] to first_ask[node + 1].
  std::vector<std::uint16_t> asks;
  std::vector<std::uint32_t> first_ask;
  std::span<const std::uint16_t> asks_of(Id node) const {
    return std::span(asks).subspan(first_ask[node], first_ask[node + 1u] - first_ask[node]);
  }
  std::vector<Result> vectors, masks;
};

/// Registers that nobody reads afterwards get no value: `dead_vectors` and `dead_masks`. `kept` are
/// values that a store asks for at the end. Adds tests to the graph, and with `ternary` operations
/// on bits of three words.
Plan make_plan(Sketch& sketch, std::span<const unsigned> dead_vectors,
               std::span<const unsigned> dead_masks, std::span<const Id> kept, bool ternary);

/// True for values that can be had again at any time.
bool is_leaf(const Node& node);

}  // namespace wavetank::execute::jit
