// The cycle model of one device. It keeps its caches from launch to launch and its clock runs on.
//
//   time advances in windows of a few cycles; in each window every CU with something to do runs to
//   the window's end, in the order of their numbers. The result depends on nothing of the host.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "machine/step.hpp"
#include "profile/launch_profile.hpp"
#include "target/occupancy.hpp"
#include "timing/compute_unit.hpp"
#include "timing/dispatcher.hpp"
#include "timing/memory/memory_system.hpp"
#include "timing/sampler.hpp"
#include "timing/spec.hpp"

namespace wavetank::timing {

/// What the model is told of a launch.
struct LaunchSetup {
  std::uint32_t waves_per_group = 1;
  target::Occupancy occupancy;  ///< what fits on a CU
  std::uint64_t code_base = 0;  ///< address of the code
  bool exact = false;           ///< simulate every workgroup
  bool cooperative = false;     ///< workgroups wait for each other: all are simulated
  bool trace = false;           ///< collect the issues of one CU
  std::uint32_t trace_cu = 0;
};

class DeviceModel final : private CuHost {
 public:
  /// Errors: a parameter that the device description lacks.
  static Result<std::unique_ptr<DeviceModel>> make(const target::Device& device);
  ~DeviceModel() override;

  /// Runs a launch to its end and says what happened. Fills all of the profile but the names, the
  /// launch's shape and the texts of the instructions. Errors: what the program does wrong,
  /// kDeadlock.
  Result<profile::LaunchProfile> simulate(machine::GridSource& source, const LaunchSetup& setup);

  /// The device's time: after the last launch and whatever else the device did.
  double now_ns() const { return queue_.now_ns(); }
  /// Cycles that the next launch takes beside those of its waves.
  std::uint64_t overhead_cycles() const;
  /// An identical launch of so many cycles and as much overhead ran again, without the model: its
  /// time passes. Gives the device's time at its end, in whole nanoseconds.
  std::uint64_t repeat(std::uint64_t cycles);
  /// A copy or fill of so many bytes by the device's engines.
  void pass_transfer(std::uint64_t bytes, bool over_host_link);
  const TimingSpec& spec() const { return spec_; }

 private:
  explicit DeviceModel(const TimingSpec& spec);

  void room_at(std::uint32_t cu, std::uint64_t time) override;
  void group_ended(GroupContext& group, std::uint64_t time) override;
  void at_global_barrier(std::uint32_t cu, unsigned simd, unsigned slot,
                         std::uint64_t time) override;
  machine::StepClock& clock() override { return source_->clock(); }
  void serve_host() override { source_->serve_host(); }

  Result<void> run_launch();
  Result<void> open_global_barrier();
  void describe(const LaunchSetup& setup, profile::LaunchProfile& profile) const;

  TimingSpec spec_;
  MemorySystem memory_;
  std::vector<std::unique_ptr<SharedCaches>> caches_;
  std::vector<ComputeUnit> units_;
  Dispatcher dispatcher_;
  Sampler sampler_;
  machine::GridSource* source_ = nullptr;
  struct Waiting {
    std::uint32_t cu;
    unsigned simd, slot;
  };
  std::vector<Waiting> at_global_barrier_;
  std::uint64_t global_barrier_time_ = 0;
  std::optional<Error> error_;  ///< of a dispatch inside a CU's run
  std::uint64_t end_cycle_ = 0;
  LaunchQueue queue_;
};

}  // namespace wavetank::timing
