#include "hip/graph/graph_capture.hpp"

#include <algorithm>
#include <atomic>

#include "hip/graph/payload.hpp"
#include "hip/runtime/event.hpp"
#include "hip/runtime/launch.hpp"
#include "hip/runtime/memory/memory_pool.hpp"
#include "hip/runtime/virtual_device.hpp"

namespace wavetank::hip {
namespace {

using abi::Status;
using Lock = std::lock_guard<std::recursive_mutex>;

std::uint64_t next_capture_id() {
  static std::atomic<std::uint64_t> next{1};
  return next.fetch_add(1);
}

void add_missing(std::vector<GraphNode*>& nodes, GraphCapture::Nodes more) {
  for (GraphNode* node : more) {
    if (std::ranges::find(nodes, node) == nodes.end()) nodes.push_back(node);
  }
}

}  // namespace

GraphCapture::GraphCapture(Stream& origin, CaptureMode mode, std::unique_ptr<Graph> own,
                           Graph* graph)
    : Capture(mode),
      origin_(&origin),
      id_(next_capture_id()),
      own_graph_(std::move(own)),
      graph_(own_graph_ == nullptr ? graph : own_graph_.get()) {
  streams_.push_back(&origin);
}

Status GraphCapture::begin(Stream& stream, CaptureMode mode, Graph* graph, Nodes dependencies) {
  const Lock lock(graph_mutex());
  if (stream.kind() == StreamKind::kNull) return Status::kStreamCaptureUnsupported;
  if (stream.capture() != nullptr) return Status::kIllegalState;
  auto own = graph == nullptr ? std::make_unique<Graph>(stream.device()) : nullptr;
  const auto capture = std::make_shared<GraphCapture>(stream, mode, std::move(own), graph);
  const Status status = capture->update_frontier(stream, dependencies, true);
  if (status != Status::kSuccess) return status;
  stream.set_capture(capture);
  add_capture(capture);
  return Status::kSuccess;
}

Status GraphCapture::end(Stream& stream, Graph** graph) {
  const Lock lock(graph_mutex());
  const auto capture = of(stream);
  if (capture == nullptr) return Status::kIllegalState;
  if (capture->origin_ != &stream) return Status::kStreamCaptureUnmatched;
  if (capture->mode() != CaptureMode::kRelaxed && capture->thread() != std::this_thread::get_id()) {
    return Status::kStreamCaptureWrongThread;
  }
  const bool invalidated = capture->status() == CaptureStatus::kInvalidated;
  const bool joined = capture->is_joined();
  capture->leave_all_streams();
  *graph = nullptr;
  if (invalidated) return Status::kStreamCaptureInvalidated;
  if (!joined) return Status::kStreamCaptureUnjoined;
  *graph = capture->graph_;
  if (capture->own_graph_ != nullptr) own_graph(std::move(capture->own_graph_));
  return Status::kSuccess;
}

std::shared_ptr<GraphCapture> GraphCapture::of(const Stream& stream) {
  return std::static_pointer_cast<GraphCapture>(stream.capture());
}

Status GraphCapture::update_frontier(const Stream& stream, Nodes nodes, bool replace) {
  for (const GraphNode* node : nodes) {
    if (!is_node(node) || node->graph != graph_) return Status::kInvalidValue;
  }
  std::vector<GraphNode*>& frontier = frontiers_[&stream];
  if (replace) frontier.clear();
  add_missing(frontier, nodes);
  return Status::kSuccess;
}

/// Whatever the other streams were given last must come before what the origin was given last.
/// Nodes that the program added itself, or took out of the frontier, do not matter.
bool GraphCapture::is_joined() const {
  const std::vector<GraphNode*>& ends = frontiers_.at(origin_);
  for (const Stream* stream : streams_) {
    const auto found = frontiers_.find(stream);
    if (stream == origin_ || found == frontiers_.end()) continue;
    for (const GraphNode* node : found->second) {
      if (is_node(node) && node->captured && !Graph::leads_to(node, ends)) return false;
    }
  }
  return true;
}

void GraphCapture::leave_all_streams() {
  const auto keep = shared_from_this();
  for (Stream* stream : streams_) stream->set_capture(nullptr);
  remove_capture(*this);
  Capture::end();
}

Status GraphCapture::add(Stream& stream, Payload payload) {
  if (status() == CaptureStatus::kInvalidated) return Status::kStreamCaptureInvalidated;
  std::vector<GraphNode*>& frontier = frontiers_[&stream];
  std::erase_if(frontier, [](const GraphNode* node) { return !is_node(node); });
  GraphNode* node = nullptr;
  const Status status = graph_->add(std::move(payload), frontier, &node);
  if (status != Status::kSuccess) return status;
  node->captured = true;
  frontier.assign(1, node);
  return Status::kSuccess;
}

Status GraphCapture::launch(Stream& stream, const LaunchRequest& request) {
  const Lock lock(graph_mutex());
  const KernelAttributes attributes{.window = {}, .cooperative = request.cooperative};
  void* handle = request.host_function == nullptr ? static_cast<void*>(request.function)
                                                  : const_cast<void*>(request.host_function);
  KernelPayload kernel;
  Status status = make_kernel(request, handle, attributes, kernel);
  if (status == Status::kSuccess && request.start != nullptr) {
    status = record(stream, *request.start, true);
  }
  if (status == Status::kSuccess) status = add(stream, std::move(kernel));
  if (status == Status::kSuccess && request.stop != nullptr) {
    status = record(stream, *request.stop, true);
  }
  return status;
}

Status GraphCapture::launch_graph(Stream& stream, const Graph& graph) {
  const Lock lock(graph_mutex());
  auto copy = graph_->copy_of_child(graph);
  return copy ? add(stream, ChildPayload{std::move(copy)}) : Status::kOutOfMemory;
}

Status GraphCapture::copy(Stream& stream, const CopyOperation& copy, abi::MemcpyKind kind) {
  const Lock lock(graph_mutex());
  return add(stream, captured_copy(copy, kind));
}

Status GraphCapture::run(Stream& stream, const Operation& operation) {
  const Lock lock(graph_mutex());
  if (const auto* fill = std::get_if<FillOperation>(&operation)) {
    return add(stream, captured_fill(*fill));
  }
  if (const auto* host = std::get_if<HostOperation>(&operation)) {
    HostPayload payload{.operation = *host};
    if (const auto* call = host->call.target<HostCall>()) {
      payload.parameters = {call->function, call->user_data};
    }
    return add(stream, std::move(payload));
  }
  return add(stream, EmptyPayload{});
}

Status GraphCapture::record(Stream& stream, Event& event, bool external) {
  const Lock lock(graph_mutex());
  if (external) return add(stream, EventRecordPayload{&event});
  if (status() == CaptureStatus::kInvalidated) return Status::kStreamCaptureInvalidated;
  auto point = std::make_shared<CapturePoint>();
  point->capture = weak_from_this();
  point->nodes = frontiers_[&stream];
  event.record_capture(std::move(point));
  return Status::kSuccess;
}

Status GraphCapture::wait_external(Stream& stream, Event& event) {
  const Lock lock(graph_mutex());
  return add(stream, EventWaitPayload{&event});
}

Status GraphCapture::join(Stream& stream, const CapturePoint& point) {
  const Lock lock(graph_mutex());
  if (status() == CaptureStatus::kInvalidated) return Status::kStreamCaptureInvalidated;
  const auto other = stream.capture();
  if (other != nullptr && other.get() != this) {
    other->invalidate();
    invalidate();
    return Status::kStreamCaptureMerge;
  }
  if (other == nullptr) {
    stream.set_capture(shared_from_this());
    streams_.push_back(&stream);
  }
  add_missing(frontiers_[&stream], point.nodes);
  return Status::kSuccess;
}

Status GraphCapture::allocate(Stream& stream, MemoryPool& pool, void** address,
                              std::size_t size_bytes) {
  const Lock lock(graph_mutex());
  constexpr std::int32_t kPinned = 1;
  abi::MemAllocNodeParameters parameters{};
  parameters.pool.allocation_type = kPinned;
  parameters.pool.location = {abi::MemLocationType::kDevice, pool.device().ordinal()};
  parameters.size_bytes = size_bytes;
  AllocationPayload payload;
  Status status = make_allocation(parameters, payload);
  if (status != Status::kSuccess) return status;
  status = add(stream, std::move(payload));
  *address = status == Status::kSuccess ? parameters.address : nullptr;
  return status;
}

Status GraphCapture::free(Stream& stream, void* address) {
  const Lock lock(graph_mutex());
  FreePayload payload;
  Status status = make_free(address, payload);
  if (status != Status::kSuccess) return status;
  const auto allocation = payload.allocation;
  status = add(stream, std::move(payload));
  if (status == Status::kSuccess) allocation->has_free_node = true;
  return status;
}

void GraphCapture::forget(Stream& stream) {
  const Lock lock(graph_mutex());
  const auto keep = shared_from_this();
  if (&stream == origin_) {
    leave_all_streams();
    return;
  }
  stream.set_capture(nullptr);
  std::erase(streams_, &stream);
  frontiers_.erase(&stream);
}

}  // namespace wavetank::hip
