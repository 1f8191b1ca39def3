// What a stream can be asked to do, as data: streams run operations, graphs keep them as nodes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <variant>

#include "check/operation_history.hpp"
#include "dispatch/launch.hpp"
#include "hip/runtime/code/kernarg_pool.hpp"

namespace wavetank::hip {

/// A box of bytes in memory: rows `pitch_bytes` apart, slices `slice_bytes` apart.
struct PitchedBytes {
  std::byte* address = nullptr;
  std::size_t pitch_bytes = 0;
  std::size_t slice_bytes = 0;
};

/// Copies a box of width x height x depth.
struct CopyOperation {
  PitchedBytes target = {};
  PitchedBytes source = {};
  std::size_t width_bytes = 0;
  std::size_t height = 1;
  std::size_t depth = 1;
  std::shared_ptr<const std::byte[]> staged = {};  ///< keeps a snapshot of the source alive

  std::size_t bytes() const { return width_bytes * height * depth; }
};

/// Fills a box with one element of 1, 2 or 4 bytes.
struct FillOperation {
  PitchedBytes target = {};
  std::uint32_t value = 0;
  std::uint32_t element_bytes = 1;
  std::size_t width_elements = 0;
  std::size_t height = 1;
  std::size_t depth = 1;

  std::size_t width_bytes() const { return width_elements * element_bytes; }
  std::size_t bytes() const { return width_bytes() * height * depth; }
};

/// Runs a kernel. `launch.kernarg` is the block's.
struct KernelOperation {
  dispatch::Launch launch;
  std::shared_ptr<KernargBlock> kernarg;
  std::shared_ptr<KernargBlock> multi_grid_sync = {};  ///< kept alive for cooperating grids
};

/// A call of a plain function of the program (hipLaunchHostFunc).
struct HostCall {
  void (*function)(void* user_data) = nullptr;
  void* user_data = nullptr;
  void operator()() const { function(user_data); }
};

/// Calls the program; a plain call is a HostCall, so that graphs can tell what it calls.
struct HostOperation {
  std::function<void()> call;
  /// What it touches of the devices' memory, for checks.
  check::TouchedRanges touches = {};
  bool calls_program = false;
  bool may_wait = false;  ///< for what the host or another stream does later
};

/// Does nothing; its completion says that everything before it is done.
struct MarkerOperation {};

using Operation =
    std::variant<MarkerOperation, KernelOperation, CopyOperation, FillOperation, HostOperation>;

/// The two operations that are plain memory accesses of this process, without a guard.
void run_copy(const CopyOperation& copy);
void run_fill(const FillOperation& fill);
/// What they touch, for checks; a snapshot of the source is nobody's memory.
check::TouchedRanges touched_by(const CopyOperation& copy);
check::TouchedRanges touched_by(const FillOperation& fill);

}  // namespace wavetank::hip
