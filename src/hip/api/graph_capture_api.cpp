// HIP API: stream capture.
#include "hip/api/graph_entry.hpp"
#include "hip/graph/graph_capture.hpp"

using namespace wavetank::hip;
using abi::Status;

namespace {

bool is_mode(CaptureMode mode) {
  return mode >= CaptureMode::kGlobal && mode <= CaptureMode::kRelaxed;
}

template <class Body>
Status call_capture(void* stream_handle, Body body) {
  return api::call_with_stream(stream_handle, [&](Stream& stream) {
    const std::lock_guard lock(graph_mutex());
    return body(stream);
  });
}

Status begin(void* stream_handle, CaptureMode mode) {
  return call_capture(stream_handle, [&](Stream& stream) {
    if (stream.kind() == StreamKind::kNull) return Status::kStreamCaptureUnsupported;
    if (!is_mode(mode)) return Status::kInvalidValue;
    return GraphCapture::begin(stream, mode, nullptr, {});
  });
}

Status end(void* stream_handle, Graph** graph) {
  return call_capture(stream_handle, [&](Stream& stream) {
    return graph == nullptr ? Status::kInvalidValue : GraphCapture::end(stream, graph);
  });
}

/// What the queries give; any part may be left out but the status.
struct CaptureInfo {
  CaptureStatus* status;
  unsigned long long* id = nullptr;
  Graph** graph = nullptr;
  GraphNode* const** dependencies = nullptr;
  std::size_t* dependency_count = nullptr;
};

Status query(void* stream_handle, const CaptureInfo& info) {
  return call_capture(stream_handle, [&](Stream& stream) {
    if (info.status == nullptr) return Status::kInvalidValue;
    if (stream.kind() == StreamKind::kNull && blocking_stream_captures()) {
      return Status::kStreamCaptureImplicit;
    }
    const auto capture = GraphCapture::of(stream);
    *info.status = capture == nullptr ? CaptureStatus::kNone : capture->status();
    if (*info.status != CaptureStatus::kActive) return Status::kSuccess;
    const std::vector<GraphNode*>& frontier = capture->frontier(stream);
    if (info.id != nullptr) *info.id = capture->id();
    if (info.graph != nullptr) *info.graph = &capture->graph();
    if (info.dependencies != nullptr) *info.dependencies = frontier.data();
    if (info.dependency_count != nullptr) *info.dependency_count = frontier.size();
    return Status::kSuccess;
  });
}

}  // namespace

WAVETANK_API Status hipStreamBeginCapture(void* stream, CaptureMode mode) {
  return begin(stream, mode);
}
WAVETANK_API Status hipStreamBeginCapture_spt(void* stream, CaptureMode mode) {
  return begin(api::per_thread_handle(stream), mode);
}

// Edges have no data that AMD's runtime would know.
WAVETANK_API Status hipStreamBeginCaptureToGraph(void* stream_handle, Graph* graph,
                                                 GraphNode* const* dependencies,
                                                 const void* edge_data, std::size_t count,
                                                 CaptureMode mode) {
  return call_capture(stream_handle, [&](Stream& stream) {
    if (edge_data != nullptr) return Status::kNotSupported;
    if (!is_graph(graph) || (dependencies == nullptr) != (count == 0)) {
      return Status::kInvalidValue;
    }
    if (stream.kind() == StreamKind::kNull) return Status::kStreamCaptureUnsupported;
    if (!is_mode(mode)) return Status::kInvalidValue;
    return GraphCapture::begin(stream, mode, graph, {dependencies, count});
  });
}

WAVETANK_API Status hipStreamEndCapture(void* stream, Graph** graph) { return end(stream, graph); }
WAVETANK_API Status hipStreamEndCapture_spt(void* stream, Graph** graph) {
  return end(api::per_thread_handle(stream), graph);
}

WAVETANK_API Status hipStreamIsCapturing(void* stream, CaptureStatus* status) {
  return query(stream, {status});
}
WAVETANK_API Status hipStreamIsCapturing_spt(void* stream, CaptureStatus* status) {
  return query(api::per_thread_handle(stream), {status});
}

WAVETANK_API Status hipStreamGetCaptureInfo(void* stream, CaptureStatus* status,
                                            unsigned long long* id) {
  return query(stream, {status, id});
}
WAVETANK_API Status hipStreamGetCaptureInfo_spt(void* stream, CaptureStatus* status,
                                                unsigned long long* id) {
  return query(api::per_thread_handle(stream), {status, id});
}

WAVETANK_API Status hipStreamGetCaptureInfo_v2(void* stream, CaptureStatus* status,
                                               unsigned long long* id, Graph** graph,
                                               GraphNode* const** dependencies,
                                               std::size_t* count) {
  return query(stream, {status, id, graph, dependencies, count});
}
WAVETANK_API Status hipStreamGetCaptureInfo_v2_spt(void* stream, CaptureStatus* status,
                                                   unsigned long long* id, Graph** graph,
                                                   GraphNode* const** dependencies,
                                                   std::size_t* count) {
  return query(api::per_thread_handle(stream), {status, id, graph, dependencies, count});
}

WAVETANK_API Status hipStreamUpdateCaptureDependencies(void* stream_handle,
                                                       GraphNode* const* dependencies,
                                                       std::size_t count, unsigned flags) {
  return call_capture(stream_handle, [&](Stream& stream) {
    const auto capture = GraphCapture::of(stream);
    if (capture == nullptr) return Status::kIllegalState;
    if (count != 0 && dependencies == nullptr) return Status::kInvalidValue;
    if (flags > abi::kSetCaptureDependencies) return Status::kInvalidValue;
    const bool replace = flags == abi::kSetCaptureDependencies;
    return capture->update_frontier(stream, {dependencies, count}, replace);
  });
}

WAVETANK_API Status hipThreadExchangeStreamCaptureMode(CaptureMode* mode) {
  return api::call([&] {
    if (mode == nullptr || !is_mode(*mode)) return Status::kInvalidValue;
    exchange_capture_mode(*mode);
    return Status::kSuccess;
  });
}
