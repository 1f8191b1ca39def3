// The plain types of the HIP ABI that the runtime's functions take: flags, enumerations and
// structures whose layout is the same in ROCm 5, 6 and 7 (hip_runtime_api.h, driver_types.h).
// Layouts that differ are in device_properties.hpp and generation.hpp.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/dim3.hpp"

namespace wavetank::hip::abi {

// hipStreamCreateWithFlags
inline constexpr unsigned kStreamDefault = 0;
inline constexpr unsigned kStreamNonBlocking = 1;

// hipEventCreateWithFlags
inline constexpr unsigned kEventBlockingSync = 0x1;
inline constexpr unsigned kEventDisableTiming = 0x2;
inline constexpr unsigned kEventInterprocess = 0x4;
inline constexpr unsigned kEventDisableSystemFence = 0x20000000;
inline constexpr unsigned kEventReleaseToDevice = 0x40000000;
inline constexpr unsigned kEventReleaseToSystem = 0x80000000;

// hipHostMalloc
inline constexpr unsigned kHostMallocPortable = 0x1;
inline constexpr unsigned kHostMallocMapped = 0x2;
inline constexpr unsigned kHostMallocWriteCombined = 0x4;
inline constexpr unsigned kHostMallocUncached = 0x10000000;
inline constexpr unsigned kHostMallocNumaUser = 0x20000000;
inline constexpr unsigned kHostMallocCoherent = 0x40000000;
inline constexpr unsigned kHostMallocNonCoherent = 0x80000000;

// hipMallocManaged
inline constexpr unsigned kMemAttachGlobal = 0x1;
inline constexpr unsigned kMemAttachHost = 0x2;
inline constexpr unsigned kMemAttachSingle = 0x4;

// hipSetDeviceFlags
inline constexpr unsigned kDeviceScheduleMask = 0x7;
inline constexpr unsigned kDeviceMapHost = 0x8;
inline constexpr unsigned kDeviceLmemResizeToMax = 0x10;
inline constexpr unsigned kDeviceLmemResizeToMax5 = 0x16;  ///< as ROCm 5.2 spells it

// Pseudo streams: hipStreamLegacy and hipStreamPerThread.
inline constexpr std::uintptr_t kStreamLegacyHandle = 1;
inline constexpr std::uintptr_t kStreamPerThreadHandle = 2;

// The `extra` list of hipModuleLaunchKernel.
inline constexpr std::uintptr_t kLaunchParamBufferPointer = 1;
inline constexpr std::uintptr_t kLaunchParamBufferSize = 2;
inline constexpr std::uintptr_t kLaunchParamEnd = 3;

enum class MemcpyKind : std::int32_t {
  kHostToHost = 0,
  kHostToDevice = 1,
  kDeviceToHost = 2,
  kDeviceToDevice = 3,
  kDefault = 4,
  kDeviceToDeviceNoCu = 1024,
};

enum class ChannelKind : std::int32_t { kSigned, kUnsigned, kFloat, kNone };

struct ChannelFormat {
  std::int32_t x, y, z, w;  ///< bits of each component
  ChannelKind kind;

  bool operator==(const ChannelFormat&) const = default;
};

enum class ArrayFormat : std::int32_t {
  kUnsignedInt8 = 0x01,
  kUnsignedInt16 = 0x02,
  kUnsignedInt32 = 0x03,
  kSignedInt8 = 0x08,
  kSignedInt16 = 0x09,
  kSignedInt32 = 0x0a,
  kHalf = 0x10,
  kFloat = 0x20,
};

struct ArrayDescriptor {
  std::size_t width;  ///< elements
  std::size_t height;
  ArrayFormat format;
  std::uint32_t channels;
};

struct Array3dDescriptor {
  std::size_t width;  ///< elements
  std::size_t height;
  std::size_t depth;
  ArrayFormat format;
  std::uint32_t channels;
  std::uint32_t flags;
};

// hipMalloc3DArray: hipArrayLayered and so on.
inline constexpr unsigned kArrayLayered = 0x1;
inline constexpr unsigned kArraySurfaceLoadStore = 0x2;
inline constexpr unsigned kArrayTextureGather = 0x8;

/// hipArray; ROCm 5's headers show its members to programs, later ones hide them.
struct Array {
  void* data;
  ChannelFormat format;
  std::uint32_t type;
  std::uint32_t width;  ///< elements
  std::uint32_t height;
  std::uint32_t depth;
  ArrayFormat element_format;
  std::uint32_t channels;
  bool is_driver;
  std::uint32_t texture_type;
};

struct PitchedPointer {
  void* pointer;
  std::size_t pitch;  ///< bytes
  std::size_t width;
  std::size_t height;
};

struct Extent {
  std::size_t width, height, depth;
};

struct Position {
  std::size_t x, y, z;
};

/// hipMemcpy3DParms
struct Memcpy3d {
  Array* source_array;
  Position source_position;
  PitchedPointer source;
  Array* target_array;
  Position target_position;
  PitchedPointer target;
  Extent extent;
  MemcpyKind kind;
};

/// hip_Memcpy2D; the memory types' numbers depend on the generation.
struct DriverMemcpy2d {
  std::size_t source_x_bytes, source_y;
  std::int32_t source_type;
  const void* source_host;
  void* source_device;
  Array* source_array;
  std::size_t source_pitch;
  std::size_t target_x_bytes, target_y;
  std::int32_t target_type;
  void* target_host;
  void* target_device;
  Array* target_array;
  std::size_t target_pitch;
  std::size_t width_bytes, height;
};

/// HIP_MEMCPY3D of ROCm 5: 32-bit positions.
struct DriverMemcpy3d {
  std::uint32_t source_x_bytes, source_y, source_z, source_lod;
  std::int32_t source_type;
  const void* source_host;
  void* source_device;
  Array* source_array;
  std::uint32_t source_pitch, source_height;
  std::uint32_t target_x_bytes, target_y, target_z, target_lod;
  std::int32_t target_type;
  void* target_host;
  void* target_device;
  Array* target_array;
  std::uint32_t target_pitch, target_height;
  std::uint32_t width_bytes, height, depth;
};

/// HIP_MEMCPY3D since ROCm 6.
struct DriverMemcpy3dWide {
  std::size_t source_x_bytes, source_y, source_z, source_lod;
  std::int32_t source_type;
  const void* source_host;
  void* source_device;
  Array* source_array;
  std::size_t source_pitch, source_height;
  std::size_t target_x_bytes, target_y, target_z, target_lod;
  std::int32_t target_type;
  void* target_host;
  void* target_device;
  Array* target_array;
  std::size_t target_pitch, target_height;
  std::size_t width_bytes, height, depth;
};

/// hipPointerAttribute_t; `type` is numbered by generation.
struct PointerAttributes {
  std::int32_t type;
  std::int32_t device;
  void* device_pointer;
  void* host_pointer;
  std::int32_t is_managed;
  std::uint32_t allocation_flags;
};

/// hipFuncAttributes
struct FunctionAttributes {
  std::int32_t binary_version;
  std::int32_t cache_mode_ca;
  std::size_t const_size_bytes;
  std::size_t local_size_bytes;
  std::int32_t max_dynamic_shared_size_bytes;
  std::int32_t max_threads_per_block;
  std::int32_t num_regs;
  std::int32_t preferred_shmem_carveout;
  std::int32_t ptx_version;
  std::size_t shared_size_bytes;
};

/// hipLaunchParams
struct LaunchParams {
  void* function;
  Dim3 grid;
  Dim3 block;
  void** arguments;
  std::size_t shared_bytes;
  void* stream;
};

/// hipFunctionLaunchParams (one device of a multi-device launch of module functions)
struct FunctionLaunchParams {
  void* function;
  std::uint32_t grid_x, grid_y, grid_z;
  std::uint32_t block_x, block_y, block_z;
  std::uint32_t shared_bytes;
  void* stream;
  void** arguments;
};

struct Uuid {
  char bytes[16];
};

enum class MemLocationType : std::int32_t { kInvalid = 0, kDevice = 1 };

struct MemLocation {
  MemLocationType type;
  std::int32_t id;
};

struct MemAccessDescriptor {
  MemLocation location;
  std::int32_t flags;  ///< 0 none, 1 read, 3 read and write
};

/// hipMemPoolProps; `max_size` took the place of reserved bytes in ROCm 6.
struct MemPoolProperties {
  std::int32_t allocation_type;
  std::int32_t handle_types;
  MemLocation location;
  void* security_attributes;
  std::size_t max_size;
  unsigned char reserved[56];
};

}  // namespace wavetank::hip::abi
