// A graph: nodes, and which of them must end before which may begin.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "hip/abi/status.hpp"
#include "hip/graph/graph_mutex.hpp"
#include "hip/graph/node.hpp"
#include "hip/graph/user_object.hpp"

namespace wavetank::hip {

/// Which node of a clone stands for which node of the original, child graphs included.
using CloneMap = std::unordered_map<const GraphNode*, GraphNode*>;

/// hipGraph_t. All of it is guarded by graph_mutex().
class Graph {
 public:
  explicit Graph(VirtualDevice& device);
  ~Graph();
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  /// The device that was current when the graph was made.
  VirtualDevice& device() const { return device_; }
  std::uint64_t id() const { return id_; }

  /// Adds a node behind `dependencies`. Errors: kInvalidValue for a dependency that is no node of
  /// this graph or is named twice; the graph is then unchanged.
  abi::Status add(Payload payload, std::span<GraphNode* const> dependencies, GraphNode** node);
  /// Removes a node and its edges.
  void remove(GraphNode& node);
  /// Adds an edge. Errors: kInvalidValue for nodes of another graph, equal nodes, a known edge.
  abi::Status add_edge(GraphNode* from, GraphNode* to);
  /// Removes an edge. Errors: kInvalidValue when there is none.
  abi::Status remove_edge(GraphNode* from, GraphNode* to);

  /// The nodes in the order in which they were added.
  const std::vector<std::unique_ptr<GraphNode>>& nodes() const { return nodes_; }
  /// The nodes in an order in which each comes after all that it depends on; empty if there is a
  /// cycle. Nodes that become ready together keep the order in which they were added.
  std::optional<std::vector<GraphNode*>> topological_order() const;
  /// Nodes without dependencies; edges as pairs from, to.
  std::vector<GraphNode*> roots() const;
  std::vector<std::pair<GraphNode*, GraphNode*>> edges() const;
  /// True if `node` is one of `ends` or comes before one of them.
  static bool leads_to(const GraphNode* node, const std::vector<GraphNode*>& ends);

  /// A copy whose nodes have the ids of these. Captured and child graphs are copied alike.
  std::unique_ptr<Graph> clone(CloneMap& clones) const { return clone(clones, 0); }
  bool is_clone() const { return is_clone_; }

  /// A copy of `child` for a node of this graph; nothing when that would make this graph larger
  /// than any should be, which doubling it by adding it to itself soon does.
  std::unique_ptr<Graph> copy_of_child(const Graph& child) const;

  /// True if a node, here or in a child graph, allocates or frees memory.
  bool has_memory_nodes() const;
  /// Holds while an executable graph made from this one exists. Memory nodes allow only one.
  std::weak_ptr<const void> instance;

  UserObjectReferences user_objects;

 private:
  struct CopyTag {};
  struct Extent {
    std::size_t nodes = 0, levels = 1;
  };
  /// With child graphs; stops at the first node beyond the most.
  Extent extent() const;
  std::unique_ptr<Graph> clone(CloneMap& clones, unsigned level) const;
  Graph(const Graph& other, CopyTag);

  VirtualDevice& device_;
  const std::uint64_t id_;
  bool is_clone_ = false;
  unsigned level_ = 0;  ///< how many graphs this child graph is inside of
  std::vector<std::unique_ptr<GraphNode>> nodes_;
};

/// True for a live graph, whoever owns it.
bool is_graph(const Graph* graph);

/// Graphs that the program owns: hipGraphCreate, hipGraphClone, hipStreamEndCapture.
Graph* own_graph(std::unique_ptr<Graph> graph);
/// Destroys such a graph; false for a graph that the program does not own.
bool destroy_graph(Graph* graph);

}  // namespace wavetank::hip
