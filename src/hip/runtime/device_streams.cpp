#include "hip/runtime/device_streams.hpp"

#include <utility>

#include "hip/runtime/checked/checker.hpp"
#include "hip/runtime/virtual_device.hpp"

namespace wavetank::hip {

DeviceStreams::DeviceStreams(VirtualDevice& device)
    : device_(device),
      order_(device.checker() == nullptr ? nullptr : &device.checker()->order()),
      null_stream_(device, order_, StreamKind::kNull, 0, 0) {}

Stream* DeviceStreams::create(StreamKind kind, unsigned flags, int priority) {
  auto stream = std::make_unique<Stream>(device_, order_, kind, flags, priority);
  Stream* const made = stream.get();
  const std::lock_guard lock(mutex_);
  streams_.emplace(made, std::move(stream));
  return made;
}

bool DeviceStreams::destroy(Stream* stream) {
  std::unique_ptr<Stream> owned;
  {
    const std::lock_guard lock(mutex_);
    const auto found = streams_.find(stream);
    if (found == streams_.end()) return false;
    owned = std::move(found->second);
    streams_.erase(found);
  }
  stream->leave_order();
  // A stream that a callback destroys on its own worker cannot be joined: it is left to the exit.
  if (stream->on_worker()) (void)owned.release();
  return true;
}

bool DeviceStreams::owns(const Stream* stream) const {
  if (stream == &null_stream_) return true;
  const std::lock_guard lock(mutex_);
  return streams_.contains(stream);
}

}  // namespace wavetank::hip
