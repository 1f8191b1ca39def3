// A device whose launches go through the cycle model: their times are the modelled device's, and
// each is described in the file that `wavetank profile` reads.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "dispatch/engine.hpp"
#include "hip/runtime/clock.hpp"
#include "hip/runtime/settings.hpp"
#include "hip/runtime/timed/last_accesses.hpp"
#include "hip/runtime/timed/what_if_runs.hpp"
#include "machine/device_memory.hpp"
#include "profile/launch_log.hpp"
#include "profile/launch_profile.hpp"
#include "timing/device_model.hpp"
#include "timing/scenario.hpp"

namespace wavetank::hip {

class TimedDevice final : public Clock {
 public:
  /// Errors: kBadDevice when the description lacks a number that timing needs.
  static Result<std::unique_ptr<TimedDevice>> make(const target::Device& device,
                                                   const machine::DeviceMemory& memory,
                                                   const TimingSettings& settings);

  /// Runs a launch under the model and appends its profile to the file. A launch that was timed
  /// twice before with the same arguments runs without timing and takes the second one's result,
  /// unless its code reads the clock.
  /// Errors: as dispatch::Engine::run; kFileUnreadable.
  Result<void> run(dispatch::Engine& engine, const dispatch::Launch& launch,
                   std::uint64_t stream_id);
  /// Writes the lines that are not up to date, and times launches again that shall be. Errors:
  /// kFileUnreadable.
  Result<void> finish();
  /// The same without what is under way, which does not go on: the process ends. From any thread.
  Result<void> interrupt();
  /// The device copied or filled, whose time this takes. Errors: kFileUnreadable.
  Result<void> pass_transfer(profile::Transfer transfer, bool over_host_link);
  /// The device's time: a kernel's events see it before and after.
  std::uint64_t now_ns() override;

 private:
  TimedDevice(const target::Device& device, target::Device modelled,
              const machine::DeviceMemory& memory, const TimingSettings& settings,
              std::unique_ptr<timing::DeviceModel> model)
      : device_(device),
        modelled_(std::move(modelled)),
        memory_(memory),
        settings_(settings),
        what_ifs_(settings.what_if, device, memory),
        model_(std::move(model)),
        log_(settings.profile_path) {}

  /// A launch that was timed.
  struct Known {
    unsigned times = 0;                ///< so far
    bool reads_clock = false;          ///< what it tells must be the model's
    profile::LaunchLog::Known result;  ///< of the last time
    LastAccesses accesses;
  };
  /// Launches with other arguments are others. When so many are known they are all forgotten, and
  /// timed again if they come again.
  static constexpr std::size_t kMostKnown = 4096;

  Result<void> time_launch(Known& known, dispatch::Engine& engine, const dispatch::Launch& launch,
                           std::uint64_t stream_id);
  Result<void> add_repeat(const Known& known, const dispatch::Launch& launch,
                          std::uint64_t stream_id);

  /// The moment before a launch, or why there is none.
  struct Saved {
    std::unique_ptr<SavedLaunch> launch;
    std::string why_not;
  };
  /// Simulates a launch; `saved` gets the moment before it, unless it is nullptr or says why not.
  Result<profile::LaunchProfile> simulate(dispatch::Engine& engine, const dispatch::Launch& launch,
                                          Saved* saved);
  Result<timing::Scenario> scenario_of(const dispatch::Launch& launch) const;
  /// Times a launch again, in a process of its own, which loses its model by that; gives the
  /// launch's cycles, or what went wrong.
  std::string time_again(machine::GridSource& source, const timing::Scenario& scenario,
                         std::string_view question);
  bool is_traced(const dispatch::Launch& launch) const;

  const target::Device& device_;
  const target::Device modelled_;  ///< at the clock that was asked for
  const machine::DeviceMemory& memory_;
  const TimingSettings settings_;
  std::mutex mutex_;      ///< whose holder times a launch
  std::mutex log_mutex_;  ///< guards log_ and what_ifs_
  WhatIfRuns what_ifs_;
  std::unique_ptr<timing::DeviceModel> model_;
  /// The model's, for who must not wait until a launch is simulated.
  std::atomic<std::uint64_t> now_ns_{0};
  std::map<std::string, Known> known_;
  LastAccesses last_;  ///< of the launch before, if the host copied nothing since
  profile::LaunchLog log_;
};

}  // namespace wavetank::hip
