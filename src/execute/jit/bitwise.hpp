// Operations on bits, three operands at a time.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "execute/jit/graph.hpp"

namespace wavetank::execute::jit {

/// What an operation gives for each bit of three operands: bit 4 a + 2 b + c.
using TruthTable = std::uint8_t;

/// The table of the same operation with two of its operands exchanged.
TruthTable exchanged(TruthTable table, unsigned first, unsigned second);

/// Makes one kTernary of two operations where nothing else asks for the first one's result, which
/// leaves the order. `order` are a finished graph's nodes as they will be emitted; `kept` is true
/// of what is asked for from outside.
void join_bitwise(Graph& graph, std::vector<Id>& order, const std::vector<bool>& kept);

}  // namespace wavetank::execute::jit
