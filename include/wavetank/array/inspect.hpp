// What the compiler made of a kernel: registers, LDS, occupancy; with `wavetank` installed its
// machine code too.
#pragma once

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "launch_limits.hpp"

namespace wavetank {

/// What a kernel takes of the device.
struct kernel_resources {
  int registers = 0;              ///< vector registers of a work-item
  std::size_t lds_bytes = 0;      ///< LDS of a workgroup, without dynamic LDS
  std::size_t scratch_bytes = 0;  ///< scratch memory of a work-item: spills and arrays
  int largest_block = 0;          ///< most work-items of a workgroup
  int best_block = 0;             ///< the block size of the best occupancy
  int groups_per_unit = 0;        ///< workgroups of that size that a compute unit holds at once
};

/// What a __global__ function takes of the current device.
template <class... Parameter>
kernel_resources resources_of(void (*kernel)(Parameter...)) {
  const void* function = reinterpret_cast<const void*>(kernel);
  const hipFuncAttributes has = detail::attributes_of(function);
  kernel_resources result{has.numRegs,
                          has.sharedSizeBytes,
                          has.localSizeBytes,
                          has.maxThreadsPerBlock,
                          detail::best_block(function, 0),
                          0};
  check(hipOccupancyMaxActiveBlocksPerMultiprocessor(&result.groups_per_unit, function,
                                                     result.best_block, 0),
        "asking for the occupancy of a kernel");
  return result;
}

/// Prints what a kernel takes, and its machine code if the command `wavetank` is in the PATH.
template <class... Parameter>
void inspect(void (*kernel)(Parameter...)) {
  const kernel_resources has = resources_of(kernel);
  std::printf(
      "%d registers, %zu bytes of LDS, %zu bytes of scratch; at most %d work-items, "
      "best %d, of which a compute unit holds %d workgroups\n",
      has.registers, has.lds_bytes, has.scratch_bytes, has.largest_block, has.best_block,
      has.groups_per_unit);
  std::fflush(stdout);
  const char* name = hipKernelNameRefByPtr(reinterpret_cast<const void*>(kernel), nullptr);
  const std::string program = std::filesystem::read_symlink("/proc/self/exe");
  if (!name || program.find('\'') != std::string::npos) return;
  const std::string command =
      "command -v wavetank > /dev/null && exec wavetank inspect --isa --kernel '" +
      std::string(name) + "' '" + program + "'";
  if (std::system(command.c_str()) != 0)
    std::printf("(its machine code: `wavetank inspect --isa`, which is not installed)\n");
}

}  // namespace wavetank
