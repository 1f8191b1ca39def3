#include "execute/jit/bitwise.hpp"

#include <algorithm>
#include <utility>

namespace wavetank::execute::jit {
namespace {

/// The operands themselves, as tables.
constexpr TruthTable kOperand[] = {0xf0, 0xcc, 0xaa};

bool is_bitwise(const Node& node) {
  return node.what == Do::kAnd || node.what == Do::kOr || node.what == Do::kXor;
}

TruthTable apply(Do what, TruthTable a, TruthTable b) {
  switch (what) {
    case Do::kAnd: return a & b;
    case Do::kOr: return a | b;
    default: return a ^ b;
  }
}

std::vector<std::uint16_t> count_uses(const Graph& graph, const std::vector<Id>& order) {
  std::vector<std::uint16_t> uses(graph.size());
  for (const Id id : order) {
    for (const Id in : graph[id].in) {
      if (in != kNoValue) ++uses[in];
    }
  }
  return uses;
}

}  // namespace

TruthTable exchanged(TruthTable table, unsigned first, unsigned second) {
  TruthTable result = 0;
  const unsigned a = 2 - first, b = 2 - second;
  for (unsigned bits = 0; bits < 8; ++bits) {
    const unsigned differ = (bits >> a ^ bits >> b) & 1;
    const unsigned from = bits ^ (differ << a | differ << b);
    result |= static_cast<TruthTable>((table >> from & 1) << bits);
  }
  return result;
}

void join_bitwise(Graph& graph, std::vector<Id>& order, const std::vector<bool>& kept) {
  const std::vector<std::uint16_t> uses = count_uses(graph, order);
  std::vector<bool> joined(graph.size());
  for (const Id id : order) {
    const Node node = graph[id];
    if (!is_bitwise(node)) continue;
    for (const unsigned i : {0u, 1u}) {
      const Id first = node.in[i];
      const Node inner = graph[first];
      if (!is_bitwise(inner) || uses[first] != 1 || kept[first]) continue;
      const TruthTable table =
          apply(node.what, apply(inner.what, kOperand[0], kOperand[1]), kOperand[2]);
      graph.join(id, {inner.in[0], inner.in[1], node.in[1 - i]}, table);
      joined[first] = true;
      break;
    }
  }
  std::erase_if(order, [&](Id id) { return joined[id]; });
}

}  // namespace wavetank::execute::jit
