// HIP API: attributes of kernels and occupancy.
#include <algorithm>

#include "hip/api/entry.hpp"
#include "hip/runtime/code/fat_binary.hpp"

using namespace wavetank::hip;
using abi::Status;

namespace {

/// hipFunction_attribute.
enum class FunctionAttribute : int {
  kMaxThreadsPerBlock,
  kSharedSizeBytes,
  kConstSizeBytes,
  kLocalSizeBytes,
  kNumRegs,
  kPtxVersion,
  kBinaryVersion,
  kCacheModeCa,
  kMaxDynamicSharedSizeBytes,
  kPreferredSharedMemoryCarveout,
};

// hipFuncAttribute.
constexpr int kSetMaxDynamicSharedMemorySize = 8;
constexpr int kSetPreferredSharedMemoryCarveout = 9;
constexpr int kLastSettableAttribute = 10;

constexpr int kWaveLanes = 64;

/// The version of the instruction set: 90 for gfx90a, 94 for gfx942.
int isa_version(const VirtualDevice& device) {
  const auto& target = *device.description().target;
  return static_cast<int>(target.major() * 10 + target.minor());
}

abi::FunctionAttributes attributes_of(const Function& function) {
  const auto& kernel = function.kernel;
  const int version = isa_version(function.device());
  return {.binary_version = version,
          .cache_mode_ca = 0,
          .const_size_bytes = 0,
          .local_size_bytes = kernel.private_segment_bytes,
          .max_dynamic_shared_size_bytes = function.max_dynamic_lds_bytes.load(),
          .max_threads_per_block = static_cast<int>(kernel.max_flat_workgroup_size),
          .num_regs = static_cast<int>(kernel.vgpr_count),
          .preferred_shmem_carveout = 0,
          .ptx_version = version,
          .shared_size_bytes = kernel.group_segment_bytes};
}

Status function_of(const void* host_function, VirtualDevice& device, Function*& function) {
  if (host_function == nullptr) return Status::kInvalidDeviceFunction;
  const auto found = Registry::instance().function(host_function, device);
  if (!found) return Status::kInvalidDeviceFunction;
  function = *found;
  return Status::kSuccess;
}

/// Runs body(Function&) for a host function on the current device.
template <class Body>
Status call_with_function(const void* host_function, Body body) {
  return api::call_with_device([&](VirtualDevice& device) {
    Function* function = nullptr;
    const Status status = function_of(host_function, device, function);
    return status == Status::kSuccess ? body(*function) : status;
  });
}

unsigned resident_blocks(const Function& function, int block_size, std::size_t lds_bytes) {
  return function.device().engine().workgroups_per_cu(function.kernel,
                                                      static_cast<std::uint32_t>(block_size),
                                                      static_cast<std::uint32_t>(lds_bytes));
}

Status active_blocks(int* blocks, const Function& function, int block_size, std::size_t lds_bytes) {
  if (blocks == nullptr || block_size <= 0) return Status::kInvalidValue;
  const auto& device = function.device().description();
  const int most = std::min(static_cast<int>(device.max_workgroup_work_items),
                            static_cast<int>(function.kernel.max_flat_workgroup_size));
  *blocks =
      block_size > most ? 0 : static_cast<int>(resident_blocks(function, block_size, lds_bytes));
  return Status::kSuccess;
}

/// The largest block size with which most threads are resident, and the grid that fills the device.
Status potential_block_size(int* grid_size, int* block_size, const Function& function,
                            std::size_t lds_bytes, int limit) {
  if (grid_size == nullptr || block_size == nullptr) return Status::kInvalidValue;
  const auto& device = function.device().description();
  int most = std::min(static_cast<int>(device.max_workgroup_work_items),
                      static_cast<int>(function.kernel.max_flat_workgroup_size));
  if (limit > 0) most = std::min(most, limit);
  int best_threads = 0;
  for (int size = most; size > 0; size -= size % kWaveLanes == 0 ? kWaveLanes : size % kWaveLanes) {
    const auto blocks = static_cast<int>(resident_blocks(function, size, lds_bytes));
    if (blocks * size <= best_threads) continue;
    best_threads = blocks * size;
    *block_size = size;
    *grid_size = blocks * static_cast<int>(device.compute_units);
  }
  return best_threads > 0 ? Status::kSuccess : Status::kInvalidConfiguration;
}

Status set_attribute(Function& function, int attribute, int value) {
  if (attribute < 0 || attribute > kLastSettableAttribute) return Status::kInvalidValue;
  if (attribute == kSetMaxDynamicSharedMemorySize) {
    const auto lds = static_cast<int>(function.device().description().lds_bytes_per_cu);
    const int most = lds - static_cast<int>(function.kernel.group_segment_bytes);
    if (value < 0 || value > most) return Status::kInvalidValue;
    function.max_dynamic_lds_bytes = value;
  }
  if (attribute == kSetPreferredSharedMemoryCarveout && (value < -1 || value > 100)) {
    return Status::kInvalidValue;
  }
  return Status::kSuccess;
}

/// hipOccupancyDefault or hipOccupancyDisableCachingOverride, which changes nothing on CDNA.
bool are_occupancy_flags(unsigned flags) { return flags <= 1; }

Status available_lds(std::size_t* lds_bytes, const Function& function, int blocks, int block_size) {
  if (lds_bytes == nullptr || blocks <= 0 || block_size <= 0) return Status::kInvalidValue;
  const auto& device = function.device().description();
  const std::size_t share = device.lds_bytes_per_cu / static_cast<std::size_t>(blocks) /
                            device.lds_granule_bytes * device.lds_granule_bytes;
  const std::size_t fixed = function.kernel.group_segment_bytes;
  *lds_bytes = share > fixed ? share - fixed : 0;
  return Status::kSuccess;
}

}  // namespace

WAVETANK_API Status hipFuncGetAttributes(abi::FunctionAttributes* attributes,
                                         const void* function) {
  return call_with_function(function, [&](Function& found) {
    if (attributes == nullptr) return Status::kInvalidValue;
    *attributes = attributes_of(found);
    return Status::kSuccess;
  });
}

WAVETANK_API Status hipFuncGetAttribute(int* value, FunctionAttribute attribute,
                                        Function* function) {
  return api::call([&] {
    if (value == nullptr) return Status::kInvalidValue;
    if (!is_function(function)) return Status::kInvalidDeviceFunction;
    const abi::FunctionAttributes all = attributes_of(*function);
    using enum FunctionAttribute;
    switch (attribute) {
      case kMaxThreadsPerBlock: *value = all.max_threads_per_block; break;
      case kSharedSizeBytes: *value = static_cast<int>(all.shared_size_bytes); break;
      case kConstSizeBytes: *value = 0; break;
      case kLocalSizeBytes: *value = static_cast<int>(all.local_size_bytes); break;
      case kNumRegs: *value = all.num_regs; break;
      case kPtxVersion: *value = all.ptx_version; break;
      case kBinaryVersion: *value = all.binary_version; break;
      case kCacheModeCa: *value = 0; break;
      case kMaxDynamicSharedSizeBytes: *value = all.max_dynamic_shared_size_bytes; break;
      case kPreferredSharedMemoryCarveout: *value = 0; break;
      default: return Status::kInvalidValue;
    }
    return Status::kSuccess;
  });
}

WAVETANK_API Status hipFuncSetAttribute(const void* function, int attribute, int value) {
  return call_with_function(
      function, [&](Function& found) { return set_attribute(found, attribute, value); });
}

// CDNA has no split between LDS and cache and one LDS bank width: preferences are checked only.
WAVETANK_API Status hipFuncSetCacheConfig(const void* function, int preference) {
  return api::call([&] {
    if (function == nullptr) return Status::kInvalidDeviceFunction;
    return preference < 0 || preference > 3 ? Status::kInvalidValue : Status::kSuccess;
  });
}
WAVETANK_API Status hipFuncSetSharedMemConfig(const void* function, int bank_size) {
  return api::call([&] {
    if (function == nullptr) return Status::kInvalidDeviceFunction;
    return bank_size < 0 || bank_size > 2 ? Status::kInvalidValue : Status::kSuccess;
  });
}

WAVETANK_API Status hipGetFuncBySymbol(Function** function, const void* symbol) {
  return call_with_function(symbol, [&](Function& found) {
    if (function == nullptr) return Status::kInvalidValue;
    *function = &found;
    return Status::kSuccess;
  });
}

WAVETANK_API Status hipModuleLaunchKernel(Function* function, unsigned grid_x, unsigned grid_y,
                                          unsigned grid_z, unsigned block_x, unsigned block_y,
                                          unsigned block_z, unsigned shared_bytes, void* stream,
                                          void** arguments, void** extra);

// hip_impl::hipLaunchKernelGGLImpl, which only ROCm 5 has: a launch by the host function's address.
namespace wavetank::hip {

[[gnu::visibility("default")]] void launch_by_address(
    std::uintptr_t, const Dim3&, const Dim3&, std::uint32_t, void*,
    void**) __asm__("_ZN8hip_impl22hipLaunchKernelGGLImplEmRK4dim3S2_jP12ihipStream_tPPv");

void launch_by_address(std::uintptr_t host_function, const Dim3& grid, const Dim3& block,
                       std::uint32_t shared_bytes, void* stream, void** extra) {
  const Stream* resolved = api::resolve_stream(stream);
  if (resolved == nullptr) return;
  Function* function = nullptr;
  const auto* address = reinterpret_cast<const void*>(host_function);
  if (api::remember(function_of(address, resolved->device(), function)) != Status::kSuccess) return;
  hipModuleLaunchKernel(function, grid.x, grid.y, grid.z, block.x, block.y, block.z, shared_bytes,
                        stream, nullptr, extra);
}

}  // namespace wavetank::hip

WAVETANK_API const char* hipKernelNameRef(const Function* function) {
  return is_function(function) ? function->kernel.name.c_str() : nullptr;
}

WAVETANK_API const char* hipKernelNameRefByPtr(const void* host_function, void*) {
  return host_function == nullptr ? nullptr : Registry::instance().function_name(host_function);
}

WAVETANK_API Status hipOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function,
                                                                 int block_size,
                                                                 std::size_t lds_bytes) {
  return call_with_function(function, [&](Function& found) {
    return active_blocks(blocks, found, block_size, lds_bytes);
  });
}

WAVETANK_API Status hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int* blocks, const void* function, int block_size, std::size_t lds_bytes, unsigned flags) {
  if (!are_occupancy_flags(flags)) return api::remember(Status::kInvalidValue);
  return hipOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, block_size, lds_bytes);
}

WAVETANK_API Status hipOccupancyMaxPotentialBlockSize(int* grid_size, int* block_size,
                                                      const void* function, std::size_t lds_bytes,
                                                      int limit) {
  return call_with_function(function, [&](Function& found) {
    return potential_block_size(grid_size, block_size, found, lds_bytes, limit);
  });
}

WAVETANK_API Status hipOccupancyAvailableDynamicSMemPerBlock(std::size_t* lds_bytes,
                                                             const void* function, int blocks,
                                                             int block_size) {
  return call_with_function(function, [&](Function& found) {
    return available_lds(lds_bytes, found, blocks, block_size);
  });
}

WAVETANK_API Status hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks,
                                                                       Function* function,
                                                                       int block_size,
                                                                       std::size_t lds_bytes) {
  return api::call([&] {
    if (!is_function(function)) return Status::kInvalidValue;
    return active_blocks(blocks, *function, block_size, lds_bytes);
  });
}

WAVETANK_API Status hipModuleOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int* blocks, Function* function, int block_size, std::size_t lds_bytes, unsigned flags) {
  if (!are_occupancy_flags(flags)) return api::remember(Status::kInvalidValue);
  return hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, block_size,
                                                            lds_bytes);
}

WAVETANK_API Status hipModuleOccupancyMaxPotentialBlockSize(int* grid_size, int* block_size,
                                                            Function* function,
                                                            std::size_t lds_bytes, int limit) {
  return api::call([&] {
    if (!is_function(function)) return Status::kInvalidValue;
    return potential_block_size(grid_size, block_size, *function, lds_bytes, limit);
  });
}

WAVETANK_API Status hipModuleOccupancyMaxPotentialBlockSizeWithFlags(int* grid_size,
                                                                     int* block_size,
                                                                     Function* function,
                                                                     std::size_t lds_bytes,
                                                                     int limit, unsigned flags) {
  if (!are_occupancy_flags(flags)) return api::remember(Status::kInvalidValue);
  return hipModuleOccupancyMaxPotentialBlockSize(grid_size, block_size, function, lds_bytes, limit);
}
