#include "hip/runtime/activity.hpp"

#include <atomic>
#include <variant>

#include "hip/runtime/virtual_device.hpp"

namespace wavetank::hip {
namespace {

std::atomic<ActivityListener> current_listener{nullptr};

constexpr std::uint32_t kHipOperations = 2;  ///< ACTIVITY_DOMAIN_HIP_OPS
enum : std::uint32_t { kDispatch = 0, kCopy = 1, kBarrier = 2 };

/// The commands that activities name (hipGetCmdName).
enum Command : std::uint32_t {
  kKernelExecution = 0x11F0,
  kCopyDeviceToHost = 0x11F3,
  kCopyHostToDevice = 0x11F4,
  kCopyDeviceToDevice = 0x11F5,
  kMarker = 0x11FE,
  kFillBuffer = 0x1207,
};

/// From the command of a copy to that of a box of several rows.
constexpr std::uint32_t kBox = 0x1201 - kCopyDeviceToHost;

/// Fills in the kind, operation and size or name; false for what is no activity.
struct Describe {
  VirtualDevice& device;
  ActivityRecord& record;

  bool operator()(const MarkerOperation&) const { return describe(kMarker, kBarrier, 0); }
  bool operator()(const KernelOperation& kernel) const {
    describe(kKernelExecution, kDispatch, 0);
    record.kernel_name = kernel.launch.kernel->name.c_str();
    return true;
  }
  bool operator()(const CopyOperation& copy) const {
    const bool from_host = !device.memory().find(copy.source.address);
    const bool to_host = !device.memory().find(copy.target.address);
    const std::uint32_t command = from_host && !to_host   ? kCopyHostToDevice
                                  : to_host && !from_host ? kCopyDeviceToHost
                                                          : kCopyDeviceToDevice;
    const bool box = copy.height > 1 || copy.depth > 1;
    return describe(box ? command + kBox : command, kCopy, copy.bytes());
  }
  bool operator()(const FillOperation& fill) const {
    return describe(kFillBuffer, kCopy, fill.bytes());
  }
  bool operator()(const HostOperation&) const { return false; }

  bool describe(std::uint32_t kind, std::uint32_t operation, std::uint64_t bytes) const {
    record.kind = kind;
    record.operation = operation;
    record.bytes = bytes;
    return true;
  }
};

/// The listener that wants this operation, with `record` filled but for its end; or null.
ActivityListener listener_of(const Operation& operation, VirtualDevice& device,
                             std::uint64_t stream_id, ActivityRecord& record) {
  const ActivityListener listener = current_listener.load(std::memory_order_relaxed);
  if (listener == nullptr || !std::visit(Describe{device, record}, operation)) return nullptr;
  if (listener(kHipOperations, record.operation, nullptr) != 0) return nullptr;
  record.domain = kHipOperations;
  record.device_id = device.ordinal() + 1;
  record.queue_id = stream_id;
  record.begin_ns = device.clock().now_ns();
  return listener;
}

}  // namespace

void set_activity_listener(ActivityListener listener) { current_listener.store(listener); }

Activity::Activity(const Operation& operation, VirtualDevice& device, std::uint64_t stream_id)
    : listener_(listener_of(operation, device, stream_id, record_)), device_(device) {}

Activity::~Activity() {
  if (listener_ == nullptr) return;
  record_.end_ns = device_.clock().now_ns();
  listener_(kHipOperations, record_.operation, &record_);
}

}  // namespace wavetank::hip
