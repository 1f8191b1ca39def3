// HIP API: attributes of streams. As in AMD's runtime (ROCm/clr, hip_stream.cpp) a program can set
// the synchronization policy and read that and the priority; all others are refused.
#include <cstdint>

#include "hip/abi/graph_types.hpp"
#include "hip/api/entry.hpp"

using namespace wavetank::hip;
using abi::LaunchAttribute;
using abi::Status;

namespace {

/// The attribute of hipLaunchAttributeID that only streams have.
constexpr auto kSynchronizationPolicy = static_cast<LaunchAttribute>(3);

/// The members of hipLaunchAttributeValue, a union, that streams use.
union StreamAttributeValue {
  SynchronizationPolicy policy;
  std::int32_t priority;
};

bool is_policy(SynchronizationPolicy policy) {
  return policy >= SynchronizationPolicy::kAuto && policy <= SynchronizationPolicy::kBlockingSync;
}

}  // namespace

WAVETANK_API Status hipStreamSetAttribute(void* handle, LaunchAttribute attribute,
                                          const StreamAttributeValue* value) {
  if (value == nullptr) return api::remember(Status::kInvalidValue);
  return api::call_with_valid_stream(handle, [&](Stream& stream) {
    if (stream.capture() != nullptr) return Status::kStreamCaptureUnsupported;
    if (attribute != kSynchronizationPolicy || !is_policy(value->policy)) {
      return Status::kInvalidValue;
    }
    stream.set_synchronization_policy(value->policy);
    return Status::kSuccess;
  });
}

WAVETANK_API Status hipStreamGetAttribute(void* handle, LaunchAttribute attribute,
                                          StreamAttributeValue* value) {
  if (value == nullptr) return api::remember(Status::kInvalidValue);
  return api::call_with_valid_stream(handle, [&](Stream& stream) {
    if (attribute == kSynchronizationPolicy) {
      value->policy = stream.synchronization_policy();
    } else if (attribute == LaunchAttribute::kPriority) {
      value->priority = stream.priority();
    } else {
      return Status::kInvalidValue;
    }
    return Status::kSuccess;
  });
}

WAVETANK_API Status hipStreamCopyAttributes(void* target_handle, void* source_handle) {
  return api::call_with_valid_stream(target_handle, [&](Stream& target) {
    const Stream* source = api::resolve_stream(source_handle);
    if (source == nullptr) return Status::kInvalidHandle;
    target.set_synchronization_policy(source->synchronization_policy());
    return Status::kSuccess;
  });
}
