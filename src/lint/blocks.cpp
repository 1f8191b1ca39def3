#include "lint/blocks.hpp"

#include <algorithm>

namespace wavetank::lint {
namespace {

using machine::FlowStep;

/// Marks the instructions at which a block begins.
std::vector<bool> find_leaders(const Code& code) {
  std::vector<bool> leads(code.size(), false);
  leads[code.entry] = true;
  for (std::uint32_t i = 0; i < code.size(); ++i) {
    const FlowStep& step = code.flow[i];
    if (step.target != FlowStep::kNowhere) leads[step.target] = true;
    const bool goes_on = step.following == i + 1;
    const bool straight = goes_on && step.target == FlowStep::kNowhere && !step.leaves;
    if (!straight && i + 1 < code.size()) leads[i + 1] = true;
    if (!goes_on && step.following != FlowStep::kNowhere) leads[step.following] = true;
  }
  return leads;
}

void make_blocks(const Code& code, Blocks& graph) {
  const std::vector<bool> leads = find_leaders(code);
  graph.block_of.resize(code.size());
  for (std::uint32_t i = 0; i < code.size(); ++i) {
    if (i == 0 || leads[i]) graph.blocks.emplace_back().first = i;
    graph.blocks.back().end = i + 1;
    graph.block_of[i] = static_cast<std::uint32_t>(graph.blocks.size() - 1);
  }
  for (std::uint32_t b = 0; b < graph.blocks.size(); ++b) {
    const FlowStep& last = code.flow[graph.blocks[b].end - 1];
    for (const std::uint32_t next : {last.following, last.target}) {
      if (next == FlowStep::kNowhere) continue;
      const std::uint32_t to = graph.block_of[next];
      if (std::ranges::count(graph.blocks[b].after, to) != 0) continue;
      graph.blocks[b].after.push_back(to);
      graph.blocks[to].before.push_back(b);
    }
  }
}

/// Fills Blocks::order, without recursion: kernels have thousands of blocks in a row.
void sort_blocks(std::uint32_t entry, Blocks& graph) {
  std::vector<std::uint32_t> next(graph.blocks.size(), 0);
  std::vector<bool> seen(graph.blocks.size(), false);
  std::vector<std::uint32_t> path{entry};
  seen[entry] = true;
  while (!path.empty()) {
    const std::uint32_t at = path.back();
    if (next[at] == graph.blocks[at].after.size()) {
      graph.order.push_back(at);
      path.pop_back();
      continue;
    }
    const std::uint32_t to = graph.blocks[at].after[next[at]++];
    if (seen[to]) continue;
    seen[to] = true;
    path.push_back(to);
  }
  std::ranges::reverse(graph.order);
  for (std::uint32_t i = 0; i < graph.order.size(); ++i) graph.blocks[graph.order[i]].place = i;
}

/// Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm".
void find_dominators(Blocks& graph) {
  const auto meet = [&](std::uint32_t a, std::uint32_t b) {
    while (a != b) {
      std::uint32_t& later = graph.blocks[a].place > graph.blocks[b].place ? a : b;
      later = graph.blocks[later].dominator;
    }
    return a;
  };
  const std::uint32_t entry = graph.order.front();
  graph.blocks[entry].dominator = entry;
  for (bool changed = true; changed;) {
    changed = false;
    for (const std::uint32_t b : graph.order) {
      if (b == entry) continue;
      std::uint32_t best = kNone;
      for (const std::uint32_t from : graph.blocks[b].before) {
        if (graph.blocks[from].dominator == kNone) continue;
        best = best == kNone ? from : meet(from, best);
      }
      changed = changed || graph.blocks[b].dominator != best;
      graph.blocks[b].dominator = best;
    }
  }
  graph.blocks[entry].dominator = kNone;
}

/// Adds what leads to the loop's header from `tail` to the loop.
void add_body(std::uint32_t tail, Blocks& graph, std::vector<bool>& in) {
  std::vector<std::uint32_t> pending{tail};
  while (!pending.empty()) {
    const std::uint32_t at = pending.back();
    pending.pop_back();
    if (in[at]) continue;
    in[at] = true;
    for (const std::uint32_t from : graph.blocks[at].before) pending.push_back(from);
  }
}

void find_loops(Blocks& graph) {
  for (const std::uint32_t header : graph.order) {
    std::vector<bool> in;
    for (const std::uint32_t tail : graph.blocks[header].before) {
      if (graph.blocks[tail].place < graph.blocks[header].place) continue;
      if (!graph.dominates(header, tail)) {
        graph.irreducible = true;
        continue;
      }
      if (in.empty()) {
        in.assign(graph.blocks.size(), false);
        in[header] = true;
      }
      add_body(tail, graph, in);
    }
    if (in.empty()) continue;
    Loop loop;
    loop.header = header;
    loop.parent = graph.blocks[header].loop;
    if (loop.parent != kNone) loop.depth = graph.loops[loop.parent].depth + 1;
    const auto number = static_cast<std::uint32_t>(graph.loops.size());
    for (const std::uint32_t b : graph.order) {
      if (!in[b]) continue;
      loop.blocks.push_back(b);
      graph.blocks[b].loop = number;
    }
    graph.loops.push_back(std::move(loop));
  }
}

}  // namespace

bool Blocks::dominates(std::uint32_t a, std::uint32_t b) const {
  while (b != kNone && blocks[b].place > blocks[a].place) b = blocks[b].dominator;
  return a == b;
}

bool Blocks::inside(std::uint32_t loop, std::uint32_t outer) const {
  while (loop != kNone && loop != outer) loop = loops[loop].parent;
  return loop == outer;
}

Blocks find_blocks(const Code& code) {
  Blocks graph;
  make_blocks(code, graph);
  sort_blocks(graph.block_of[code.entry], graph);
  find_dominators(graph);
  find_loops(graph);
  return graph;
}

}  // namespace wavetank::lint
