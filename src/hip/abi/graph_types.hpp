// The graph types of the HIP ABI (hip_runtime_api.h). Layouts are the same in ROCm 5, 6 and 7; the
// numbers of node types are not.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/dim3.hpp"
#include "hip/abi/types.hpp"

namespace wavetank::hip::abi {

// hipGraphInstantiateFlags
inline constexpr unsigned long long kInstantiateAutoFreeOnLaunch = 1;
inline constexpr unsigned long long kInstantiateUpload = 2;
inline constexpr unsigned long long kInstantiateDeviceLaunch = 4;
inline constexpr unsigned long long kInstantiateUseNodePriority = 8;

// hipStreamUpdateCaptureDependenciesFlags
inline constexpr unsigned kAddCaptureDependencies = 0;
inline constexpr unsigned kSetCaptureDependencies = 1;

// hipUserObjectFlags, hipUserObjectRetainFlags
inline constexpr unsigned kUserObjectNoDestructorSync = 1;
inline constexpr unsigned kGraphUserObjectMove = 1;

// hipGraphDebugDotFlags
inline constexpr unsigned kDotVerbose = 1 << 0;
inline constexpr unsigned kDotKernelParameters = 1 << 2;
inline constexpr unsigned kDotMemcpyParameters = 1 << 3;
inline constexpr unsigned kDotMemsetParameters = 1 << 4;
inline constexpr unsigned kDotHostParameters = 1 << 5;
inline constexpr unsigned kDotEventParameters = 1 << 6;
inline constexpr unsigned kDotKernelAttributes = 1 << 9;
inline constexpr unsigned kDotHandles = 1 << 10;

/// hipKernelNodeParams
struct KernelNodeParameters {
  Dim3 block;
  void** extra;
  void* function;
  Dim3 grid;  ///< blocks
  void** arguments;
  std::uint32_t shared_bytes;
};

/// hipMemsetParams
struct MemsetNodeParameters {
  void* target;
  std::uint32_t element_bytes;
  std::size_t height;
  std::size_t pitch;
  std::uint32_t value;
  std::size_t width;  ///< elements
};

/// HIP_MEMSET_NODE_PARAMS: the same in another order.
struct DriverMemsetNodeParameters {
  void* target;
  std::size_t pitch;
  std::uint32_t value;
  std::uint32_t element_bytes;
  std::size_t width;
  std::size_t height;
};

/// hipHostNodeParams
struct HostNodeParameters {
  void (*function)(void* user_data);
  void* user_data;
};

/// hipMemAllocNodeParams
struct MemAllocNodeParameters {
  MemPoolProperties pool;
  const MemAccessDescriptor* access;
  std::size_t access_count;
  std::size_t size_bytes;
  void* address;  ///< given back
};

/// hipStreamBatchMemOpType
enum class BatchOperationType : std::int32_t {
  kWaitValue32 = 1,
  kWriteValue32 = 2,
  kWaitValue64 = 4,
  kWriteValue64 = 5,
};

/// hipStreamBatchMemOpParams: a wait or a write; the members of both coincide.
struct BatchOperation {
  BatchOperationType type;
  void* address;
  std::uint64_t value;
  std::uint32_t flags;
  void* alias;
  std::uint64_t padding;
};

/// hipBatchMemOpNodeParams
struct BatchNodeParameters {
  void* context;
  std::uint32_t count;
  BatchOperation* operations;
  std::uint32_t flags;
};

/// hipAccessPolicyWindow
struct AccessPolicyWindow {
  void* base;
  std::int32_t hit_property;
  float hit_ratio;
  std::int32_t miss_property;
  std::size_t size_bytes;
};

/// hipLaunchAttributeID, those that kernel nodes have.
enum class LaunchAttribute : std::int32_t {
  kAccessPolicyWindow = 1,
  kCooperative = 2,
  kPriority = 8,
};

/// hipLaunchAttributeValue; ROCm 7 pads it to 64 bytes.
union LaunchAttributeValue {
  AccessPolicyWindow window;
  std::int32_t cooperative;
  std::int32_t priority;
};

/// hipMemcpyNodeParams
struct MemcpyNodeParameters {
  std::int32_t flags;
  std::int32_t reserved[3];
  Memcpy3d copy;
};

/// hipGraphNodeParams: the type (of ROCm 6 and later) and one member of a union of 232 bytes.
struct NodeParameters {
  std::int32_t type;
  std::int32_t reserved[3];
  union {
    std::int64_t padding[29];
    KernelNodeParameters kernel;
    MemcpyNodeParameters memcpy;
    MemsetNodeParameters memset;
    HostNodeParameters host;
    MemAllocNodeParameters allocation;
    void* handle;  ///< child graph, event or address to free
  };
  std::int64_t reserved_end;
};
static_assert(sizeof(NodeParameters) == 256);

/// hipGraphExecUpdateResult
enum class UpdateResult : std::int32_t {
  kSuccess = 0,
  kError = 1,
  kTopologyChanged = 2,
  kNodeTypeChanged = 3,
  kFunctionChanged = 4,
  kParametersChanged = 5,
  kNotSupported = 6,
  kUnsupportedFunctionChange = 7,
};

/// hipGraphInstantiateParams
struct InstantiateParameters {
  void* error_node;
  unsigned long long flags;
  std::int32_t result;  ///< 0 success, 1 error, 2 invalid structure
  void* upload_stream;
};

}  // namespace wavetank::hip::abi
