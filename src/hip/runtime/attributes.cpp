#include <algorithm>
#include <cstddef>
#include <limits>

#include "hip/runtime/properties.hpp"
#include "hip/runtime/virtual_device.hpp"

namespace wavetank::hip {
namespace {

int clamp_to_int(std::size_t value) {
  return static_cast<int>(
      std::min<std::size_t>(value, static_cast<std::size_t>(std::numeric_limits<int>::max())));
}

using A = abi::DeviceAttribute;

/// Attributes about blocks, grids and the device's shape.
std::optional<int> shape_attribute(const abi::PropertiesR0600& p, A attribute) {
  switch (attribute) {
    case A::kMaxThreadsPerBlock: return p.maxThreadsPerBlock;
    case A::kMaxBlockDimX:
    case A::kMaxThreadsDim: return p.maxThreadsDim[0];
    case A::kMaxBlockDimY: return p.maxThreadsDim[1];
    case A::kMaxBlockDimZ: return p.maxThreadsDim[2];
    case A::kMaxGridDimX: return p.maxGridSize[0];
    case A::kMaxGridDimY: return p.maxGridSize[1];
    case A::kMaxGridDimZ: return p.maxGridSize[2];
    case A::kMaxThreadsPerMultiProcessor: return p.maxThreadsPerMultiProcessor;
    case A::kMaxBlocksPerMultiProcessor: return p.maxBlocksPerMultiProcessor;
    case A::kMaxRegistersPerBlock: return p.regsPerBlock;
    case A::kMaxRegistersPerMultiprocessor: return p.regsPerMultiprocessor;
    case A::kMultiprocessorCount:
    case A::kPhysicalMultiProcessorCount: return p.multiProcessorCount;
    case A::kWarpSize: return p.warpSize;
    case A::kClockRate: return p.clockRate;
    case A::kClockInstructionRate:
    case A::kWallClockRate: return p.clockInstructionRate;
    case A::kComputeCapabilityMajor: return p.major;
    case A::kComputeCapabilityMinor: return p.minor;
    case A::kPciBusId: return p.pciBusID;
    case A::kPciDeviceId: return p.pciDeviceID;
    case A::kPciDomainID: return p.pciDomainID;
    case A::kAsicRevision: return p.asicRevision;
    case A::kMultiGpuBoardGroupID: return p.multiGpuBoardGroupID;
    case A::kAsyncEngineCount: return p.asyncEngineCount;
    default: return std::nullopt;
  }
}

/// Attributes about memory.
std::optional<int> memory_attribute(const abi::PropertiesR0600& p, A attribute) {
  switch (attribute) {
    case A::kMaxSharedMemoryPerBlock: return clamp_to_int(p.sharedMemPerBlock);
    case A::kSharedMemPerBlockOptin: return clamp_to_int(p.sharedMemPerBlockOptin);
    case A::kMaxSharedMemoryPerMultiprocessor:
      return clamp_to_int(p.maxSharedMemoryPerMultiProcessor);
    case A::kSharedMemPerMultiprocessor: return clamp_to_int(p.sharedMemPerMultiprocessor);
    case A::kTotalConstantMemory: return clamp_to_int(p.totalConstMem);
    case A::kTotalGlobalMem: return clamp_to_int(p.totalGlobalMem);
    case A::kL2CacheSize: return p.l2CacheSize;
    case A::kPersistingL2CacheMaxSize: return p.persistingL2CacheMaxSize;
    case A::kMemoryClockRate: return p.memoryClockRate;
    case A::kMemoryBusWidth: return p.memoryBusWidth;
    case A::kMaxPitch: return clamp_to_int(p.memPitch);
    case A::kTextureAlignment: return clamp_to_int(p.textureAlignment);
    case A::kTexturePitchAlignment: return clamp_to_int(p.texturePitchAlignment);
    case A::kSurfaceAlignment: return clamp_to_int(p.surfaceAlignment);
    case A::kReservedSharedMemPerBlock: return clamp_to_int(p.reservedSharedMemPerBlock);
    case A::kPageableMemoryAccess: return p.pageableMemoryAccess;
    case A::kPageableMemoryAccessUsesHostPageTables:
      return p.pageableMemoryAccessUsesHostPageTables;
    case A::kDirectManagedMemAccessFromHost: return p.directManagedMemAccessFromHost;
    case A::kIntegrated: return p.integrated;
    default: return std::nullopt;
  }
}

/// Attributes about images.
std::optional<int> image_attribute(const abi::PropertiesR0600& p, A attribute) {
  switch (attribute) {
    case A::kImageSupport: return p.maxTexture1D != 0 ? 1 : 0;
    case A::kMaxTexture1DWidth: return p.maxTexture1D;
    case A::kMaxTexture1DLinear: return p.maxTexture1DLinear;
    case A::kMaxTexture1DLayered: return p.maxTexture1DLayered[0];
    case A::kMaxTexture2DWidth: return p.maxTexture2D[0];
    case A::kMaxTexture2DHeight: return p.maxTexture2D[1];
    case A::kMaxTexture2DLayered: return p.maxTexture2DLayered[0];
    case A::kMaxTexture3DWidth: return p.maxTexture3D[0];
    case A::kMaxTexture3DHeight: return p.maxTexture3D[1];
    case A::kMaxTexture3DDepth: return p.maxTexture3D[2];
    case A::kMaxSurface1D: return p.maxSurface1D;
    case A::kMaxSurface2D: return p.maxSurface2D[0];
    case A::kMaxSurface3D: return p.maxSurface3D[0];
    default: return std::nullopt;
  }
}

/// Attributes that say "supported"; what is not listed as 1 here is 0.
std::optional<int> capability_attribute(A attribute) {
  switch (attribute) {
    case A::kCanMapHostMemory:
    case A::kCanUseHostPointerForRegisteredMem:
    case A::kConcurrentKernels:
    case A::kConcurrentManagedAccess:
    case A::kCooperativeLaunch:
    case A::kCooperativeMultiDeviceLaunch:
    case A::kCooperativeMultiDeviceUnmatchedFunc:
    case A::kCooperativeMultiDeviceUnmatchedGridDim:
    case A::kCooperativeMultiDeviceUnmatchedBlockDim:
    case A::kCooperativeMultiDeviceUnmatchedSharedMem:
    case A::kDeviceOverlap:
    case A::kGlobalL1CacheSupported:
    case A::kLocalL1CacheSupported:
    case A::kHostNativeAtomicSupported:
    case A::kManagedMemory:
    case A::kStreamPrioritiesSupported:
    case A::kUnifiedAddressing:
    case A::kMemoryPoolsSupported:
    case A::kMemoryPoolSupportedHandleTypes:  // a mask; 1: POSIX file descriptors
    case A::kVirtualMemoryManagementSupported:
    case A::kHostRegisterSupported:
    case A::kIsLargeBar:
    case A::kFineGrainSupport:
    case A::kCanUseStreamWaitValue: return 1;
    case A::kUnused1:
    case A::kUnused2:
    case A::kUnused3:
    case A::kUnused4:
    case A::kUnused5:
    case A::kLuid:
    case A::kHdpMemFlushCntl:
    case A::kHdpRegFlushCntl: return std::nullopt;
    default: break;
  }
  const bool known = (attribute >= A::kEccEnabled &&
                      attribute <= A::kMemoryPoolSupportedHandleTypes) ||
                     (attribute >= A::kClockInstructionRate && attribute <= A::kWallClockRate);
  return known ? std::optional(0) : std::nullopt;
}

}  // namespace

std::optional<int> attribute_of(const VirtualDevice& device, A attribute) {
  const abi::PropertiesR0600 properties = properties_of(device);
  if (const auto shape = shape_attribute(properties, attribute)) return shape;
  if (const auto memory = memory_attribute(properties, attribute)) return memory;
  if (const auto image = image_attribute(properties, attribute)) return image;
  return capability_attribute(attribute);
}

}  // namespace wavetank::hip
