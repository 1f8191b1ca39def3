#include "execute/jit/plan.hpp"

#include <algorithm>

#include "execute/jit/bitwise.hpp"

namespace wavetank::execute::jit {
namespace {

bool contains(std::span<const unsigned> list, unsigned name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

/// Is it a word of a larger value?
bool is_part(const Node& node) {
  return node.what == Do::kLow || node.what == Do::kHigh || node.what == Do::kEvenOfBoth ||
         node.what == Do::kOddOfBoth;
}

/// Marks what is asked for, from the last node to the first.
std::vector<bool> find_live(const Graph& graph, const Plan& plan, std::span<const Id> kept) {
  std::vector<bool> live(graph.size());
  for (const auto* results : {&plan.vectors, &plan.masks}) {
    for (const Plan::Result& result : *results) live[result.value] = true;
  }
  for (const Id id : kept) live[id] = true;
  for (std::size_t i = graph.size(); i-- > 0;) {
    const Node& node = graph[static_cast<Id>(i)];
    const bool conditional = node.what == Do::kRequire && node.in[1] != kNoValue;
    const bool effect = node.kind == Kind::kEffect && (!conditional || live[node.in[1]]);
    live[i] = live[i] || effect || node.what == Do::kLoad;
    if (!live[i]) continue;
    for (const Id in : node.in) {
      if (in != kNoValue) live[in] = true;
    }
  }
  return live;
}

/// Words of doubles and of pairs that are only stored: they are taken apart when they are.
std::vector<bool> find_parts(const Graph& graph, const Plan& plan, const std::vector<bool>& live,
                             std::span<const Id> kept) {
  std::vector<bool> parts(graph.size());
  for (const Plan::Result& result : plan.vectors) {
    parts[result.value] = is_part(graph[result.value]);
  }
  for (const Id id : kept) parts[id] = false;
  for (std::size_t i = 0; i < graph.size(); ++i) {
    if (!live[i]) continue;
    for (const Id in : graph[static_cast<Id>(i)].in) {
      if (in != kNoValue) parts[in] = false;
    }
  }
  return parts;
}

/// Arithmetic whose NaNs no later arithmetic carries on: those must be looked for, unless the graph
/// spells them. One comparison tests two values, so that each second one is followed by a test.
class NanTests {
 public:
  NanTests(Graph& graph, std::vector<bool>& live) : graph_(graph), live_(live) {
    std::vector<bool> covered(graph.size());
    for (std::size_t i = graph.size(); i-- > 0;) {
      const Node& node = graph[static_cast<Id>(i)];
      // What these give is a NaN where their operand is.
      const bool passes_on = node.what == Do::kRoundToHalf || node.what == Do::kFlush;
      if (live[i] && passes_on && covered[i]) covered[node.in[0]] = true;
      // Every node's own NaN is covered or tested, so that operands' are.
      const bool tests = node.what == Do::kOrdered;
      if (!live[i] || (!tests && !carries_nan(node.what))) continue;
      for (const Id in : node.in) {
        if (in != kNoValue) covered[in] = true;
      }
      if (!tests && !covered[i] && !graph.spells_nans()) needed_.push_back(static_cast<Id>(i));
    }
    std::reverse(needed_.begin(), needed_.end());
  }

  /// The nodes with tests among them.
  std::vector<Id> order() {
    const std::size_t count = graph_.size();
    std::vector<Id> order;
    auto next = needed_.begin();
    Id waiting = kNoValue;
    for (std::size_t i = 0; i < count; ++i) {
      const Id id = static_cast<Id>(i);
      if (!live_[i] || is_leaf(graph_[id])) continue;
      order.push_back(id);
      if (next == needed_.end() || *next != id) continue;
      ++next;
      const bool pairs = waiting != kNoValue && graph_[waiting].kind == graph_[id].kind;
      if (pairs) {
        add_test(order, waiting, id);
        waiting = kNoValue;
        continue;
      }
      if (waiting != kNoValue) add_test(order, waiting, waiting);
      waiting = id;
    }
    if (waiting != kNoValue) add_test(order, waiting, waiting);
    return order;
  }

 private:
  void add_test(std::vector<Id>& order, Id a, Id b) {
    if (graph_.full()) return;
    graph_.set_op(graph_[b].op);
    graph_.effect(Do::kOrdered, a, b);
    order.push_back(static_cast<Id>(graph_.size() - 1));
  }

  Graph& graph_;
  std::vector<bool>& live_;
  std::vector<Id> needed_;
};

/// Calls visit(node, place) for all that asks for nodes, in order.
template <class Visit>
void for_each_ask(const Plan& plan, const Graph& graph, const std::vector<bool>& parts,
                  std::span<const Id> kept, Visit visit) {
  const auto end = static_cast<std::uint16_t>(plan.order.size());
  for (std::uint16_t at = 0; at < end; ++at) {
    for (const Id in : graph[plan.order[at]].in) {
      if (in != kNoValue) visit(in, at);
    }
  }
  for (const auto* results : {&plan.vectors, &plan.masks}) {
    for (const Plan::Result& result : *results) {
      visit(result.value, end);
      if (!parts[result.value]) continue;
      for (const Id in : graph[result.value].in) {
        if (in != kNoValue) visit(in, end);
      }
    }
  }
  for (const Id id : kept) visit(id, end);
}

/// What results and a store ask for.
std::vector<bool> asked_from_outside(const Graph& graph, const Plan& plan,
                                     const std::vector<bool>& parts, std::span<const Id> kept) {
  std::vector<bool> asked(graph.size());
  const auto end = static_cast<std::uint16_t>(plan.order.size());
  for_each_ask(plan, graph, parts, kept, [&](Id node, std::uint16_t at) {
    if (at == end) asked[node] = true;
  });
  return asked;
}

/// Loads come when they are first asked for: registers are few, and memory does not change
/// within a run.
std::vector<Id> with_late_loads(const Graph& graph, const std::vector<Id>& order) {
  std::vector<Id> place_of(graph.size(), kNoValue);
  Id place = kNoValue;
  for (const Id id : order) {
    if (graph[id].what == Do::kPlace) place = id;
    if (graph[id].what == Do::kLoad) place_of[id] = place;
  }
  std::vector<Id> result;
  std::vector<bool> is_placed(graph.size());
  const auto put = [&](Id wanted) {
    is_placed[wanted] = true;
    result.push_back(wanted);
    for (Id load = wanted + 1; load < graph.size() && place_of[load] == wanted; ++load) {
      result.push_back(load);
    }
  };
  for (const Id id : order) {
    const Node& node = graph[id];
    if (node.what == Do::kPlace || node.what == Do::kLoad) continue;
    for (const Id in : node.in) {
      if (in != kNoValue && place_of[in] != kNoValue && !is_placed[place_of[in]]) put(place_of[in]);
    }
    result.push_back(id);
  }
  for (const Id id : order) {
    if (graph[id].what == Do::kPlace && !is_placed[id]) put(id);
  }
  return result;
}

void note_asks(Plan& plan, const Graph& graph, const std::vector<bool>& parts,
               std::span<const Id> kept) {
  plan.uses.assign(graph.size(), 0);
  for_each_ask(plan, graph, parts, kept, [&](Id node, std::uint16_t) { ++plan.uses[node]; });
  plan.first_ask.assign(graph.size() + 1, 0);
  for (std::size_t i = 0; i < graph.size(); ++i) {
    plan.first_ask[i + 1] = plan.first_ask[i] + plan.uses[i];
  }
  plan.asks.resize(plan.first_ask.back());
  std::vector<std::uint32_t> next(plan.first_ask.begin(), plan.first_ask.end() - 1);
  for_each_ask(plan, graph, parts, kept,
               [&](Id node, std::uint16_t at) { plan.asks[next[node]++] = at; });
}

}  // namespace

bool is_leaf(const Node& node) { return node.what < Do::kAdd; }

Plan make_plan(Sketch& sketch, std::span<const unsigned> dead_vectors,
               std::span<const unsigned> dead_masks, std::span<const Id> kept, bool ternary) {
  Plan plan;
  Graph& graph = sketch.graph();
  for (const unsigned name : sketch.written_vectors()) {
    const Id value = sketch.value_of_vector(name);
    const Node& node = graph[value];
    const bool unchanged = node.what == Do::kRegister && node.bits == name;
    if (!unchanged && !contains(dead_vectors, name)) plan.vectors.push_back({name, value});
  }
  for (const unsigned sgpr : sketch.written_masks()) {
    if (!contains(dead_masks, sgpr)) plan.masks.push_back({sgpr, sketch.value_of_mask(sgpr)});
  }
  std::vector<bool> live = find_live(graph, plan, kept);
  const std::vector<bool> parts = find_parts(graph, plan, live, kept);
  plan.order = NanTests(graph, live).order();
  std::erase_if(plan.order, [&](Id id) { return id < parts.size() && parts[id]; });
  if (ternary) join_bitwise(graph, plan.order, asked_from_outside(graph, plan, parts, kept));
  plan.order = with_late_loads(graph, plan.order);
  note_asks(plan, graph, parts, kept);
  return plan;
}

}  // namespace wavetank::execute::jit
