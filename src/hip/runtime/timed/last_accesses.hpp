// What the launch before had in its registers: its work-items loaded or stored the same elements.
#pragma once

#include <cstdint>
#include <set>
#include <tuple>

#include "base/dim3.hpp"
#include "dispatch/launch.hpp"
#include "profile/launch_profile.hpp"

namespace wavetank::hip {

/// The accesses of a launch by rows, whose work-items have an element each.
class LastAccesses {
 public:
  LastAccesses() = default;
  LastAccesses(const dispatch::Launch& launch, const profile::LaunchProfile& profile);

  /// Counts InstructionProfile::known_before of a launch that follows, whose accesses are `next`:
  /// from the same address on, with the same stride, of as many work-items, as often. None if it
  /// also loads what others of the work-items stored, for which it must wait, or if it does all
  /// that again and loads nothing that it stored: that is a benchmark.
  void mark(const LastAccesses& next, profile::LaunchProfile& profile) const;

 private:
  bool repeats(const LastAccesses& next) const;
  bool knows(const profile::InstructionProfile& instruction) const;
  bool needs_others(const profile::InstructionProfile& instruction) const;

  using Access = std::tuple<std::uint64_t, double, double>;  ///< lowest address, stride, hits
  const code_object::Kernel* kernel_ = nullptr;
  std::uint64_t work_items_ = 0;
  std::set<Access> accesses_;
  std::set<Access> loads_, stores_;
};

}  // namespace wavetank::hip
