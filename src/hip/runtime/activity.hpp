// What devices do, told to a tracing tool while it happens.
#pragma once

#include <cstdint>

#include "hip/runtime/operation.hpp"

namespace wavetank::hip {

class VirtualDevice;

/// What a tool registers (hipRegisterTracerCallback). It is asked with `record` null whether it
/// wants operations of a kind (0 for yes), and then given an ActivityRecord for each.
using ActivityListener = int (*)(std::int32_t domain, std::uint32_t operation, void* record);

/// activity_record_t of the HIP operations' domain (ROCm/clr, prof_protocol.h).
struct ActivityRecord {
  std::uint32_t domain;
  std::uint32_t kind;       ///< a command's number, see hipGetCmdName
  std::uint32_t operation;  ///< 0 a kernel, 1 a copy or fill, 2 a barrier
  std::uint64_t correlation_id;
  std::uint64_t begin_ns, end_ns;
  std::int32_t device_id;  ///< node of the system: the host is 0
  std::uint64_t queue_id;
  union {
    std::uint64_t bytes;
    const char* kernel_name;
  };
};

/// Registers the process's listener; null takes it away.
void set_activity_listener(ActivityListener listener);

/// Tells the listener of one operation, which lasts as long as this object. Calls of host
/// functions and waits are no activity of a device.
class Activity {
 public:
  Activity(const Operation& operation, VirtualDevice& device, std::uint64_t stream_id);
  ~Activity();
  Activity(const Activity&) = delete;
  Activity& operator=(const Activity&) = delete;

 private:
  ActivityRecord record_{};
  const ActivityListener listener_;  ///< null if nobody wants to know
  VirtualDevice& device_;
};

}  // namespace wavetank::hip
