// Runs launches on one virtual device: grids into workgroups, workgroups onto worker threads.
// Functional mode is complete here; the cycle model drives the same waves one Step at a time
// (stepped_grid.hpp), checks listen to them (listened_launch.hpp).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "base/error.hpp"
#include "dispatch/launch.hpp"
#include "dispatch/loaded_code.hpp"
#include "dispatch/stepped_instruction.hpp"
#include "machine/device_memory.hpp"
#include "machine/step.hpp"
#include "target/device.hpp"

namespace wavetank::machine {
class Listener;
}

namespace wavetank::dispatch {

/// Drives a stepped launch to its end.
using StepDriver = std::function<Result<void>(machine::GridSource&)>;

class ListenedLaunch;
/// Gives the listener of a launch, which must live until the launch ends.
using MakeListener = std::function<machine::Listener*(std::shared_ptr<const ListenedLaunch>)>;

struct EngineOptions {
  int device_ordinal = 0;       ///< whose memory launches borrow
  unsigned worker_threads = 0;  ///< 0: one per host core
  HostService host_service = {};
  SourceLines source_lines = {};  ///< without it no source lines are told
  /// Told (is_warning) of an instruction that did not do what its program expects, after the launch
  /// and once for each instruction, of one in a launch, from the thread that runs it; and of a
  /// launch that stands still, meanwhile, from any thread.
  std::function<void(const Error&)> report_warning = {};
};

/// A virtual device's execution engine. `run` is safe from several threads (concurrent streams).
class Engine {
 public:
  Engine(const target::Device& device, machine::DeviceMemory& memory, EngineOptions options);
  ~Engine();

  /// Checks a launch against the device's limits without running it. Errors: kBadLaunch.
  Result<void> check(const Launch& launch) const;
  /// Runs a launch to its end. Errors: kBadLaunch, kUnknownInstruction, kUnsupportedInstruction
  /// (both before anything is written), kMemoryFault, kTrap, kDeadlock.
  Result<void> run(const Launch& launch);
  /// The same, heard by the listener that `make` gives. Errors: as run().
  Result<void> run_listened(const Launch& launch, const MakeListener& make);
  /// Runs a launch one instruction at a time, as `driver` asks; the instructions that were
  /// executed, by StepFacts::index. Errors: as run(), and the driver's own.
  Result<std::vector<SteppedInstruction>> run_stepped(const Launch& launch,
                                                      const StepDriver& driver);
  /// Explicit arguments of a launch, with zeros for the bits on which what the kernel does cannot
  /// depend. Errors: what translation finds.
  Result<std::vector<std::byte>> arguments_that_count(const Launch& launch);
  /// Workgroups of this shape that fit on one CU at once; 0 if none does.
  unsigned workgroups_per_cu(const code_object::Kernel& kernel, std::uint32_t workgroup_work_items,
                             std::uint32_t dynamic_lds_bytes) const;

  const target::Device& device() const;
  /// The code objects whose functions kernels may call by their addresses; a kernel's own need not
  /// be among them.
  LoadedCode& loaded_code();

 private:
  friend class PreparedLaunch;
  struct State;
  unsigned groups_that_fit(const Launch& launch) const;
  std::unique_ptr<State> state_;
};

}  // namespace wavetank::dispatch
