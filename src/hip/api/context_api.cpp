// HIP API: contexts and peers. A context is its device, as in AMD's runtime.
#include <vector>

#include "hip/api/entry.hpp"
#include "hip/runtime/memory/memory_pool.hpp"

using namespace wavetank::hip;
using abi::Status;

namespace {

/// The contexts a thread pushed, the current one last.
std::vector<VirtualDevice*>& pushed_contexts() {
  static thread_local std::vector<VirtualDevice*> stack;
  return stack;
}

bool is_context(const VirtualDevice* context) {
  Runtime& runtime = Runtime::instance();
  for (int i = 0; i < runtime.device_count(); ++i) {
    if (runtime.device(i) == context) return true;
  }
  return false;
}

bool are_peers(int device, int peer) {
  Runtime& runtime = Runtime::instance();
  return device != peer && runtime.device(device) != nullptr && runtime.device(peer) != nullptr;
}

constexpr int kLinkTypeXgmi = 4;  // hsa_amd_link_info_type_t
constexpr int kApiVersion = 4;

}  // namespace

WAVETANK_API Status hipCtxCreate(VirtualDevice** context, unsigned flags, int ordinal) {
  return api::call_with_ordinal(ordinal, [&](VirtualDevice& device) {
    if (context == nullptr) return Status::kInvalidValue;
    *context = &device;
    device.flags = flags;
    pushed_contexts().push_back(&device);
    Runtime::set_current_ordinal(ordinal);
    return Status::kSuccess;
  });
}

WAVETANK_API Status hipCtxDestroy(VirtualDevice* context) {
  return api::call([&] {
    if (!is_context(context)) return Status::kInvalidValue;
    auto& stack = pushed_contexts();
    if (!stack.empty() && stack.back() == context) stack.pop_back();
    return Status::kSuccess;
  });
}

WAVETANK_API Status hipCtxPushCurrent(VirtualDevice* context) {
  return api::call([&] {
    if (!is_context(context)) return Status::kInvalidContext;
    pushed_contexts().push_back(context);
    Runtime::set_current_ordinal(context->ordinal());
    return Status::kSuccess;
  });
}

WAVETANK_API Status hipCtxPopCurrent(VirtualDevice** context) {
  return api::call([&] {
    auto& stack = pushed_contexts();
    if (stack.empty()) return Status::kInvalidContext;
    if (context != nullptr) *context = stack.back();
    stack.pop_back();
    if (!stack.empty()) Runtime::set_current_ordinal(stack.back()->ordinal());
    return Status::kSuccess;
  });
}

WAVETANK_API Status hipCtxSetCurrent(VirtualDevice* context) {
  return api::call([&] {
    auto& stack = pushed_contexts();
    if (context == nullptr) {
      if (!stack.empty()) stack.pop_back();
      return Status::kSuccess;
    }
    if (!is_context(context)) return Status::kInvalidContext;
    if (!stack.empty()) stack.pop_back();
    stack.push_back(context);
    Runtime::set_current_ordinal(context->ordinal());
    return Status::kSuccess;
  });
}

WAVETANK_API Status hipCtxGetCurrent(VirtualDevice** context) {
  return api::call_with_device([&](VirtualDevice& device) {
    if (context == nullptr) return Status::kInvalidValue;
    *context = &device;
    return Status::kSuccess;
  });
}

WAVETANK_API Status hipCtxGetDevice(int* ordinal) {
  return api::call_with_device([&](VirtualDevice& device) {
    if (ordinal == nullptr) return Status::kInvalidValue;
    *ordinal = device.ordinal();
    return Status::kSuccess;
  });
}

WAVETANK_API Status hipCtxGetApiVersion(VirtualDevice*, unsigned* version) {
  return api::call([&] {
    if (version == nullptr) return Status::kInvalidValue;
    *version = kApiVersion;
    return Status::kSuccess;
  });
}

WAVETANK_API Status hipCtxGetFlags(unsigned* flags) {
  return api::call_with_device([&](VirtualDevice& device) {
    if (flags == nullptr) return Status::kInvalidValue;
    *flags = device.flags;
    return Status::kSuccess;
  });
}

WAVETANK_API Status hipCtxSynchronize() {
  return api::call_with_device([](VirtualDevice& device) {
    const Status status = check_device_synchronize();
    if (status != Status::kSuccess) return status;
    Runtime::instance().streams(device).synchronize();
    trim_pools(device);
    return device.sticky_status();
  });
}

// CDNA has nothing to configure here; the defaults are reported.
WAVETANK_API Status hipCtxGetCacheConfig(int* preference) {
  return api::call([&] {
    if (preference == nullptr) return Status::kInvalidValue;
    *preference = 0;
    return Status::kSuccess;
  });
}
WAVETANK_API Status hipCtxSetCacheConfig(int) {
  return api::call([] { return Status::kSuccess; });
}
WAVETANK_API Status hipCtxGetSharedMemConfig(int* bank_size) {
  return api::call([&] {
    if (bank_size == nullptr) return Status::kInvalidValue;
    *bank_size = 1;
    return Status::kSuccess;
  });
}
WAVETANK_API Status hipCtxSetSharedMemConfig(int) {
  return api::call([] { return Status::kSuccess; });
}

WAVETANK_API Status hipDevicePrimaryCtxGetState(int ordinal, unsigned* flags, int* active) {
  return api::call_with_ordinal(ordinal, [&](VirtualDevice& device) {
    if (flags != nullptr) *flags = device.flags;
    if (active != nullptr) *active = 1;
    return Status::kSuccess;
  });
}
WAVETANK_API Status hipDevicePrimaryCtxRetain(VirtualDevice** context, int ordinal) {
  return api::call_with_ordinal(ordinal, [&](VirtualDevice& device) {
    if (context == nullptr) return Status::kInvalidValue;
    *context = &device;
    return Status::kSuccess;
  });
}
WAVETANK_API Status hipDevicePrimaryCtxRelease(int ordinal) {
  return api::call_with_ordinal(ordinal, [](VirtualDevice&) { return Status::kSuccess; });
}
WAVETANK_API Status hipDevicePrimaryCtxReset(int ordinal) {
  return api::call_with_ordinal(ordinal, [](VirtualDevice& device) {
    Runtime::instance().streams(device).synchronize();
    return Status::kSuccess;
  });
}
WAVETANK_API Status hipDevicePrimaryCtxSetFlags(int ordinal, unsigned) {
  return api::call_with_ordinal(ordinal,
                                [](VirtualDevice&) { return Status::kContextAlreadyInUse; });
}

WAVETANK_API Status hipDeviceCanAccessPeer(int* can_access, int device, int peer) {
  return api::call([&] {
    Runtime& runtime = Runtime::instance();
    if (can_access == nullptr) return Status::kInvalidValue;
    if (!runtime.device(device) || !runtime.device(peer)) return Status::kInvalidDevice;
    *can_access = are_peers(device, peer) ? 1 : 0;
    return Status::kSuccess;
  });
}

WAVETANK_API Status hipDeviceEnablePeerAccess(int peer, unsigned flags) {
  return api::call_with_device([&](VirtualDevice& device) {
    if (flags != 0) return Status::kInvalidValue;
    if (!are_peers(device.ordinal(), peer)) return Status::kInvalidDevice;
    return device.set_peer_access(peer, true) ? Status::kSuccess
                                              : Status::kPeerAccessAlreadyEnabled;
  });
}

WAVETANK_API Status hipDeviceDisablePeerAccess(int peer) {
  return api::call_with_device([&](VirtualDevice& device) {
    if (!are_peers(device.ordinal(), peer)) return Status::kInvalidDevice;
    return device.set_peer_access(peer, false) ? Status::kSuccess : Status::kPeerAccessNotEnabled;
  });
}

WAVETANK_API Status hipCtxEnablePeerAccess(VirtualDevice* context, unsigned flags) {
  if (!is_context(context)) return api::remember(Status::kInvalidContext);
  return hipDeviceEnablePeerAccess(context->ordinal(), flags);
}
WAVETANK_API Status hipCtxDisablePeerAccess(VirtualDevice* context) {
  if (!is_context(context)) return api::remember(Status::kInvalidContext);
  return hipDeviceDisablePeerAccess(context->ordinal());
}

WAVETANK_API Status hipDeviceGetP2PAttribute(int* value, int attribute, int device, int peer) {
  return api::call([&] {
    if (value == nullptr || attribute < 0 || attribute > 3) return Status::kInvalidValue;
    if (!are_peers(device, peer)) return Status::kInvalidDevice;
    constexpr int kPerformanceRank = 0;
    *value = attribute == kPerformanceRank ? 0 : 1;
    return Status::kSuccess;
  });
}

WAVETANK_API Status hipExtGetLinkTypeAndHopCount(int device, int peer, std::uint32_t* link_type,
                                                 std::uint32_t* hops) {
  return api::call([&] {
    if (link_type == nullptr || hops == nullptr) return Status::kInvalidValue;
    if (device == peer || device < 0 || peer < 0) return Status::kInvalidValue;
    if (!are_peers(device, peer)) return Status::kInvalidDevice;
    *link_type = kLinkTypeXgmi;
    *hops = 1;
    return Status::kSuccess;
  });
}
