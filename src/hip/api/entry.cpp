#include "hip/api/entry.hpp"

#include <map>

#include "hip/abi/generation.hpp"

namespace wavetank::hip::api {
namespace {

thread_local Status last_error = Status::kSuccess;
thread_local Status last_status = Status::kSuccess;

/// Until ROCm 6 every call overwrites the last error, success included; since ROCm 7 only errors
/// do.
bool success_overwrites_error() { return abi::generation.major < 7; }

/// A thread's default streams, one per device; destroyed, and so waited for, with the thread.
class ThreadStreams {
 public:
  ~ThreadStreams() {
    for (const auto& [others, stream] : streams_) others->destroy(stream);
  }
  Stream& on(DeviceStreams& others) {
    Stream*& stream = streams_[&others];
    if (stream == nullptr || !others.owns(stream)) {
      stream = others.create(StreamKind::kBlocking, 0, 0);
    }
    return *stream;
  }

 private:
  std::map<DeviceStreams*, Stream*> streams_;  ///< by the streams of its device
};

}  // namespace

Status remember(Status status) {
  last_status = status;
  if (status != Status::kSuccess || success_overwrites_error()) last_error = status;
  return status;
}

Status peek_last_error() { return last_error; }
Status take_last_error() { return std::exchange(last_error, Status::kSuccess); }
Status take_last_call_status() { return std::exchange(last_status, Status::kSuccess); }

Stream& per_thread_stream(VirtualDevice& device) {
  static thread_local ThreadStreams streams;
  return streams.on(Runtime::instance().streams(device));
}

Stream* resolve_stream(void* handle) {
  Runtime& runtime = Runtime::instance();
  VirtualDevice* current = runtime.current_device();
  if (current == nullptr) return nullptr;
  const auto number = reinterpret_cast<std::uintptr_t>(handle);
  if (number == 0 || number == abi::kStreamLegacyHandle) {
    return &runtime.streams(*current).null_stream();
  }
  if (number == abi::kStreamPerThreadHandle) return &per_thread_stream(*current);
  auto* stream = static_cast<Stream*>(handle);
  return runtime.streams_with(stream) == nullptr ? nullptr : stream;
}

}  // namespace wavetank::hip::api
