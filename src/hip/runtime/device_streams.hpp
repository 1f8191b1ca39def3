// The streams of one device.
#pragma once

#include <memory>
#include <mutex>
#include <unordered_map>

#include "hip/runtime/stream.hpp"
#include "hip/runtime/stream_order.hpp"

namespace wavetank::hip {

/// A device's null stream and those that programs make.
class DeviceStreams {
 public:
  explicit DeviceStreams(VirtualDevice& device);

  Stream& null_stream() { return null_stream_; }
  /// Makes a stream that owns() and synchronize() know.
  Stream* create(StreamKind kind, unsigned flags, int priority);
  /// Waits for a stream's work and frees it; false if it is none of this device.
  bool destroy(Stream* stream);
  bool owns(const Stream* stream) const;
  /// Waits for all streams.
  void synchronize() { order_.synchronize(); }

 private:
  VirtualDevice& device_;
  StreamOrder order_;
  Stream null_stream_;
  mutable std::mutex mutex_;
  std::unordered_map<const Stream*, std::unique_ptr<Stream>> streams_;  ///< guarded by mutex_
};

}  // namespace wavetank::hip
