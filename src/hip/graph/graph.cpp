#include "hip/graph/graph.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <unordered_set>

#include "hip/abi/generation.hpp"

namespace wavetank::hip {
namespace {

using abi::Status;

template <class Object>
std::unordered_set<const Object*>& live() {
  static auto* objects = new std::unordered_set<const Object*>;
  return *objects;
}

std::unordered_map<const Graph*, std::unique_ptr<Graph>>& owned_graphs() {
  static auto* graphs = new std::unordered_map<const Graph*, std::unique_ptr<Graph>>;
  return *graphs;
}

/// With child graphs. The walks of a graph go down its levels by recursion.
constexpr std::size_t kMostNodes = std::size_t{1} << 18;
constexpr std::size_t kMostLevels = 256;

std::uint64_t next_id() {
  static std::atomic<std::uint64_t> next{1};
  return next.fetch_add(1);
}

bool contains(const std::vector<GraphNode*>& nodes, const GraphNode* node) {
  return std::ranges::find(nodes, node) != nodes.end();
}

/// Types in the order of Payload's alternatives, as ROCm 6 numbers them. Since ROCm 6 all forms of
/// copies are one type.
constexpr std::array kTypeNumbers = {5, 0, 1, 2, 3, 4, 6, 7, 10, 11, 14};

/// ROCm 5 tells 1-D copies and copies from and to symbols apart.
std::int32_t rocm5_copy_type(CopyForm form) {
  switch (form) {
    case CopyForm::k3d: return 2;
    case CopyForm::k1d: return 9;
    case CopyForm::kFromSymbol: return 10;
    case CopyForm::kToSymbol: return 11;
  }
  return 2;
}

}  // namespace

std::int32_t node_type_number(const GraphNode& node) {
  const std::int32_t number = kTypeNumbers[node.payload.index()];
  if (abi::generation.major >= 6) return number;
  if (const auto* copy = node.as<CopyPayload>()) return rocm5_copy_type(copy->form);
  return number + 1;
}

bool is_node(const GraphNode* node) { return live<GraphNode>().contains(node); }
bool is_graph(const Graph* graph) { return live<Graph>().contains(graph); }

Graph* own_graph(std::unique_ptr<Graph> graph) {
  Graph* handle = graph.get();
  owned_graphs().emplace(handle, std::move(graph));
  return handle;
}

bool destroy_graph(Graph* graph) {
  const auto found = owned_graphs().find(graph);
  if (found == owned_graphs().end()) return false;
  const auto destroyed = std::move(found->second);
  owned_graphs().erase(found);
  return true;
}

Graph::Graph(VirtualDevice& device) : device_(device), id_(next_id()) {
  live<Graph>().insert(this);
}

Graph::Graph(const Graph& other, CopyTag)
    : user_objects(other.user_objects), device_(other.device_), id_(next_id()), is_clone_(true) {
  live<Graph>().insert(this);
}

Graph::~Graph() {
  const std::lock_guard lock(graph_mutex());
  for (const auto& node : nodes_) live<GraphNode>().erase(node.get());
  live<Graph>().erase(this);
}

Status Graph::add(Payload payload, std::span<GraphNode* const> dependencies, GraphNode** node) {
  std::vector<GraphNode*> known;
  for (GraphNode* dependency : dependencies) {
    if (!is_node(dependency) || dependency->graph != this) return Status::kInvalidValue;
    if (contains(known, dependency)) return Status::kInvalidValue;
    known.push_back(dependency);
  }
  auto added = std::make_unique<GraphNode>();
  added->graph = this;
  added->id = next_id();
  added->payload = std::move(payload);
  added->dependencies = std::move(known);
  for (GraphNode* dependency : added->dependencies) dependency->dependents.push_back(added.get());
  live<GraphNode>().insert(added.get());
  *node = added.get();
  nodes_.push_back(std::move(added));
  return Status::kSuccess;
}

void Graph::remove(GraphNode& node) {
  for (GraphNode* dependency : node.dependencies) std::erase(dependency->dependents, &node);
  for (GraphNode* dependent : node.dependents) std::erase(dependent->dependencies, &node);
  live<GraphNode>().erase(&node);
  std::erase_if(nodes_, [&](const auto& known) { return known.get() == &node; });
}

Status Graph::add_edge(GraphNode* from, GraphNode* to) {
  if (!is_node(from) || !is_node(to) || from == to) return Status::kInvalidValue;
  if (from->graph != this || to->graph != this) return Status::kInvalidValue;
  if (contains(from->dependents, to)) return Status::kInvalidValue;
  from->dependents.push_back(to);
  to->dependencies.push_back(from);
  return Status::kSuccess;
}

Status Graph::remove_edge(GraphNode* from, GraphNode* to) {
  if (!is_node(from) || !is_node(to)) return Status::kInvalidValue;
  if (from->graph != this || to->graph != this) return Status::kInvalidValue;
  if (std::erase(from->dependents, to) == 0) return Status::kInvalidValue;
  std::erase(to->dependencies, from);
  return Status::kSuccess;
}

std::optional<std::vector<GraphNode*>> Graph::topological_order() const {
  std::unordered_map<const GraphNode*, std::size_t> waiting_for;
  std::vector<GraphNode*> order = roots();
  for (const auto& node : nodes_) waiting_for[node.get()] = node->dependencies.size();
  for (std::size_t next = 0; next < order.size(); ++next) {
    for (GraphNode* dependent : order[next]->dependents) {
      if (--waiting_for[dependent] == 0) order.push_back(dependent);
    }
  }
  if (order.size() != nodes_.size()) return std::nullopt;
  return order;
}

std::vector<GraphNode*> Graph::roots() const {
  std::vector<GraphNode*> found;
  for (const auto& node : nodes_) {
    if (node->dependencies.empty()) found.push_back(node.get());
  }
  return found;
}

std::vector<std::pair<GraphNode*, GraphNode*>> Graph::edges() const {
  std::vector<std::pair<GraphNode*, GraphNode*>> found;
  for (const auto& node : nodes_) {
    for (GraphNode* dependent : node->dependents) found.emplace_back(node.get(), dependent);
  }
  return found;
}

bool Graph::leads_to(const GraphNode* node, const std::vector<GraphNode*>& ends) {
  std::vector<const GraphNode*> open(ends.begin(), ends.end());
  std::unordered_set<const GraphNode*> seen(ends.begin(), ends.end());
  while (!open.empty()) {
    const GraphNode* current = open.back();
    open.pop_back();
    if (current == node) return true;
    for (const GraphNode* dependency : current->dependencies) {
      if (seen.insert(dependency).second) open.push_back(dependency);
    }
  }
  return false;
}

std::unique_ptr<Graph> Graph::clone(CloneMap& clones, unsigned level) const {
  std::unique_ptr<Graph> copy(new Graph(*this, CopyTag{}));
  copy->level_ = level;
  for (const auto& node : nodes_) {
    auto made = std::make_unique<GraphNode>(*node);
    made->graph = copy.get();
    if (auto* child = made->as<ChildPayload>())
      child->graph = child->graph->clone(clones, level + 1);
    clones[node.get()] = made.get();
    live<GraphNode>().insert(made.get());
    copy->nodes_.push_back(std::move(made));
  }
  for (const auto& node : copy->nodes_) {
    for (GraphNode*& dependency : node->dependencies) dependency = clones[dependency];
    for (GraphNode*& dependent : node->dependents) dependent = clones[dependent];
  }
  return copy;
}

Graph::Extent Graph::extent() const {
  Extent all{.nodes = nodes_.size()};
  for (const auto& node : nodes_) {
    const auto* child = node->as<ChildPayload>();
    if (child == nullptr || all.nodes > kMostNodes) continue;
    const Extent inner = child->graph->extent();
    all.nodes += inner.nodes;
    all.levels = std::max(all.levels, inner.levels + 1);
  }
  return all;
}

std::unique_ptr<Graph> Graph::copy_of_child(const Graph& child) const {
  const Extent inner = child.extent();
  if (level_ + inner.levels >= kMostLevels) return nullptr;
  if (extent().nodes + inner.nodes >= kMostNodes) return nullptr;
  CloneMap clones;
  return child.clone(clones, level_ + 1);
}

bool Graph::has_memory_nodes() const {
  return std::ranges::any_of(nodes_, [](const auto& node) {
    if (const auto* child = node->template as<ChildPayload>()) {
      return child->graph->has_memory_nodes();
    }
    return node->template as<AllocationPayload>() != nullptr ||
           node->template as<FreePayload>() != nullptr;
  });
}

}  // namespace wavetank::hip
