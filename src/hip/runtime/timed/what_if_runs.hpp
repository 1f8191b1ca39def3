// Launches that are timed again with changes, when the program has ended: those of the kernels that
// took longest in the run, each as it was timed last.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <tuple>

#include "base/dim3.hpp"
#include "dispatch/launch.hpp"
#include "hip/runtime/settings.hpp"
#include "hip/runtime/timed/saved_launch.hpp"
#include "machine/device_memory.hpp"
#include "profile/launch_profile.hpp"
#include "target/device.hpp"

namespace wavetank::hip {

/// What a saved launch is asked.
struct WhatIfQuestion {
  std::uint64_t sampled_workgroups = 0;  ///< as many as were simulated before; 0: all
  double rest_ratio = 1;                 ///< as was found out of the others
  unsigned threads = 1;                  ///< that work at the answer
  std::string change;

  std::string text() const;
  static WhatIfQuestion parse(std::string_view text);
};

class WhatIfRuns {
 public:
  WhatIfRuns(const WhatIfSettings& settings, const target::Device& device,
             const machine::DeviceMemory& memory)
      : settings_(settings), device_(device), memory_(memory) {}

  /// True if the launch should be saved before it is timed: the first launch of its kernel and
  /// shape finds cold caches, the second what the first left; that one stands for all others.
  bool wants(const dispatch::Launch& launch) const;
  /// Why a launch cannot be timed again, as what it does is not only in this process; empty if it
  /// can.
  std::string why_not(const dispatch::Launch& launch) const;
  /// A launch that wants() was true for was timed; `saved` is nullptr if it could not be saved, for
  /// the reason `why`.
  void timed(const dispatch::Launch& launch, const profile::LaunchProfile& profile,
             std::unique_ptr<SavedLaunch> saved, const std::string& why);
  /// Another launch took so many cycles, timed or not.
  void passed(const dispatch::Launch& launch, std::uint64_t cycles);
  /// Times again what is asked for; results go to the profile's file. Errors: kFileUnreadable.
  Result<void> finish(const std::string& profile_path);
  /// Lets finish(), now or later, write what is known and return; from any thread.
  void interrupt() { interrupted_ = true; }

 private:
  /// Kernel, work-items of grid and workgroup.
  using Family = std::tuple<std::string, std::array<std::uint32_t, 6>>;
  struct Kept {
    unsigned times = 0;        ///< that it was timed
    std::uint64_t cycles = 0;  ///< of all launches
    profile::LaunchProfile profile;
    std::unique_ptr<SavedLaunch> saved;
  };
  /// A saved launch keeps the memory that the program changes after it.
  static constexpr std::size_t kMostSaved = 16;

  static Family family_of(const dispatch::Launch& launch);
  void drop_shortest();
  Result<void> answer(Kept& kept, const std::string& profile_path) const;
  /// Adds the answers to the profile, but for changes that are answered.
  void ask(SavedLaunch& saved, std::vector<std::string> changes,
           profile::LaunchProfile& profile) const;

  const WhatIfSettings settings_;
  const target::Device& device_;
  const machine::DeviceMemory& memory_;
  std::atomic<bool> interrupted_{false};
  std::map<Family, Kept> kept_;
};

}  // namespace wavetank::hip
