// Stream capture as the runtime sees it: a capturing stream hands what it is given to its Capture
// instead of running it. What a capture builds, graphs, is no concern of streams and events.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

#include "hip/abi/status.hpp"
#include "hip/abi/types.hpp"
#include "hip/runtime/operation.hpp"
#include "hip/runtime/stream_kind.hpp"

namespace wavetank::hip {

class Capture;
class Event;
class Graph;
class MemoryPool;
class Stream;
struct GraphNode;
struct LaunchRequest;

/// hipStreamCaptureMode: which calls elsewhere in the process a capture forbids.
enum class CaptureMode : std::int32_t { kGlobal = 0, kThreadLocal = 1, kRelaxed = 2 };

/// hipStreamCaptureStatus.
enum class CaptureStatus : std::int32_t { kNone = 0, kActive = 1, kInvalidated = 2 };

/// Where in a capture an event was recorded: behind these nodes.
struct CapturePoint {
  std::weak_ptr<Capture> capture;
  std::vector<GraphNode*> nodes;
};

/// One capture, from hipStreamBeginCapture to hipStreamEndCapture. All streams that take part in it
/// share it. Once invalidated it takes nothing more: every function then gives
/// kStreamCaptureInvalidated.
class Capture {
 public:
  explicit Capture(CaptureMode mode) : mode_(mode), thread_(std::this_thread::get_id()) {}
  virtual ~Capture() = default;
  Capture(const Capture&) = delete;
  Capture& operator=(const Capture&) = delete;

  CaptureMode mode() const { return mode_; }
  /// The thread that began the capture.
  std::thread::id thread() const { return thread_; }
  /// kActive or kInvalidated while it lasts, kNone once it has ended.
  CaptureStatus status() const { return status_; }
  void invalidate();

  virtual abi::Status launch(Stream& stream, const LaunchRequest& request) = 0;
  /// A launch of an executable graph, which is a copy of `graph`.
  virtual abi::Status launch_graph(Stream& stream, const Graph& graph) = 0;
  virtual abi::Status copy(Stream& stream, const CopyOperation& copy, abi::MemcpyKind kind) = 0;
  /// Any other operation.
  virtual abi::Status run(Stream& stream, const Operation& operation) = 0;
  /// Makes the event remember the stream's place in the capture; an external record becomes a node
  /// that records the event whenever the graph runs.
  virtual abi::Status record(Stream& stream, Event& event, bool external) = 0;
  /// A node that waits for the event whenever the graph runs.
  virtual abi::Status wait_external(Stream& stream, Event& event) = 0;
  /// The stream, which may be new to the capture, continues behind the point's nodes as well.
  virtual abi::Status join(Stream& stream, const CapturePoint& point) = 0;
  virtual abi::Status allocate(Stream& stream, MemoryPool& pool, void** address,
                               std::size_t size_bytes) = 0;
  virtual abi::Status free(Stream& stream, void* address) = 0;
  /// The stream is being destroyed.
  virtual void forget(Stream& stream) = 0;

 protected:
  void end() { status_ = CaptureStatus::kNone; }

 private:
  const CaptureMode mode_;
  const std::thread::id thread_;
  std::atomic<CaptureStatus> status_{CaptureStatus::kActive};
};

/// Makes the checks below know a capture, and forget it.
void add_capture(const std::shared_ptr<Capture>& capture);
void remove_capture(const Capture& capture);

/// Swaps the calling thread's mode with `mode` (hipThreadExchangeStreamCaptureMode).
void exchange_capture_mode(CaptureMode& mode);

// The checks give kSuccess, or the error that AMD's runtime has for the call and invalidate the
// captures that forbid it (clr, hip_internal.hpp).

/// For calls that might synchronize behind the scenes (hipMalloc, hipFree ...):
/// kStreamCaptureUnsupported unless the thread's mode is relaxed or no capture objects.
abi::Status check_unsafe_call();
/// For hipDeviceSynchronize: kStreamCaptureUnsupported while anything captures.
abi::Status check_device_synchronize();
/// For operations on the legacy stream: kStreamCaptureImplicit for a blocking one while anything
/// captures, and since ROCm 7 for any while a blocking stream does. kSuccess for other streams.
abi::Status check_legacy_stream(StreamKind kind, bool blocking);
/// For hipStreamSynchronize and hipStreamQuery: kStreamCaptureUnsupported on a stream that takes
/// part in `capture` and as check_unsafe_call() on one in none; the legacy stream gives kSuccess.
abi::Status check_stream_wait(StreamKind kind, Capture* capture);
/// True while a stream of kind kBlocking takes part in any capture.
bool blocking_stream_captures();
/// Counts the blocking streams that capture; streams call it when they begin and end to.
void count_blocking_capture(int change);

}  // namespace wavetank::hip
