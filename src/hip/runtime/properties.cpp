#include "hip/runtime/properties.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <functional>
#include <limits>
#include <string_view>

#include "hip/runtime/image_words.hpp"
#include "hip/runtime/virtual_device.hpp"
#include "target/board.hpp"

namespace wavetank::hip {
namespace {

constexpr int kLargestInt = std::numeric_limits<int>::max();
constexpr int kAlignmentBytes = 256;
constexpr int kWaveLanes = 64;
// hipInfo on AMD Instinct MI200 and MI300: regsPerBlock 65536.
constexpr int kRegistersPerBlock = 65536;

// hipDeviceArch_t: int32, exch, shared int32, shared exch, float add, int64, shared int64, doubles,
// vote, ballot, shuffle (bits 0-10), no funnel shift (11), system fence (12), no syncthreads_ext
// (13), no surfaces (14), 3-D grids (15), no dynamic parallelism (16).
constexpr abi::ArchFlags kArchFlags = 0x97ff;

template <std::size_t N>
void set_text(char (&field)[N], std::string_view text) {
  const std::size_t length = std::min(text.size(), N - 1);
  std::memcpy(field, text.data(), length);
  field[length] = '\0';
}

/// The stepping in "gfx90a:sramecc+", a hexadecimal digit: 10.
int stepping_of(std::string_view arch_name) {
  const std::string_view processor = arch_name.substr(0, arch_name.find(':'));
  int stepping = 0;
  std::from_chars(processor.data() + processor.size() - 1, processor.data() + processor.size(),
                  stepping, 16);
  return stepping;
}

void set_limits(abi::PropertiesR0600& p, const target::Device& d) {
  const auto most = static_cast<int>(d.max_workgroup_work_items);
  p.regsPerBlock = kRegistersPerBlock;
  p.regsPerMultiprocessor = kRegistersPerBlock;
  p.warpSize = kWaveLanes;
  p.maxThreadsPerBlock = most;
  std::ranges::fill(p.maxThreadsDim, most);
  p.maxGridSize[0] = static_cast<int>(kLargestGrid.x);
  p.maxGridSize[1] = static_cast<int>(kLargestGrid.y);
  p.maxGridSize[2] = static_cast<int>(kLargestGrid.z);
  p.maxThreadsPerMultiProcessor =
      static_cast<int>(d.wave_slots_per_simd * d.simds_per_cu) * kWaveLanes;
  p.maxBlocksPerMultiProcessor = p.maxThreadsPerMultiProcessor / most;
  p.memPitch = kLargestInt;
  p.totalConstMem = kLargestInt;
  p.textureAlignment = kAlignmentBytes;
  p.texturePitchAlignment = kAlignmentBytes;
  p.surfaceAlignment = kAlignmentBytes;
}

/// The sizes of GFX9's image resources; a device without images has zeros (ROCm/clr,
/// hip_device.cpp).
void set_images(abi::PropertiesR0600& p) {
  constexpr int kWidth = kMostImageElements, kDepth = kMostImageLayers;
  p.maxTexture1D = p.maxSurface1D = kWidth;
  p.maxTexture1DLinear = p.maxTexture1DMipmap = kLargestInt;
  for (int(&size)[2] : {std::ref(p.maxTexture2D), std::ref(p.maxSurface2D)}) {
    std::ranges::fill(size, kWidth);
  }
  for (int(&size)[3] : {std::ref(p.maxTexture3D), std::ref(p.maxSurface3D),
                        std::ref(p.maxTexture2DLayered), std::ref(p.maxSurface2DLayered)}) {
    size[0] = size[1] = kWidth;
    size[2] = kDepth;
  }
  for (int(&size)[2] : {std::ref(p.maxTexture1DLayered), std::ref(p.maxSurface1DLayered)}) {
    size[0] = kWidth;
    size[1] = kDepth;
  }
}

void set_memory(abi::PropertiesR0600& p, const VirtualDevice& device, bool host_accessible) {
  const target::Device& d = device.description();
  p.totalGlobalMem = d.memory_bytes;
  p.sharedMemPerBlock = d.lds_bytes_per_cu;
  p.sharedMemPerBlockOptin = d.lds_bytes_per_cu;
  p.maxSharedMemoryPerMultiProcessor = d.lds_bytes_per_cu;
  p.sharedMemPerMultiprocessor = std::size_t{d.lds_bytes_per_cu} * d.compute_units;
  p.l2CacheSize = static_cast<int>(d.l2_bytes);
  p.persistingL2CacheMaxSize = p.l2CacheSize;
  p.memoryBusWidth = static_cast<int>(d.memory_bus_bits);
  p.canMapHostMemory = 1;
  p.unifiedAddressing = 1;
  p.managedMemory = 1;
  p.concurrentManagedAccess = 1;
  p.hostRegisterSupported = 1;
  p.canUseHostPointerForRegisteredMem = 1;
  p.memoryPoolsSupported = 1;
  p.globalL1CacheSupported = 1;
  p.localL1CacheSupported = 1;
  p.hostNativeAtomicSupported = 1;
  p.isLargeBar = 1;
  p.integrated = d.unified_memory ? 1 : 0;
  p.directManagedMemAccessFromHost = d.unified_memory ? 1 : 0;
  p.pageableMemoryAccess = host_accessible ? 1 : 0;
  p.pageableMemoryAccessUsesHostPageTables = d.unified_memory ? 1 : 0;
}

/// The registers that flush the host data path: a write to either lets devices see what the host
/// wrote before. They see that anyway, so here the words are memory, which host and kernels may
/// write.
void set_flush_registers(abi::PropertiesR0600& p, machine::DeviceMemory& memory) {
  static unsigned registers[2] = {};
  static const bool registered = memory.register_host(registers, sizeof registers).has_value();
  if (!registered) return;
  p.hdpMemFlushCntl = &registers[0];
  p.hdpRegFlushCntl = &registers[1];
}

void set_execution(abi::PropertiesR0600& p, const target::Device& d) {
  constexpr double kKilohertzPerMegahertz = 1000;
  p.clockRate = static_cast<int>(d.engine_clock_mhz * kKilohertzPerMegahertz);
  p.memoryClockRate = static_cast<int>(d.memory_clock_mhz * kKilohertzPerMegahertz);
  p.clockInstructionRate = static_cast<int>(d.timestamp_hz / 1000);
  p.multiProcessorCount = static_cast<int>(d.compute_units);
  p.arch = kArchFlags;
  p.concurrentKernels = 1;
  p.cooperativeLaunch = 1;
  p.cooperativeMultiDeviceLaunch = 1;
  p.cooperativeMultiDeviceUnmatchedFunc = 1;
  p.cooperativeMultiDeviceUnmatchedGridDim = 1;
  p.cooperativeMultiDeviceUnmatchedBlockDim = 1;
  p.cooperativeMultiDeviceUnmatchedSharedMem = 1;
  p.streamPrioritiesSupported = 1;
  p.asyncEngineCount = 1;
  p.deviceOverlap = 1;
}

}  // namespace

abi::PropertiesR0600 properties_of(const VirtualDevice& device) {
  abi::PropertiesR0600 p{};
  const target::Device& d = device.description();
  set_text(p.name, d.marketing_name);
  set_text(p.gcnArchName, device.target_id().to_text());
  const std::string uuid = target::unique_id_text(device.slot());
  std::memcpy(p.uuid.bytes, uuid.data(), std::min(uuid.size(), sizeof p.uuid.bytes));
  p.major = static_cast<int>(d.target->major());
  p.minor = static_cast<int>(d.target->minor());
  set_limits(p, d);
  if (device.has_images()) set_images(p);
  set_memory(p, device, device.memory().host_accessible());
  set_flush_registers(p, device.memory());
  set_execution(p, d);
  const target::PciAddress pci = target::pci_address(device.slot());
  p.pciDomainID = pci.domain;
  p.pciBusID = pci.bus;
  p.pciDeviceID = pci.device;
  p.multiGpuBoardGroupID = pci.device;
  return p;
}

abi::PropertiesR0000 to_r0000(const abi::PropertiesR0600& p) {
  abi::PropertiesR0000 old{};
  std::memcpy(old.name, p.name, sizeof old.name);
  std::memcpy(old.gcnArchName, p.gcnArchName, sizeof old.gcnArchName);
  std::ranges::copy(p.maxThreadsDim, old.maxThreadsDim);
  std::ranges::copy(p.maxGridSize, old.maxGridSize);
  old.totalGlobalMem = p.totalGlobalMem;
  old.sharedMemPerBlock = p.sharedMemPerBlock;
  old.regsPerBlock = p.regsPerBlock;
  old.warpSize = p.warpSize;
  old.maxThreadsPerBlock = p.maxThreadsPerBlock;
  old.clockRate = p.clockRate;
  old.memoryClockRate = p.memoryClockRate;
  old.memoryBusWidth = p.memoryBusWidth;
  old.totalConstMem = p.totalConstMem;
  old.major = p.major;
  old.minor = p.minor;
  old.multiProcessorCount = p.multiProcessorCount;
  old.l2CacheSize = p.l2CacheSize;
  old.maxThreadsPerMultiProcessor = p.maxThreadsPerMultiProcessor;
  old.clockInstructionRate = p.clockInstructionRate;
  old.arch = p.arch;
  old.concurrentKernels = p.concurrentKernels;
  old.pciDomainID = p.pciDomainID;
  old.pciBusID = p.pciBusID;
  old.pciDeviceID = p.pciDeviceID;
  old.maxSharedMemoryPerMultiProcessor = p.maxSharedMemoryPerMultiProcessor;
  old.canMapHostMemory = p.canMapHostMemory;
  // gfx90a is 910.
  old.gcnArch = p.major * 100 + p.minor * 10 + stepping_of(p.gcnArchName);
  old.integrated = p.integrated;
  old.cooperativeLaunch = p.cooperativeLaunch;
  old.cooperativeMultiDeviceLaunch = p.cooperativeMultiDeviceLaunch;
  old.memPitch = p.memPitch;
  old.maxTexture1D = p.maxTexture1D;
  old.maxTexture1DLinear = p.maxTexture1DLinear;
  std::ranges::copy(p.maxTexture2D, old.maxTexture2D);
  std::ranges::copy(p.maxTexture3D, old.maxTexture3D);
  old.textureAlignment = p.textureAlignment;
  old.texturePitchAlignment = p.texturePitchAlignment;
  old.cooperativeMultiDeviceUnmatchedFunc = p.cooperativeMultiDeviceUnmatchedFunc;
  old.cooperativeMultiDeviceUnmatchedGridDim = p.cooperativeMultiDeviceUnmatchedGridDim;
  old.cooperativeMultiDeviceUnmatchedBlockDim = p.cooperativeMultiDeviceUnmatchedBlockDim;
  old.cooperativeMultiDeviceUnmatchedSharedMem = p.cooperativeMultiDeviceUnmatchedSharedMem;
  old.isLargeBar = p.isLargeBar;
  old.hdpMemFlushCntl = p.hdpMemFlushCntl;
  old.hdpRegFlushCntl = p.hdpRegFlushCntl;
  old.managedMemory = p.managedMemory;
  old.directManagedMemAccessFromHost = p.directManagedMemAccessFromHost;
  old.concurrentManagedAccess = p.concurrentManagedAccess;
  old.pageableMemoryAccess = p.pageableMemoryAccess;
  old.pageableMemoryAccessUsesHostPageTables = p.pageableMemoryAccessUsesHostPageTables;
  return old;
}

}  // namespace wavetank::hip
