// Stream capture into a graph.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "hip/graph/graph.hpp"
#include "hip/runtime/capture.hpp"
#include "hip/runtime/stream.hpp"

namespace wavetank::hip {

/// A capture that builds a graph. Each stream that takes part has a frontier: the nodes that what
/// it is given next depends on.
class GraphCapture : public Capture, public std::enable_shared_from_this<GraphCapture> {
 public:
  using Nodes = std::span<GraphNode* const>;

  /// Begins a capture on a stream, into a new graph (`graph` null) or behind `dependencies` of a
  /// given one. Errors: kStreamCaptureUnsupported for the legacy stream, kIllegalState for a stream
  /// that captures, kInvalidValue for dependencies that are no nodes of the graph.
  static abi::Status begin(Stream& stream, CaptureMode mode, Graph* graph, Nodes dependencies);
  /// Ends the capture that a stream began and gives its graph; null with an error. Errors:
  /// kIllegalState (does not capture), kStreamCaptureUnmatched (began on another stream),
  /// kStreamCaptureWrongThread (then it goes on), kStreamCaptureInvalidated,
  /// kStreamCaptureUnjoined.
  static abi::Status end(Stream& stream, Graph** graph);
  /// The capture that a stream takes part in, or nullptr.
  static std::shared_ptr<GraphCapture> of(const Stream& stream);

  std::uint64_t id() const { return id_; }
  Graph& graph() const { return *graph_; }
  const std::vector<GraphNode*>& frontier(const Stream& stream) { return frontiers_[&stream]; }
  /// Adds to a stream's frontier, or replaces it. Errors: kInvalidValue for foreign nodes.
  abi::Status update_frontier(const Stream& stream, Nodes nodes, bool replace);

  GraphCapture(Stream& origin, CaptureMode mode, std::unique_ptr<Graph> own, Graph* graph);

  abi::Status launch(Stream& stream, const LaunchRequest& request) override;
  abi::Status launch_graph(Stream& stream, const Graph& graph) override;
  abi::Status copy(Stream& stream, const CopyOperation& copy, abi::MemcpyKind kind) override;
  abi::Status run(Stream& stream, const Operation& operation) override;
  abi::Status record(Stream& stream, Event& event, bool external) override;
  abi::Status wait_external(Stream& stream, Event& event) override;
  abi::Status join(Stream& stream, const CapturePoint& point) override;
  abi::Status allocate(Stream& stream, MemoryPool& pool, void** address,
                       std::size_t size_bytes) override;
  abi::Status free(Stream& stream, void* address) override;
  void forget(Stream& stream) override;

 private:
  abi::Status add(Stream& stream, Payload payload);
  bool is_joined() const;
  void leave_all_streams();

  Stream* const origin_;
  const std::uint64_t id_;
  std::unique_ptr<Graph> own_graph_;  ///< null when the program gave the graph
  Graph* graph_;
  std::map<const Stream*, std::vector<GraphNode*>> frontiers_;
  std::vector<Stream*> streams_;  ///< that take part
};

}  // namespace wavetank::hip
