// The cycle model of one device. It keeps its caches from launch to launch and its clock runs on.
//
//   launch queue --> dispatcher --> CUs, two and two with their scalar and instruction caches
//                                    |
//                                    +--> memory system: L2 of each XCD, fabric, MALL, HBM
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "machine/step.hpp"
#include "profile/launch_profile.hpp"
#include "timing/dispatch/dispatcher.hpp"
#include "timing/dispatch/launch_queue.hpp"
#include "timing/dispatch/sampler.hpp"
#include "timing/launch_run.hpp"
#include "timing/launch_setup.hpp"
#include "timing/memory/memory_system.hpp"
#include "timing/spec.hpp"
#include "timing/units/compute_unit.hpp"

namespace wavetank::timing {

class DeviceModel {
 public:
  /// Errors: a parameter that the device description lacks.
  static Result<std::unique_ptr<DeviceModel>> make(const target::Device& device);

  /// A device of other numbers at the same moment, which takes the place of this one: its caches
  /// hold what this one's held, as far as they are of the same shape, and its clock has run as
  /// long. Nothing can be simulated on this one any more.
  std::unique_ptr<DeviceModel> with(const TimingSpec& spec) &&;

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

  void make_units();
  /// Puts all parts at the beginning of a launch.
  void start_launch(machine::GridSource& source, const LaunchSetup& setup);
  void describe(const LaunchSetup& setup, const LaunchRun& run, std::uint64_t workgroups,
                profile::LaunchProfile& profile) const;

  TimingSpec spec_;
  MemorySystem memory_;
  std::vector<UnitCluster> clusters_;
  std::deque<ComputeUnit> units_;
  Dispatcher dispatcher_;
  Sampler sampler_;
  LaunchQueue queue_;
};

}  // namespace wavetank::timing
