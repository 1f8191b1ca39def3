// An executable graph: a copy of a graph with an order in which its nodes can run. A launch puts
// the nodes on a stream one after the other in that order, which honours every dependency.
#pragma once

#include <memory>
#include <vector>

#include "hip/abi/status.hpp"
#include "hip/graph/checked_nodes.hpp"
#include "hip/graph/graph.hpp"
#include "hip/runtime/stream.hpp"

namespace wavetank::hip {

/// Whether an update succeeded, and the node of the new graph that prevented it.
struct UpdateOutcome {
  abi::UpdateResult result = abi::UpdateResult::kSuccess;
  GraphNode* error_node = nullptr;
};

/// hipGraphExec_t. All of it is guarded by graph_mutex().
class Executable : public std::enable_shared_from_this<Executable> {
 public:
  /// Copies a graph. Errors: kInvalidValue for a cycle (here or in a child graph), kNotSupported
  /// for a second instance of a graph with memory nodes.
  static abi::Status create(Graph& graph, unsigned long long flags,
                            std::shared_ptr<Executable>& executable);

  unsigned long long flags() const { return flags_; }
  const Graph& graph() const { return *graph_; }
  /// The copy of a node of the original graph (or of a child graph of it), or nullptr.
  GraphNode* find(const GraphNode* original) const;

  /// Puts all nodes on a stream; a launch waits for the previous one of the same executable graph.
  /// Into a capturing stream it becomes a child graph. Errors: kInvalidValue when memory that it
  /// allocates is still allocated, kInvalidHandle for a destroyed event, the device's sticky error.
  /// `awaited` is what the caller is to wait for once it has let go of graph_mutex(): the end of a
  /// launch that copies to pageable memory, as such a copy ends with its call.
  abi::Status launch(Stream& stream, CompletionPtr& awaited);
  /// Takes over the parameters of a graph of the same shape. The executable graph is unchanged
  /// unless all of it can be taken over.
  UpdateOutcome update(const Graph& graph);

 private:
  Executable(unsigned long long flags) : flags_(flags) {}

  abi::Status check_launch();
  void submit_all(Stream& stream);
  bool holds_resources() const;
  bool writes_pageable_memory(const Stream& stream) const;

  const unsigned long long flags_;
  std::unique_ptr<Graph> graph_;
  CloneMap clones_;
  std::vector<GraphNode*> order_;  ///< with the nodes of child graphs in the place of theirs
  std::shared_ptr<const void> instance_;
  CompletionPtr last_;  ///< end of the last launch
  GraphLines lines_;
};

/// True for a live executable graph.
bool is_executable(const Executable* executable);
/// The handle of an executable graph that the program owns.
Executable* own_executable(std::shared_ptr<Executable> executable);
/// Gives the program's reference up; launches under way keep theirs. False for no such handle.
bool destroy_executable(Executable* executable);

/// Whether a node of an executable graph could take another payload of the same kind: copies keep
/// their direction, fills and copies of symbols the device of their memory, fills of several rows
/// their box, kernels their device, allocations their memory.
abi::UpdateResult compare_payloads(const Payload& to, const Payload& from);
/// Whether the graphs have the same nodes and edges, node for node in topological order, and every
/// node of `to` could take the parameters of its counterpart in `from`.
UpdateOutcome compare_graphs(const Graph& to, const Graph& from);
/// Gives the nodes of `to` the parameters of `from`, which compare_graphs() approved.
void take_parameters(Graph& to, const Graph& from);

}  // namespace wavetank::hip
