// What a launch may be: limits of the device and of the kernel, in an error that names the one that
// is broken, and the block size that the runtime's occupancy rules propose.
#pragma once

#include <hip/hip_runtime.h>

#include "extents.hpp"
#include "stream.hpp"

namespace wavetank {

/// How a kernel is to be launched, where launch() shall not choose.
struct launch_options {
  dim3 block{0, 0, 0};        ///< work-items of a workgroup along x, y, z; 0: by occupancy
  std::size_t lds_bytes = 0;  ///< dynamic LDS of a workgroup
};

/// What one device allows.
struct device_limits {
  std::string name;           ///< as the device calls itself
  int workgroup = 0;          ///< most work-items of a workgroup
  std::size_t lds_bytes = 0;  ///< most LDS of a workgroup
  int compute_units = 0;      ///< compute units that run workgroups
};

/// The limits of the current device.
inline device_limits current_device_limits() {
  int device = 0;
  check(hipGetDevice(&device), "asking for the current device");
  hipDeviceProp_t properties;
  check(hipGetDeviceProperties(&properties, device), "asking for the device's limits");
  return {properties.name, properties.maxThreadsPerBlock, properties.sharedMemPerBlock,
          properties.multiProcessorCount};
}

namespace detail {

inline hipFuncAttributes attributes_of(const void* kernel) {
  hipFuncAttributes attributes{};
  check(hipFuncGetAttributes(&attributes, kernel),
        "asking for a kernel's resources (is it compiled for this device?)");
  return attributes;
}

/// Throws launch_error if the device or the kernel cannot have such workgroups.
inline void require_launchable(const void* kernel, const dim3& block, std::size_t lds_bytes) {
  const device_limits limits = current_device_limits();
  const hipFuncAttributes kernel_has = attributes_of(kernel);
  const std::uint64_t items = std::uint64_t{block.x} * block.y * block.z;
  if (items > static_cast<std::uint64_t>(limits.workgroup))
    throw launch_error("a workgroup of " + std::to_string(items) + " work-items: " + limits.name +
                       " has at most " + std::to_string(limits.workgroup) +
                       "; launch more workgroups instead, or leave the block size to launch()");
  if (items > static_cast<std::uint64_t>(kernel_has.maxThreadsPerBlock))
    throw launch_error("a workgroup of " + std::to_string(items) +
                       " work-items: this kernel was compiled for at most " +
                       std::to_string(kernel_has.maxThreadsPerBlock) +
                       " (__launch_bounds__), so that more would lack registers");
  const std::size_t lds = kernel_has.sharedSizeBytes + lds_bytes;
  if (lds > limits.lds_bytes)
    throw launch_error("a workgroup with " + std::to_string(lds) + " bytes of LDS (" +
                       std::to_string(kernel_has.sharedSizeBytes) + " of the kernel's variables, " +
                       std::to_string(lds_bytes) + " dynamic): " + limits.name + " has " +
                       std::to_string(limits.lds_bytes) + " for a workgroup; use smaller tiles");
}

/// The work-items of a workgroup that give the best occupancy, a multiple of a wave.
inline int best_block(const void* kernel, std::size_t lds_bytes) {
  int grid = 0, block = 0;
  check(hipOccupancyMaxPotentialBlockSize(&grid, &block, kernel, lds_bytes, 0),
        "asking for the block size of the best occupancy");
  return block;
}

/// `items` work-items as a block for a shape of two or three dimensions: a wave's width along x, as
/// far as the shape has one, the rest along y.
template <int Rank>
dim3 block_for(const extents<Rank>& shape, int items) {
  if constexpr (Rank == 1) return dim3(items);
  unsigned int x = 1;
  while (x < 64 && x < shape[Rank - 1]) x *= 2;
  return dim3(x, items / x);
}

/// How many blocks cover a shape whose last dimension is x.
template <int Rank>
dim3 grid_for(const extents<Rank>& shape, const dim3& block) {
  const auto blocks = [](std::int64_t count, unsigned int each) {
    return static_cast<unsigned int>((count + each - 1) / each);
  };
  dim3 grid(blocks(shape[Rank - 1], block.x));
  if constexpr (Rank > 1) grid.y = blocks(shape[Rank - 2], block.y);
  if constexpr (Rank > 2) grid.z = blocks(shape[Rank - 3], block.z);
  return grid;
}

}  // namespace detail
}  // namespace wavetank
